import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { alertKinds, severities } from './alert-kinds.ts'
import { timeOrNull } from './alert-record.ts'
import type { ListedRule } from './rule-queries.ts'

export const ruleRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        kind: z.enum(alertKinds),
        severity: z.enum(severities),
        settings: z.record(z.string(), z.unknown()).describe('Depends on the kind.'),
        device: z.int().nullable().describe('Only this device.'),
        group: z.int().nullable().describe('Devices in this group and in the groups below it.'),
        type: z.int().nullable().describe('Devices of this device type.'),
        network: z.string().nullable().describe('Devices or gateways at this network.'),
        tag: z.string().nullable().describe('Devices or gateways with this tag.'),
        recipients: z.array(z.int()).describe('The ids of members who get mails.'),
        tells_back: z.boolean().describe('A mail is also sent when it is over.'),
        is_active: z.boolean(),
        actions: z.array(z.record(z.string(), z.unknown())).describe('As they were sent.'),
        actions_per_hour: z.int(),
        muted_until: z.string().nullable().describe('No notification is sent before.'),
        open: z.int().describe('Open alerts of the rule.'),
        created_at: z.string(),
        updated_at: z.string(),
      },
      {
        id: 4,
        name: 'Silent sensors',
        kind: 'device_silent',
        severity: 'warning',
        settings: { missed: 3, at_least_minutes: 60, at_most_minutes: null },
        device: null,
        group: null,
        type: null,
        network: null,
        tag: null,
        recipients: [1],
        tells_back: true,
        is_active: true,
        actions: [],
        actions_per_hour: 10,
        muted_until: null,
        open: 0,
        created_at: '2026-03-01T12:00:00.000000Z',
        updated_at: '2026-03-01T12:00:00.000000Z',
      },
    ),
  )
  .meta({ id: 'AlertRule' })

export const ruleAnswer = z.object({ data: ruleRecord })

export const rulePath = z.object({ rule_id: pathId('4') })

export function toRuleRecord(rule: ListedRule, now: Date): z.infer<typeof ruleRecord> {
  const { muted_until } = rule
  const isMuted = muted_until !== null && Date.parse(muted_until) > now.getTime()
  return {
    id: rule.id,
    name: rule.name,
    kind: rule.kind,
    severity: rule.severity,
    settings: rule.settings,
    device: rule.device_id,
    group: rule.group_id,
    type: rule.type_id,
    network: rule.network,
    tag: rule.tag,
    recipients: rule.recipients,
    tells_back: rule.tells_back,
    is_active: rule.is_active,
    actions: [...rule.actions],
    actions_per_hour: rule.actions_per_hour,
    muted_until: isMuted ? timeOrNull(muted_until) : null,
    open: rule.open,
    created_at: isoTime(rule.created_at),
    updated_at: isoTime(rule.updated_at),
  }
}

export function ruleNotFound(): HttpError {
  return notFound('Alert rule not found')
}
