import type { Operations, Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import type { Downlink } from './downlink-state.tsx'

export type Section = Schemas['ConfigurationSection']
export type Field = Schemas['ConfigurationField']
type Body = Operations['POST /devices/{device_id}/configure']['body']
export type ConfigField = Body['config_field']

/** What is entered, by the name of the field: numbers as text, empty if nothing is. */
export type Entered = Readonly<Record<string, string>>

/** Whether a field counts with what is entered in the others. */
export function isApplicable(field: Field, section: Section, entered: Entered): boolean {
  if (field.only_when === null) return true
  const other = section.fields.find(({ name }) => name === field.only_when?.name)
  const text = entered[field.only_when.name] ?? ''
  const value = text === '' ? other?.default : Number(text)
  return value !== null && value !== undefined && field.only_when.values.includes(value)
}

/** The member of the request; fields that do not count are left out. */
export function toConfigField(section: Section, entered: Entered): ConfigField {
  const values = section.fields
    .filter((field) => isApplicable(field, section, entered))
    .flatMap((field) => {
      const text = entered[field.name] ?? ''
      if (text.trim() === '') return []
      const value = field.type === 'json' ? text : Number(text)
      return [[field.name, field.wrapper === null ? value : { [field.wrapper]: value }]]
    })
  return { islorawan: 1, config_type: section.key, ...Object.fromEntries(values) }
}

/** What the last message of this section set; undefined if there is none that may be in force. */
export function lastOf(section: Section, downlinks: readonly Downlink[]): Downlink | undefined {
  return downlinks.find(
    (downlink) =>
      downlink.section === section.key &&
      !['rejected', 'failed', 'cancelled', 'expired'].includes(downlink.state),
  )
}

/** The entered values of a message that was sent. Those of codecs are its data. */
export function enteredOf(downlink: Downlink): Entered {
  const [first = ''] = downlink.lines
  if (first.startsWith('Data: ')) return { codec_data: first.slice('Data: '.length) }
  return Object.fromEntries(
    downlink.parts.flatMap(({ key, value }) =>
      key === null || typeof value !== 'number' ? [] : [[key, String(value)]],
    ),
  )
}

/** The messages of a 422 by the name of the field; those of no field are under ''. */
export function errorsByField(errors: Record<string, string[]>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, messages] of Object.entries(errors)) {
    const [, name = ''] = path.split('.')
    found[name] = [found[name], ...messages].filter(Boolean).join(' ')
  }
  return found
}

/** "0 to 63.75 s, in steps of 0.25". */
export function rangeText({ minimum, maximum, step, unit }: Field): string | undefined {
  if (minimum === null || maximum === null) return undefined
  const range = t('{minimum} to {maximum}{unit}', {
    minimum,
    maximum,
    unit: unit === null ? '' : ` ${unit}`,
  })
  return step === null || step === 1
    ? range
    : t('{range}, in steps of {toPrecision}', { range, toPrecision: Number(step.toPrecision(6)) })
}

/** The text of a field's default, as its empty control shows it. */
export function defaultText(field: Field): string {
  if (field.default === null) return t('Left empty')
  const option = field.options.find(({ value }) => value === field.default)
  const unit = field.unit === null ? '' : ` ${field.unit}`
  return t('Default: {value}', {
    value: option?.text ?? (field.type === 'toggle' ? t('no') : `${field.default}${unit}`),
  })
}
