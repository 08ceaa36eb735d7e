import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { t } from '../languages/text.ts'
import classes from './day-calendar.module.css'
import { addDays, addMonths, startOfWeek, timeOfDay, weeksOf } from './days.ts'
import { formatTime, useFormats } from './formats.ts'

interface DayCalendarProps {
  /** "2026-03-01" */
  day: string | undefined
  today: string
  onChoose: (day: string) => void
}

const nameOf = (day: string, weekday: 'short' | 'long') =>
  new Intl.DateTimeFormat('en-GB', { weekday, timeZone: 'UTC' }).format(timeOfDay(day))

/** The days of a month, of which one is chosen. Its weeks begin as the user has them. */
export function DayCalendar({ day, today, onChoose }: DayCalendarProps) {
  const { week_start: weekStart } = useFormats()
  const [current, setCurrent] = useState(day ?? today)
  const title = useId()
  const head = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  // The keyboard goes from day to day, and begins at the current one, but it stays on the arrows above.
  useEffect(() => {
    if (head.current?.contains(document.activeElement)) return
    table.current?.querySelector<HTMLButtonElement>(`[data-day="${current}"]`)?.focus()
  }, [current])
  const weeks = weeksOf(current, weekStart)
  const move = (event: KeyboardEvent) => {
    const to = dayAfterKey(event.key, current, startOfWeek(current, weekStart))
    if (to === undefined) return
    event.preventDefault()
    setCurrent(to)
  }
  return (
    <div className={classes.calendar}>
      <div ref={head} className={classes.head}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Previous month')}
          onClick={() => setCurrent(addMonths(current, -1))}
        >
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <strong id={title} aria-live="polite">
          {formatTime(timeOfDay(current), { date: 'month' }, 'UTC')}
        </strong>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Next month')}
          onClick={() => setCurrent(addMonths(current, 1))}
        >
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </div>
      <table ref={table} aria-labelledby={title} onKeyDown={move}>
        <thead>
          <tr>
            {weeks[0]?.map((one) => (
              <th key={one} scope="col" abbr={nameOf(one, 'long')}>
                {nameOf(one, 'short').slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one}>
                  <button
                    type="button"
                    data-day={one}
                    tabIndex={one === current ? 0 : -1}
                    data-other={one.slice(0, 7) !== current.slice(0, 7) || undefined}
                    aria-pressed={one === day}
                    aria-current={one === today ? 'date' : undefined}
                    aria-label={`${nameOf(one, 'long')}, ${formatTime(timeOfDay(one), { date: 'full' }, 'UTC')}`}
                    onClick={() => onChoose(one)}
                  >
                    {Number(one.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where a key leads from a day, of which the week begins at `first`. */
function dayAfterKey(key: string, day: string, first: string): string | undefined {
  const steps: Record<string, () => string> = {
    ArrowLeft: () => addDays(day, -1),
    ArrowRight: () => addDays(day, 1),
    ArrowUp: () => addDays(day, -7),
    ArrowDown: () => addDays(day, 7),
    Home: () => first,
    End: () => addDays(first, 6),
    PageUp: () => addMonths(day, -1),
    PageDown: () => addMonths(day, 1),
  }
  return steps[key]?.()
}
