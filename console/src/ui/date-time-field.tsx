import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useState } from 'react'
import { t } from '../languages/text.ts'
import { formatTime, useFormats } from './formats.ts'
import { useTimeZone } from './time-zone.ts'
import { readLocal, readWritten, writeLocal } from './written-time.ts'

const DayCalendar = lazy(async () => ({
  default: (await import('./day-calendar.tsx')).DayCalendar,
}))

interface DateTimeFieldProps {
  label: string
  description?: ReactNode
  required?: boolean
  size?: 'xs'
  /** ISO 8601; undefined for none. */
  value: string | undefined
  /** Called when the field is left, by Enter, and by the calendar. */
  onChange: (value: string | undefined) => void
  error?: ReactNode
}

/** A time, in the zone and the format of the user. It is written, or its day chosen in a calendar. */
export function DateTimeField({ value, onChange, error, size, ...rest }: DateTimeFieldProps) {
  const timeZone = useTimeZone()
  const formats = useFormats()
  const [typed, setTyped] = useState<string>()
  const [isWrong, setWrong] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const write = (time: number) => {
    const hasSeconds = time % 60_000 !== 0
    return formatTime(time, { date: 'full', clock: hasSeconds ? 'seconds' : 'minutes' }, timeZone)
  }
  const dayAt = (time: number) => writeLocal(time, timeZone).slice(0, 10)
  const known = value === undefined ? undefined : Date.parse(value)
  const take = (time: number | undefined) => {
    setTyped(undefined)
    setWrong(false)
    if (time !== known) onChange(time === undefined ? undefined : new Date(time).toISOString())
  }
  const commit = () => {
    if (typed === undefined) return
    const time = readWritten(typed, { timeZone, order: formats.date, now: Date.now() })
    if (time === undefined && typed.trim() !== '') setWrong(true)
    else take(time)
  }
  const chooseDay = (day: string) => {
    const clock = known === undefined ? '00:00:00' : writeLocal(known, timeZone).slice(11)
    setOpen(false)
    take(readLocal(`${day}T${clock}`, timeZone))
  }
  return (
    <TextInput
      {...rest}
      {...(size && { size })}
      value={typed ?? (known === undefined ? '' : write(known))}
      autoComplete="off"
      error={
        isWrong
          ? t('Write it as {now}.', { now: write(Date.now() - (Date.now() % 60_000)) })
          : error
      }
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && commit()}
      // Above the buttons of the fields that follow.
      rightSectionProps={isOpen ? { style: { zIndex: 2 } } : {}}
      rightSection={
        // Within the page: a click in it must not count as one beside the dialog around it.
        <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus withinPortal={false}>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('Choose the day: {label}', { label: rest.label })}
              onClick={() => setOpen(!isOpen)}
            >
              <IconCalendar size={15} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown p="xs">
            <Suspense fallback={t('Loading')}>
              <DayCalendar
                day={known === undefined ? undefined : dayAt(known)}
                today={dayAt(Date.now())}
                onChoose={chooseDay}
              />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
