import type { Field, NumberField, Option } from './section.ts'

/** What to call a value of a field: its option's text, or the number with its unit. */
export function textOf(field: Field, value: number): string {
  if (field.kind === 'number') return measure(field, value)
  if (field.kind === 'toggle') return value === 0 ? 'No' : 'Yes'
  if (field.kind === 'select') {
    const known = [...field.options, ...(field.alsoRead ?? [])]
    return known.find((option) => option.value === value)?.text ?? String(value)
  }
  const texts = field.options.filter((option) => value & option.value).map(({ text }) => text)
  return texts.length > 0 ? texts.join(', ') : 'None'
}

/** All values of a choice, with their texts; for bits every combination of them. */
export function choicesOf(field: Exclude<Field, NumberField>): readonly Option[] {
  if (field.kind === 'select') return field.options
  const count = field.kind === 'toggle' ? 2 : 1 << field.options.length
  return Array.from({ length: count }, (_, value) => ({ value, text: textOf(field, value) }))
}

/** A value of a number field with its unit. */
export function measure(field: Field, value: number): string {
  return field.kind === 'number' && field.unit !== '' ? `${value} ${field.unit}` : String(value)
}

/** What a number may be: `0 to 63.75 s in steps of 0.25 s`. */
export function rangeOf(field: NumberField): string {
  const range = `${field.min} to ${measure(field, field.max)}`
  return field.step === 1 ? range : `${range} in steps of ${measure(field, field.step)}`
}
