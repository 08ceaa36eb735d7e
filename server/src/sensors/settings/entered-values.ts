import { type Field, measure, type NumberField, type Problem, type Section } from './section.ts'
import { countOf, isApplicable } from './section-codec.ts'

/** Entered values by the id of the field as text. Empty text, null and undefined are empty fields. */
export type EnteredValues = Readonly<Record<string, unknown>>

type Parsed = { value: number | undefined } | { message: string }

/** Reads the values of a section and fills in its defaults, or gives all problems with them. */
export function readEntered(
  section: Section,
  entered: EnteredValues,
): { chosen: Record<string, number | undefined> } | { problems: Problem[] } {
  const problems: Problem[] = []
  const given: Record<string, number | undefined> = {}
  for (const field of section.fields) {
    const parsed = parse(field, entered[String(field.id)])
    if ('message' in parsed) problems.push({ field: String(field.id), message: parsed.message })
    else given[field.key] = parsed.value
  }
  if (problems.length > 0) return { problems }
  const chosen = withDefaults(section, given)
  const together = [...inapplicable(section, given, chosen), ...disorder(section, chosen)]
  for (const { key, message } of section.check?.(chosen) ?? []) together.push({ key, message })
  if (together.length === 0) return { chosen }
  return { problems: together.map(({ key, message }) => ({ field: idOf(section, key), message })) }
}

interface KeyedProblem {
  key: string
  message: string
}

function withDefaults(section: Section, given: Record<string, number | undefined>) {
  const filled = Object.fromEntries(
    section.fields.map((field) => [field.key, given[field.key] ?? field.default]),
  )
  return { ...(section.complete?.(filled) ?? filled) }
}

/** Refuses values of fields that do not count in this mode, since they would be lost; defaults pass. */
function inapplicable(
  section: Section,
  given: Record<string, number | undefined>,
  chosen: Record<string, number | undefined>,
): KeyedProblem[] {
  return section.fields
    .filter((field) => given[field.key] !== undefined && given[field.key] !== field.default)
    .filter((field) => !isApplicable(field, chosen))
    .map((field) => ({ key: field.key, message: `${field.label} ${conditionOf(section, field)}.` }))
}

function conditionOf(section: Section, { onlyWhen }: Field): string {
  const other = section.fields.find((field) => field.key === onlyWhen?.key)
  if (!onlyWhen || other?.kind !== 'select') return 'can not be set here'
  const texts = other.options
    .filter(({ value }) => onlyWhen.values.includes(value))
    .map(({ text }) => `"${text}"`)
  return `must be left empty unless "${other.label}" is ${texts.join(' or ')}`
}

function disorder(section: Section, chosen: Record<string, number | undefined>): KeyedProblem[] {
  const problems: KeyedProblem[] = []
  for (const [lowerKey, upperKey] of section.ordered ?? []) {
    const lower = section.fields.find(({ key }) => key === lowerKey)
    const upper = section.fields.find(({ key }) => key === upperKey)
    if (!lower || !upper || !isApplicable(lower, chosen)) continue
    const limit = Number(chosen[upperKey])
    if (Number(chosen[lowerKey]) < limit) continue
    const message = `${lower.label} must be below ${lowerCase(upper.label)}, which is ${measure(upper, limit)}.`
    problems.push({ key: lowerKey, message })
  }
  return problems
}

function parse(field: Field, entered: unknown): Parsed {
  if (entered === undefined || entered === null) return { value: undefined }
  if (typeof entered === 'string' && entered.trim() === '') return { value: undefined }
  const value = toNumber(entered)
  if (value === undefined) return { message: `${field.label} must be a number.` }
  const message = field.kind === 'number' ? refuseNumber(field, value) : refuseChoice(field, value)
  // Minus zero becomes zero: some comparisons tell them apart.
  return message === undefined ? { value: value === 0 ? 0 : value } : { message }
}

function toNumber(entered: unknown): number | undefined {
  if (typeof entered === 'number') return Number.isFinite(entered) ? entered : undefined
  // `Number` alone would accept 0x10 and 1e3, which are typing errors in a form.
  if (typeof entered !== 'string' || !/^[+-]?\d+(\.\d+)?$/.test(entered.trim())) return undefined
  return Number(entered)
}

function refuseNumber(field: NumberField, value: number): string | undefined {
  const { label, min, max, scale, step } = field
  if (value < min || value > max) {
    return `${label} must be between ${min} and ${measure(field, max)}.`
  }
  if (countOf(field, value) / scale === value) return undefined
  if (scale === 1) return `${label} must be a whole number.`
  const below = Math.floor(value * scale) / scale
  const above = Math.ceil(value * scale) / scale
  return `${label} must be in steps of ${measure(field, step)}; the nearest are ${below} and ${above}.`
}

function refuseChoice(field: Exclude<Field, NumberField>, value: number): string | undefined {
  if (field.kind === 'toggle') {
    return value === 0 || value === 1 ? undefined : `${field.label} must be 0 or 1.`
  }
  if (field.kind === 'bits') {
    const all = field.options.reduce((sum, option) => sum + option.value, 0)
    const isSum = Number.isInteger(value) && value >= 0 && value <= all
    return isSum ? undefined : `${field.label} must be a whole number between 0 and ${all}.`
  }
  const isOffered = field.options.some((option) => option.value === value)
  return isOffered ? undefined : `${field.label} must be one of the values offered.`
}

function lowerCase(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1)
}

function idOf(section: Section, key: string): string {
  return String(section.fields.find((field) => field.key === key)?.id ?? key)
}
