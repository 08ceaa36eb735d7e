import { Autocomplete, Checkbox, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { ActionButton } from '../../ui/action-button.tsx'
import { dayNames } from './channels/channel-words.ts'
import { commonKeys } from './rule-words.ts'

/** One condition, as it is typed. */
export interface TypedCondition {
  /** The name of a measurement, or a quantity of the list. */
  what: string
  is: 'above' | 'below' | 'equal' | 'not_equal'
  value: string
}

export interface ConditionValues {
  match: 'all' | 'any'
  rows: TypedCondition[]
  isScheduled: boolean
  days: string[]
  from: string
  to: string
}

/** What may be named in place of a measurement, whatever a sensor calls it. */
const quantities = [
  'air.temperature',
  'air.relativeHumidity',
  'air.pressure',
  'air.co2',
  'air.lightIntensity',
]

const comparisons = [
  { value: 'above', label: 'is above' },
  { value: 'below', label: 'is below' },
  { value: 'equal', label: 'is' },
  { value: 'not_equal', label: 'is not' },
]

const blankRow: TypedCondition = { what: '', is: 'above', value: '' }
const mostRows = 5

interface ConditionFieldsProps {
  values: ConditionValues
  onChange: (change: Partial<ConditionValues>) => void
  errorOf: (field: string) => string | undefined
}

/** Up to five conditions on the values of a message, and the hours outside of which they count. */
export function ConditionFields({ values, onChange, errorOf }: ConditionFieldsProps) {
  const { match, rows } = values
  const change = (at: number, row: Partial<TypedCondition>) =>
    onChange({ rows: rows.map((known, place) => (place === at ? { ...known, ...row } : known)) })
  return (
    <>
      {rows.length > 1 && (
        <Select
          label="When"
          allowDeselect={false}
          data={[
            { value: 'all', label: 'All conditions are met' },
            { value: 'any', label: 'One of the conditions is met' },
          ]}
          value={match}
          onChange={(value) => onChange({ match: value as ConditionValues['match'] })}
        />
      )}
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no name of its own
        <Stack key={at} gap="xs">
          <ConditionRow
            row={row}
            number={at + 1}
            errorOf={(field) => errorOf(`settings.conditions.${at}.${field}`)}
            onChange={(next) => change(at, next)}
          />
          {rows.length > 1 && (
            <ActionButton
              size="compact-sm"
              variant="default"
              onClick={() => onChange({ rows: rows.filter((_, place) => place !== at) })}
            >
              Remove condition {at + 1}
            </ActionButton>
          )}
        </Stack>
      ))}
      {rows.length < mostRows && (
        <Group>
          <ActionButton
            size="compact-sm"
            variant="default"
            onClick={() => onChange({ rows: [...rows, blankRow] })}
          >
            Add a condition
          </ActionButton>
        </Group>
      )}
      <Hours values={values} onChange={onChange} errorOf={errorOf} />
    </>
  )
}

interface ConditionRowProps {
  row: TypedCondition
  number: number
  errorOf: (field: string) => string | undefined
  onChange: (change: Partial<TypedCondition>) => void
}

function ConditionRow({ row, number, errorOf, onChange }: ConditionRowProps) {
  return (
    <>
      <Autocomplete
        label={`Measurement ${number}`}
        description="Such as temperature or state; air.temperature is that of any sensor."
        required
        data={[...Object.keys(commonKeys), ...quantities]}
        value={row.what}
        error={errorOf('measurement') ?? errorOf('quantity')}
        onChange={(what) => onChange({ what })}
      />
      <Group grow align="start">
        <Select
          aria-label={`Comparison ${number}`}
          allowDeselect={false}
          data={comparisons}
          value={row.is}
          error={errorOf('is')}
          onChange={(value) => onChange({ is: value as TypedCondition['is'] })}
        />
        <TextInput
          aria-label={`Value ${number}`}
          required
          value={row.value}
          error={errorOf('value')}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
      </Group>
    </>
  )
}

function Hours({ values, onChange, errorOf }: ConditionFieldsProps) {
  return (
    <>
      <Switch
        label="Only outside of these hours"
        checked={values.isScheduled}
        onChange={(event) => onChange({ isScheduled: event.currentTarget.checked })}
      />
      {values.isScheduled && (
        <>
          <Checkbox.Group
            label="Days"
            value={values.days}
            error={errorOf('settings.outside.days')}
            onChange={(days) => onChange({ days })}
          >
            <Group gap="sm" mt="xs">
              {dayNames.map((name, at) => (
                <Checkbox key={name} value={String(at + 1)} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
          <Group grow align="start">
            <TextInput
              label="From"
              type="time"
              required
              value={values.from}
              error={errorOf('settings.outside.from')}
              onChange={(event) => onChange({ from: event.currentTarget.value })}
            />
            <TextInput
              label="To"
              type="time"
              required
              value={values.to}
              error={errorOf('settings.outside.to')}
              onChange={(event) => onChange({ to: event.currentTarget.value })}
            />
          </Group>
        </>
      )}
    </>
  )
}

interface StoredConditions {
  match?: unknown
  conditions?: {
    measurement: string | null
    quantity: string | null
    is: TypedCondition['is']
    value: unknown
  }[]
  outside?: { days: number[]; from: string; to: string } | null
}

/** The values of the form, from the settings of a rule. */
export function conditionsOf(settings: StoredConditions | undefined): ConditionValues {
  const { match, conditions, outside } = settings ?? {}
  return {
    match: match === 'any' ? 'any' : 'all',
    rows: conditions?.map(({ measurement, quantity, is, value }) => ({
      what: measurement ?? quantity ?? '',
      is,
      value: String(value),
    })) ?? [blankRow],
    isScheduled: Boolean(outside),
    days: (outside?.days ?? [1, 2, 3, 4, 5]).map(String),
    from: outside?.from ?? '07:00',
    to: outside?.to ?? '18:00',
  }
}

/** The settings, from the values of the form. */
export function settingsOfConditions({ match, rows, ...hours }: ConditionValues) {
  const { isScheduled, days, from, to } = hours
  return {
    match,
    conditions: rows.map(({ what, is, value }) => ({
      ...(quantities.includes(what)
        ? { quantity: what, measurement: null }
        : { measurement: what, quantity: null }),
      is,
      value: plainOf(value.trim()),
    })),
    outside: isScheduled ? { days: days.map(Number), from, to } : null,
  }
}

/** A number, true or false where it is one. */
function plainOf(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** "state is open and temperature is above 8", for the list of rules. */
export function conditionWords(settings: StoredConditions): string {
  const { match, rows, isScheduled, days, from, to } = conditionsOf(settings)
  const words = rows.map(({ what, is, value }) => {
    const compared = comparisons.find((one) => one.value === is)?.label
    return `${what} ${compared} ${value}`
  })
  const hours = isScheduled
    ? `, outside of ${days.map((day) => dayNames[Number(day) - 1]).join(' ')} ${from} to ${to}`
    : ''
  return words.join(match === 'all' ? ' and ' : ' or ') + hours
}
