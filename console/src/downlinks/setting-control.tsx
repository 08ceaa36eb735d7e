import { Checkbox, NumberInput, Select, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../languages/text.ts'
import { defaultText, type Field, rangeText } from './configuration.ts'
import classes from './downlinks.module.css'

interface SettingControlProps {
  field: Field
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** The control of one setting, with its unit, range and help. Empty, the default counts. */
export function SettingControl({ field, value, error, onChange }: SettingControlProps) {
  const common = {
    label: field.inferred ? t('{label} (inferred)', { label: field.label }) : field.label,
    description: describe(field),
    error,
  }
  switch (field.type) {
    case 'number':
      return (
        <NumberInput
          {...common}
          value={value === '' ? '' : Number(value)}
          onChange={(next) => onChange(String(next))}
          {...limitsOf(field)}
          clampBehavior="none"
          suffix={field.unit === null ? '' : ` ${field.unit}`}
          placeholder={defaultText(field)}
        />
      )
    case 'select':
      return (
        <Select
          {...common}
          data={field.options.map((option) => ({
            value: String(option.value),
            label: option.text,
          }))}
          value={value === '' ? null : value}
          onChange={(next) => onChange(next ?? '')}
          searchable={field.options.length > 10}
          clearable
          limit={300}
          placeholder={defaultText(field)}
        />
      )
    case 'toggle':
      return (
        <Checkbox
          {...common}
          checked={value === '1'}
          onChange={(event) => onChange(event.currentTarget.checked ? '1' : '')}
        />
      )
    case 'bits':
      return <BitsControl field={field} value={value} onChange={onChange} common={common} />
    case 'json':
      return (
        <Textarea
          {...common}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          placeholder="{}"
        />
      )
  }
}

interface BitsProps extends Pick<SettingControlProps, 'field' | 'value' | 'onChange'> {
  common: { label: string; description: ReactNode; error: string | undefined }
}

/** Several boxes, whose values add up. */
function BitsControl({ field, value, onChange, common }: BitsProps) {
  const sum = Number(value || 0)
  const chosen = field.options.filter((option) => sum & option.value)
  return (
    <Checkbox.Group
      {...common}
      value={chosen.map((option) => String(option.value))}
      onChange={(next) =>
        onChange(next.length === 0 ? '' : String(next.map(Number).reduce(add, 0)))
      }
    >
      <div className={classes.options}>
        {field.options.map((option) => (
          <Checkbox key={option.value} value={String(option.value)} label={option.text} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

function add(sum: number, value: number): number {
  return sum + value
}

function describe(field: Field): string {
  const range = rangeText(field)
  return range === undefined ? field.help : t('{help} Range: {range}.', { help: field.help, range })
}

function limitsOf({ minimum, maximum, step }: Field) {
  return {
    ...(minimum === null ? {} : { min: minimum }),
    ...(maximum === null ? {} : { max: maximum }),
    ...(step === null ? {} : { step }),
  }
}
