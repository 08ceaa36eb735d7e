import type { StoredChannel } from './channel-queries.ts'

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

type Hours = Pick<StoredChannel, 'days' | 'from_time' | 'to_time'> & { time_zone: string }

/** Whether the member is to be told now: at other times a message waits. */
export function isWithinHours({ days, from_time, to_time, time_zone }: Hours, now: Date): boolean {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: time_zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const day = names.indexOf(part('weekday')) + 1
  const time = `${part('hour')}:${part('minute')}`
  if (from_time === null || to_time === null || from_time === to_time) return days.includes(day)
  if (from_time < to_time) return days.includes(day) && time >= from_time && time < to_time
  // Over midnight: the early hours belong to the day before.
  const before = day === 1 ? 7 : day - 1
  return time >= from_time ? days.includes(day) : time < to_time && days.includes(before)
}
