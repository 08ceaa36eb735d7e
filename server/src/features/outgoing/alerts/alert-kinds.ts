import { z } from 'zod'
import {
  leastMinutes,
  missedUplinks,
  mostMinutes,
} from '../../fleet/gateways/gateway-verdict-queries.ts'
import { leastSilence, missedIntervals } from '../../fleet/inventory/rhythm-queries.ts'
import { usualWindowHours } from '../../people/organizations/organization-queries.ts'
import {
  type ConditionSettings,
  conditionSettings,
  findConditionFault,
  integer,
  minutesOfMonth,
} from './condition-settings.ts'

/** What a rule can look for. */
export const alertKinds = [
  'device_silent',
  'gateway_silent',
  'gateway_uptime',
  'low_battery',
  'tamper',
  'threshold',
  'condition',
  'registration_error',
] as const

export type AlertKind = (typeof alertKinds)[number]

/** Kinds that are only about gateways. */
export const gatewayKinds: readonly AlertKind[] = ['gateway_silent', 'gateway_uptime']

/** Kinds that look at each uplink. All others look at the states of things, once a minute. */
export const readingKinds = ['low_battery', 'tamper', 'threshold', 'condition'] as const

/** States that people see; `pending` and `dismissed` are known only to the database. */
export const alertStates = ['open', 'closed'] as const

/** How bad it is, the least first. */
export const severities = ['info', 'warning', 'critical'] as const

export type Severity = (typeof severities)[number]

export const usualSeverity: Record<AlertKind, Severity> = {
  device_silent: 'warning',
  gateway_silent: 'critical',
  gateway_uptime: 'warning',
  low_battery: 'warning',
  tamper: 'critical',
  threshold: 'critical',
  condition: 'critical',
  registration_error: 'warning',
}

export type AlertState = (typeof alertStates)[number]

function measure(label: string) {
  const error = `The ${label} must be a number, or null.`
  return z.number({ error }).min(-1e15, error).max(1e15, error).nullable().default(null)
}

const nothing = z.strictObject({})

/** How long something that sends at its own pace may be silent. */
function silence<Most extends z.ZodType>(usual: { missed: number; least: number }, most: Most) {
  return z.strictObject({
    missed: integer('missed', { min: 2, max: 100, usual: usual.missed }).describe(
      'So many of its usual intervals without a message are silence.',
    ),
    at_least_minutes: integer('at_least_minutes', {
      min: 5,
      max: minutesOfMonth,
      usual: usual.least,
    }).describe('No shorter silence counts, however often it sends.'),
    at_most_minutes: most,
  })
}

const longest = (usual: number) =>
  integer('at_most_minutes', { min: 5, max: minutesOfMonth, usual })

const key = z
  .string({ error: 'The key field is required.' })
  .regex(/^[\p{L}\p{N}_.-]{1,100}$/u, 'The key must be the name of a number of decoded_object.')

/** The settings of each kind of rule. */
export const settingsOf = {
  device_silent: silence(
    { missed: missedIntervals, least: leastSilence / 60 },
    longest(usualWindowHours * 60)
      .nullable()
      .default(null)
      .describe(
        "A longer silence always counts. With null, as for the verdict: its own interval decides, and the organization's window where that is not known.",
      ),
  ),
  gateway_silent: silence(
    { missed: missedUplinks, least: leastMinutes },
    longest(mostMinutes).describe('A longer silence always counts.'),
  ),
  gateway_uptime: z.strictObject({
    percent: z
      .number({ error: 'The percent must be a number.' })
      .min(1, 'The percent must be from 1 to 100.')
      .max(100, 'The percent must be from 1 to 100.')
      .default(99)
      .describe('Its uptime is below it.'),
    days: integer('days', { min: 1, max: 365, usual: 7 }).describe('In the last so many days.'),
  }),
  low_battery: z.strictObject({
    volts: z
      .number({ error: 'The volts must be a number.' })
      .min(1, 'The volts must be from 1 to 50.')
      .max(50, 'The volts must be from 1 to 50.')
      .default(2.8)
      .describe('At this voltage or below it.'),
    percent: integer('percent', { min: 1, max: 100, usual: 15 }).describe(
      'At this level or below it, of a battery that is reported in percent.',
    ),
    days: integer('days', { min: 0, max: 730, usual: 60 }).describe(
      'Or when its trend says that it is empty within so many days.',
    ),
  }),
  tamper: nothing,
  threshold: z.strictObject({
    key: key.describe('The name of a number in `decoded_object`.'),
    above: measure('above'),
    below: measure('below'),
    margin: z
      .number({ error: 'The margin must be a number.' })
      .min(0, 'The margin may not be negative.')
      .max(1e15, 'The margin is too large.')
      .default(0)
      .describe('It is over when the value is back by so much.'),
    minutes: integer('minutes', { min: 0, max: minutesOfMonth, usual: 0 }).describe(
      'Only when it lasts so long.',
    ),
  }),
  condition: conditionSettings,
  registration_error: nothing,
} as const satisfies Record<AlertKind, z.ZodType>

export type SettingsOf<K extends AlertKind> = z.infer<(typeof settingsOf)[K]>

export type AnySettings = { [K in AlertKind]: SettingsOf<K> }[AlertKind]

export type SilenceSettings = SettingsOf<'device_silent'>

/** What is wrong with settings beyond their single fields, by field. */
export function findFault(kind: AlertKind, settings: AnySettings): [string, string] | undefined {
  if (
    'missed' in settings &&
    settings.at_most_minutes !== null &&
    settings.at_least_minutes > settings.at_most_minutes
  ) {
    return ['at_least_minutes', 'The at_least_minutes may not be above the at_most_minutes.']
  }
  if (kind === 'condition') return findConditionFault(settings as ConditionSettings)
  if (kind !== 'threshold' || !('above' in settings)) return undefined
  const { above, below, margin } = settings
  if (above === null && below === null) return ['above', 'Set above, below, or both.']
  if (above !== null && below !== null && above - margin < below + margin) {
    return ['margin', 'Between below and above must be room for the margin, twice.']
  }
  return undefined
}
