import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { baseOf, labelOf, type Measurement } from '../../../sensors/measurement.ts'
import { findMeasurement } from '../../../sensors/measurements.ts'
import { withUnit } from '../../../sensors/shown-reading.ts'
import { alertKinds, alertStates, severities } from './alert-kinds.ts'
import type { ListedAlert } from './alert-queries.ts'

const person = z.object(
  withExamples({ id: z.int(), name: z.string() }, { id: 1, name: 'Bo Summer' }),
)

const group = z.object(withExamples({ id: z.int(), name: z.string() }, { id: 7, name: 'Roof' }))

const subject = z.object(
  withExamples(
    { id: z.int(), eui: z.string(), name: z.string() },
    { id: 101, eui: '00AA000000000001', name: 'Front door' },
  ),
)

const action = z.object(
  withExamples(
    {
      type: z.enum(['downlink', 'webhook']),
      at: z.enum(['open', 'close']),
      state: z
        .enum(['done', 'limited', 'failed'])
        .describe('`limited`: the rule had done as much as it may within an hour.'),
      message: z.string().nullable().describe('Why it failed.'),
      downlink_id: z.int().nullable(),
      created_at: z.string(),
    },
    {
      ...({ type: 'downlink', at: 'open', state: 'done', message: null } as const),
      ...{ downlink_id: 107, created_at: '2026-03-01T11:00:31.000000Z' },
    },
  ),
)

const fields = withExamples(
  {
    id: z.int(),
    rule_id: z.int(),
    rule_name: z.string(),
    kind: z.enum(alertKinds),
    severity: z.enum(severities).describe('Of its rule.'),
    state: z.enum(alertStates),
    began_at: z
      .string()
      .describe('When it began: the last message of what is silent, the first reading beyond.'),
    opened_at: z.string().describe('When it was noticed.'),
    closed_at: z.string().nullable(),
    ended: z
      .enum(['back', 'rule_off', 'out_of_scope', 'member'])
      .nullable()
      .describe(
        'Why it is closed: the state is back, the rule no longer looks, or a member closed it.',
      ),
    key: z.string().nullable().describe('The measurement of a threshold.'),
    label: z.string().nullable().describe('Its name for people.'),
    unit: z.string().nullable().describe('Of the measurement, where it is known.'),
    value_text: z.string().nullable().describe('The value with its unit, as a reading shows it.'),
    value: z.number().nullable().describe('The reading, in the unit of the measurement or in V.'),
    bound: z.number().nullable().describe('What was crossed; seconds for silence.'),
    message: z
      .string()
      .nullable()
      .describe('Why, where more is known: the message of the network about a registration.'),
    empty_at: z.string().nullable().describe('When the battery is empty by its trend.'),
    is_told: z.boolean().describe('Whether mails and webhooks were sent; false while it is muted.'),
    acknowledged_at: z.string().nullable(),
    snoozed_until: z
      .string()
      .nullable()
      .describe('Members are told of it again then, if it is still open.'),
    note: z.string().nullable().describe('The last one.'),
  },
  {
    id: 17,
    rule_id: 4,
    rule_name: 'Silent sensors',
    kind: 'device_silent',
    severity: 'warning',
    state: 'open',
    began_at: '2026-03-01T08:00:00.000000Z',
    opened_at: '2026-03-01T11:00:31.000000Z',
    closed_at: null,
    ended: null,
    key: null,
    label: null,
    unit: null,
    value_text: null,
    value: null,
    bound: 10_800,
    message: null,
    empty_at: null,
    is_told: true,
    acknowledged_at: null,
    snoozed_until: null,
    note: null,
  },
)

export const alertRecord = z
  .object({
    ...fields,
    device: subject.nullable(),
    gateway: subject.nullable(),
    cause: subject
      .nullable()
      .describe('The silent gateway that was the only one to hear the device.'),
    acknowledged_by: person.nullable(),
    assigned_to: person.nullable().describe('Who looks after it.'),
    closed_by: person.nullable().describe('Who closed it before its cause ended.'),
    notes: z
      .array(
        z.object({
          ...withExamples(
            { text: z.string(), at: z.string() },
            { text: 'On my way.', at: '2026-03-01T11:20:00.000000Z' },
          ),
          by: person,
        }),
      )
      .describe('Of members, the oldest first.'),
    groups: z.array(group).describe('The groups that the device is in.'),
    actions: z.array(action).describe('What its rule has done about it.'),
  })
  .meta({ id: 'Alert' })

export const alertAnswer = z.object({ data: alertRecord })

export const alertPath = z.object({ alert_id: pathId('17') })

type Ended = z.infer<typeof alertRecord>['ended']

/** What its value is; undefined for an alert without one. */
export function measurementOf({
  kind,
  device_type_id,
  details,
}: Pick<ListedAlert, 'kind' | 'device_type_id' | 'details'>):
  | Pick<Measurement, 'label' | 'unit' | 'decimals'>
  | undefined {
  const { key, label, unit } = details
  if (kind === 'low_battery') return { label: 'Battery', unit: unit ?? 'V' }
  if (kind === 'gateway_uptime') {
    return { label: `Uptime of ${details.days} days`, unit: '%' }
  }
  if (key === undefined) return undefined
  const isBuiltIn = device_type_id !== null && findDeviceType(device_type_id) !== undefined
  const declared = isBuiltIn ? findMeasurement(device_type_id, key) : undefined
  if (!declared) return { label: label ?? labelOf(key), unit }
  const { unit: base, decimals } = baseOf(declared)
  return { label: declared.label, unit: base, decimals }
}

export function toAlertRecord(alert: ListedAlert): z.infer<typeof alertRecord> {
  const { details } = alert
  const measured = measurementOf(alert)
  const ended: Ended = details.ended ?? 'back'
  return {
    id: alert.id,
    rule_id: alert.rule_id,
    rule_name: alert.rule_name,
    kind: alert.kind,
    severity: alert.severity,
    state: alert.state,
    began_at: isoTime(alert.began_at),
    opened_at: isoTime(alert.opened_at),
    closed_at: timeOrNull(alert.closed_at),
    ended: alert.state === 'closed' ? ended : null,
    key: details.key ?? null,
    label: measured?.label ?? null,
    unit: measured?.unit ?? null,
    value_text:
      alert.value === null || !measured ? null : withUnit(alert.value, { unit: measured.unit }),
    value: alert.value,
    bound: alert.bound,
    message: details.message ?? null,
    empty_at: details.empty_at ?? null,
    is_told: alert.told_at !== null,
    acknowledged_at: timeOrNull(alert.acknowledged_at),
    snoozed_until: alert.state === 'open' ? timeOrNull(alert.snoozed_until) : null,
    note: alert.notes.at(-1)?.text ?? null,
    device: toSubject(alert.device_id, alert.device_eui, alert.device_name),
    gateway: toSubject(alert.gateway_id, alert.gateway_eui, alert.gateway_name),
    cause: toSubject(alert.cause_gateway_id, alert.cause_eui, alert.cause_name),
    acknowledged_by: toPerson(alert.acknowledged_by, alert.acknowledged_name),
    assigned_to: toPerson(alert.assigned_to, alert.assigned_name),
    closed_by: toPerson(alert.closed_by, alert.closed_name),
    notes: alert.notes.map(({ text, at, by, name }) => ({
      ...{ text, at },
      by: { id: by, name: name ?? '' },
    })),
    groups: alert.groups,
    actions: alert.actions,
  }
}

function toPerson(id: number | null, name: string | null) {
  return id === null ? null : { id, name: name ?? '' }
}

function toSubject(id: number | null, eui: string | null, name: string | null) {
  return id === null ? null : { id, eui: eui ?? '', name: name ?? '' }
}

export function timeOrNull(moment: Moment | null): string | null {
  return moment === null ? null : isoTime(moment)
}

export function alertNotFound(): HttpError {
  return notFound('Alert not found')
}
