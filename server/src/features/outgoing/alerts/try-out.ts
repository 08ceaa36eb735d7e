import { timeOf } from './past.ts'
import type { ReadUplink } from './reading-queries.ts'
import { type Known, moveOn, type Verdict } from './readings.ts'
import type { StoredRule } from './rule-queries.ts'

/** An alert that a rule would have raised, in milliseconds; without an end it lasts. */
export interface Fired {
  device: number
  from: number
  to: number | undefined
}

/** Goes through what messages mean for a rule, as the watcher does, and notes only when it fires. */
export function tryOut({ settings }: Pick<StoredRule, 'settings'>) {
  const lasting = 'minutes' in settings ? settings.minutes * 60_000 : 0
  const known = new Map<number, Known | undefined>()
  const open = new Map<number, Fired>()
  const fired: Fired[] = []
  const note = (device: number, from: number) => {
    const one: Fired = { device, from, to: undefined }
    open.set(device, one)
    fired.push(one)
  }
  /** What lasts long enough is found between two readings, too. */
  const openLasting = (device: number, time: number) => {
    const alert = known.get(device)
    if (alert?.state !== 'pending' || time - alert.began < lasting) return alert
    note(device, alert.began + lasting)
    return { ...alert, state: 'open' } as const
  }
  return {
    fired: fired as readonly Fired[],
    /** Devices that it looks at. */
    seen: known as { keys(): Iterable<number> },
    judge(uplink: ReadUplink, verdict: Verdict) {
      const time = timeOf(uplink)
      const device = uplink.device_id
      const was = openLasting(device, time)
      const is = moveOn(was, verdict, { time, lasting })
      if (is?.state === 'open' && was?.state !== 'open') note(device, time)
      const over = is?.state === 'closed' ? open.get(device) : undefined
      if (over) over.to = time
      if (over) open.delete(device)
      known.set(device, is)
    },
    /** Nothing is said after it. */
    end(time: number) {
      for (const device of known.keys()) openLasting(device, time)
    },
  }
}
