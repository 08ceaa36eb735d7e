import { z } from 'zod'
import type { Sealer } from '../../../db/seal.ts'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { timeOrNull } from '../webhooks/webhook-record.ts'
import { channelKinds, secretSettings } from './channel-kinds.ts'
import type { ListedChannel } from './channel-queries.ts'
import { openSettings } from './deliver-message.ts'

const fields = withExamples(
  {
    id: z.int(),
    name: z.string(),
    kind: z.enum(channelKinds),
    settings: z
      .record(z.string(), z.unknown())
      .describe('Without what is secret: `url` of Slack and Teams, tokens and keys.'),
    severity: z.enum(['info', 'warning', 'critical']).describe('This one and worse.'),
    group: z.int().nullable(),
    tag: z.string().nullable(),
    days: z.array(z.int()).describe('1 is Monday.'),
    from: z.string().nullable(),
    to: z.string().nullable(),
    time_zone: z.string().describe('Of the member, in which the hours are.'),
    after_minutes: z.int(),
    tells_back: z.boolean(),
    is_active: z.boolean(),
    last_sent_at: z.string().nullable(),
    last_failure_at: z.string().nullable().describe('Null after a message that arrived.'),
    last_failure: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  },
  {
    id: 5,
    name: 'My phone',
    kind: 'ntfy',
    settings: { server: 'https://ntfy.sh', topic: 'cold-store-4711' },
    severity: 'warning',
    group: null,
    tag: null,
    days: [1, 2, 3, 4, 5],
    from: '07:00',
    to: '19:00',
    time_zone: 'Europe/Berlin',
    after_minutes: 0,
    tells_back: true,
    is_active: true,
    last_sent_at: '2026-03-01T12:00:00.000000Z',
    last_failure_at: null,
    last_failure: null,
    created_at: '2026-03-01T12:00:00.000000Z',
    updated_at: '2026-03-01T12:00:00.000000Z',
  },
)

export const channelRecord = z
  .object({
    ...fields,
    member: z
      .object(withExamples({ id: z.int(), name: z.string() }, { id: 1, name: 'Bo Summer' }))
      .describe('Who is told.'),
  })
  .meta({ id: 'AlertChannel' })

export const channelAnswer = z.object({ data: channelRecord })

export const channelPath = z.object({ channel_id: pathId('5') })

export function toChannelRecord(
  sealer: Sealer,
  channel: ListedChannel,
): z.infer<typeof channelRecord> {
  const secrets = secretSettings[channel.kind]
  const settings = Object.entries(openSettings(sealer, channel))
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    settings: Object.fromEntries(settings.filter(([name]) => !secrets.includes(name))),
    severity: channel.severity,
    group: channel.group_id,
    tag: channel.tag,
    days: channel.days,
    from: channel.from_time,
    to: channel.to_time,
    time_zone: channel.time_zone,
    after_minutes: channel.after_minutes,
    tells_back: channel.tells_back,
    is_active: channel.is_active,
    last_sent_at: timeOrNull(channel.last_sent_at),
    last_failure_at: timeOrNull(channel.last_failure_at),
    last_failure: channel.last_failure,
    created_at: isoTime(channel.created_at),
    updated_at: isoTime(channel.updated_at),
    member: { id: channel.user_id, name: channel.member_name || channel.email },
  }
}

export function channelNotFound(): HttpError {
  return notFound('Alert channel not found')
}
