import { Input, NativeSelect, NumberInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../languages/text.ts'
import classes from './duration-input.module.css'

/** In minutes. */
const sizes = { minutes: 1, hours: 60, days: 1440 } as const
type Unit = keyof typeof sizes

interface DurationInputProps {
  label: string
  description?: ReactNode
  error?: ReactNode
  /** Minutes; '' for none. */
  value: number | string
  onChange: (minutes: number | '') => void
  min?: number | undefined
  units?: readonly Unit[]
}

/** A time in minutes, hours or days: whichever says it in whole numbers. */
export function DurationInput(props: DurationInputProps) {
  const { label, value, onChange, min = 0, units = ['minutes', 'hours', 'days'] } = props
  const id = useId()
  const [chosen, setChosen] = useState<Unit>()
  const fitting = unitOf(value, units)
  const unit = chosen && isWhole(value, chosen) ? chosen : fitting
  const minutesOf = (count: number | string, size: Unit) =>
    count === '' ? '' : Math.round(Number(count) * sizes[size])
  const count = value === '' ? '' : Number(value) / sizes[unit]
  return (
    <Input.Wrapper
      label={label}
      labelProps={{ htmlFor: id }}
      description={props.description}
      error={props.error}
    >
      <div className={classes.fields}>
        <NumberInput
          id={id}
          value={count}
          min={Math.ceil(min / sizes[unit])}
          allowDecimal={false}
          error={Boolean(props.error)}
          onChange={(typed) => {
            setChosen(unit)
            onChange(minutesOf(typed, unit))
          }}
        />
        <NativeSelect
          aria-label={t('Unit of: {label}', { label })}
          data={[...units]}
          value={unit}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value as Unit
            setChosen(next)
            onChange(minutesOf(count, next))
          }}
        />
      </div>
    </Input.Wrapper>
  )
}

function isWhole(minutes: number | string, unit: Unit): boolean {
  return Number(minutes) % sizes[unit] === 0
}

/** The largest in which it is a whole number. */
function unitOf(minutes: number | string, units: readonly Unit[]): Unit {
  const whole = units.filter((unit) => isWhole(minutes, unit))
  const [smallest = 'minutes'] = units
  return (Number(minutes) === 0 ? undefined : whole.at(-1)) ?? smallest
}

/** "3 days", "36 hours", "90 minutes". */
export function durationWords(minutes: number): string {
  const unit = unitOf(minutes, ['minutes', 'hours', 'days'])
  const count = minutes / sizes[unit]
  return t(
    '{unit, select, days {{count, plural, one {# day} other {# days}}} hours {{count, plural, one {# hour} other {# hours}}} other {{count, plural, one {# minute} other {# minutes}}}}',
    { unit, count },
  )
}
