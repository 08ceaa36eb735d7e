import { t } from '../../languages/text.ts'
import { durationWords } from '../../ui/duration-input.tsx'
import { dayNames } from './channels/channel-words.ts'

/** What a condition asks of a value, in words. */
export const comparisons = [
  { value: 'above', label: t('is above') },
  { value: 'below', label: t('is below') },
  { value: 'equal', label: t('is') },
  { value: 'not_equal', label: t('is not') },
  { value: 'rises', label: t('rises by more than') },
  { value: 'falls', label: t('falls by more than') },
  { value: 'higher', label: t('is higher than another by more than') },
  { value: 'lower', label: t('is lower than another by more than') },
  { value: 'differs', label: t('differs from another by more than') },
] as const

export type Comparison = (typeof comparisons)[number]['value']

/** One condition, as it is typed. */
export interface TypedCondition {
  /** The name of a measurement, or a quantity of the list. */
  what: string
  is: Comparison
  value: string
  /** With what it is compared, and its id. */
  than: 'device' | 'group'
  thanId: number | undefined
  within: number | ''
}

export interface ConditionValues {
  match: 'all' | 'any'
  rows: TypedCondition[]
  /** It happens too often; otherwise it lasts. */
  isOften: boolean
  times: number | ''
  timesMinutes: number | ''
  counts: 'beginnings' | 'messages'
  isScheduled: boolean
  days: string[]
  from: string
  to: string
}

/** What may be named in place of a measurement, whatever a sensor calls it. */
export const quantities = [
  'air.temperature',
  'air.relativeHumidity',
  'air.pressure',
  'air.co2',
  'air.lightIntensity',
  'action.contactState',
  'action.motion.detected',
  'water.leak',
]

export const blankRow: TypedCondition = {
  ...{ what: '', is: 'above', value: '' },
  ...{ than: 'device', thanId: undefined, within: 60 },
}

/** Whether it looks back in time, or at another device. */
export const looksBack = (is: Comparison) => is === 'rises' || is === 'falls'
export const looksElsewhere = (is: Comparison) => ['higher', 'lower', 'differs'].includes(is)

/** What people ask for, as conditions to begin with. */
export const scenarios: Record<string, { label: string; conditions: Partial<ConditionValues> }> = {
  open: {
    label: t('Open or on for too long'),
    conditions: {
      rows: [{ ...blankRow, what: 'action.contactState', is: 'equal', value: 'open' }],
    },
  },
  change: {
    label: t('A quick change'),
    conditions: { rows: [{ ...blankRow, what: 'temperature', is: 'rises', value: '5' }] },
  },
  often: {
    label: t('It happens too often'),
    conditions: {
      rows: [{ ...blankRow, what: 'action.contactState', is: 'equal', value: 'open' }],
      ...{ isOften: true, times: 20 },
    },
  },
  difference: {
    label: t('A difference from another device or a group'),
    conditions: { rows: [{ ...blankRow, what: 'temperature', is: 'differs', value: '3' }] },
  },
}

interface StoredCondition {
  measurement: string | null
  quantity: string | null
  is: Comparison
  value: unknown
  than?: { device: number | null; group: number | null } | null
  within_minutes?: number
}

export interface StoredConditions {
  match?: unknown
  conditions?: StoredCondition[]
  minutes?: number
  times?: number | null
  times_minutes?: number
  counts?: ConditionValues['counts']
  outside?: { days: number[]; from: string; to: string } | null
}

/** The values of the form, from the settings of a rule. */
export function conditionsOf(settings: StoredConditions | undefined): ConditionValues {
  const { match, conditions, outside, times, times_minutes, counts } = settings ?? {}
  return {
    match: match === 'any' ? 'any' : 'all',
    rows: conditions?.map(({ measurement, quantity, is, value, than, within_minutes }) => ({
      what: measurement ?? quantity ?? '',
      is,
      value: String(value),
      than: than?.group ? 'group' : 'device',
      thanId: than?.device ?? than?.group ?? undefined,
      within: within_minutes ?? blankRow.within,
    })) ?? [blankRow],
    isOften: typeof times === 'number',
    times: times ?? '',
    timesMinutes: times_minutes ?? 60,
    counts: counts ?? 'beginnings',
    isScheduled: Boolean(outside),
    days: (outside?.days ?? [1, 2, 3, 4, 5]).map(String),
    from: outside?.from ?? '07:00',
    to: outside?.to ?? '18:00',
  }
}

/** The settings, from the values of the form. An empty number is one that the service names. */
export function settingsOfConditions({ match, rows, ...values }: ConditionValues) {
  const { isOften, isScheduled, days, from, to } = values
  return {
    match,
    conditions: rows.map(({ what, is, value, than, thanId, within }) => ({
      ...(quantities.includes(what)
        ? { quantity: what, measurement: null }
        : { measurement: what, quantity: null }),
      is,
      value: plainOf(value.trim()),
      than:
        looksElsewhere(is) && thanId !== undefined
          ? { device: null, group: null, [than]: thanId }
          : null,
      ...(looksBack(is) || looksElsewhere(is) ? { within_minutes: within } : {}),
    })),
    ...(isOften
      ? {
          times: values.times,
          times_minutes: values.timesMinutes,
          counts: values.counts,
          minutes: 0,
        }
      : { times: null }),
    outside: isScheduled ? { days: days.map(Number), from, to } : null,
  }
}

/** A number, true or false where it is one. */
function plainOf(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** "state is open and temperature is above 8 for 10 minutes", for the list of rules. */
export function conditionWords(settings: StoredConditions): string {
  const { match, rows, isOften, isScheduled, days, from, to, ...often } = conditionsOf(settings)
  const words = rows.map(({ what, is, value, within }) => {
    const compared = comparisons.find((one) => one.value === is)?.label
    const condition = `${what} ${compared} ${value}`
    return looksBack(is)
      ? t('{condition} within {time}', { condition, time: durationWords(Number(within)) })
      : condition
  })
  let condition = words.reduce((one, other) =>
    match === 'all'
      ? t('{one} and {other}', { one, other })
      : t('{one} or {other}', { one, other }),
  )
  if (settings.minutes) {
    condition = t('{condition} for {time}', { condition, time: durationWords(settings.minutes) })
  }
  if (isOften) {
    condition = t('{condition}, more than {times} times within {time}', {
      ...{ condition, times: often.times },
      time: durationWords(Number(often.timesMinutes)),
    })
  }
  if (!isScheduled) return condition
  return t('{condition}, outside of {days} {from} to {to}', {
    ...{ condition, from, to },
    days: days.map((day) => dayNames[Number(day) - 1]).join(' '),
  })
}
