import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sealContext } from '../../../db/secret-keys.ts'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { createLimitPerKey } from '../../../http/concurrency-limit.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { conflict, forbidden, invalid, tooManyRequests } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { combineFormats } from '../../../lora/formats.ts'
import { sayIn } from '../../../texts/texts.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { changeFields, channelFields, readChannel } from './channel-body.ts'
import * as channelQueries from './channel-queries.ts'
import {
  channelAnswer,
  channelNotFound,
  channelPath,
  channelRecord,
  toChannelRecord,
} from './channel-record.ts'
import { deliverMessage, openSettings } from './deliver-message.ts'
import type { DeliveryServices } from './delivery.ts'

export interface ChannelServices
  extends CoreServices,
    Omit<DeliveryServices, 'sealer' | 'now' | 'db' | 'publicUrl'> {}

/** Of a member, an organization and a tenant. */
const most = { user: 20, organization: 100, tenant: 1000 }

/** The channels of others are for those who manage the account. */
function ownerOf({ userId, permissions }: Caller): number | undefined {
  return permissions.includes('manage_account') ? undefined : userId
}

async function findOwn({ db }: Pick<CoreServices, 'db'>, caller: Caller, id: number) {
  const found = await channelQueries.find(db, caller.organizationId, id, ownerOf(caller))
  if (!found) throw channelNotFound()
  return found
}

export const listAlertChannels = endpoint({
  summary: 'How you are told of alerts; with `manage_account`, how all members are',
  answer: z.object({
    data: z.array(channelRecord),
    ...withExamples(
      { can_mail: z.boolean().describe('Whether the service has a mail server (`SMTP_URL`).') },
      { can_mail: true },
    ),
  }),
  async handle({ caller }, { db, sealer, mail }: ChannelServices) {
    const channels = await channelQueries.list(db, caller.organizationId, ownerOf(caller))
    const data = channels.map((channel) => toChannelRecord(sealer, channel))
    return { data, can_mail: mail !== undefined }
  },
})

export const createAlertChannel = endpoint({
  summary: 'Be told of alerts by another way',
  description: `It tells of the alerts of all rules, whoever their mails go to. The kinds, with their \`settings\`:

- \`mail\`: none; to the address of the member.
- \`push\`: none; to the browsers of the member (\`POST /push-subscriptions\`).
- \`slack\`: \`url\` of an incoming webhook.
- \`teams\`: \`url\` of a workflow that posts a card.
- \`telegram\`: \`token\` of a bot, \`chat_id\`, \`server\` (https://api.telegram.org).
- \`pagerduty\`: \`routing_key\` of an integration of the Events API v2, \`server\`
  (https://events.pagerduty.com). One incident, which ends when none of its alerts is open.
- \`ntfy\`: \`topic\`, \`server\` (https://ntfy.sh), \`token\`.
- \`sms\`: \`url\` of a gateway, \`to\`, \`body\` with \`{{to}}\` and \`{{text}}\`, \`format\` (\`json\`, \`form\`),
  \`authorization\`.

What happens within ten seconds is one message, and the next one comes two minutes later at the earliest.
A member has up to ${most.user} channels, an organization ${most.organization}. A channel ends with the membership.`,
  body: z.object(channelFields),
  status: 201,
  answer: channelAnswer,
  failures: [403, 409],
  change: creationOf('alert_channel'),
  async handle({ body, caller, record }, services: ChannelServices) {
    const { db, sealer, now } = services
    const { organizationId, tenantId } = caller
    const userId = body.member ?? caller.userId
    if (userId !== caller.userId && ownerOf(caller) !== undefined) {
      throw forbidden('Channels of other members need the permission manage_account.')
    }
    const { kind } = body
    const { values, settings } = await readChannel(services, organizationId, { kind, body })
    const channel = await db.transaction(async (tx) => {
      const counts = await channelQueries.countLocked(tx, { organizationId, tenantId, userId })
      for (const share of ['user', 'organization', 'tenant'] as const) {
        if (counts[share] < most[share]) continue
        const owner = share === 'user' ? 'member' : share
        throw conflict(`The ${owner} has ${most[share]} alert channels already.`)
      }
      if (!(await channelQueries.isMember(tx, organizationId, userId))) {
        throw invalid({ member: ['The member must not be limited to a group.'] })
      }
      const id = await channelQueries.allotId(tx)
      const sealed = sealer.seal(JSON.stringify(settings), sealContext('alertChannel', id))
      const created = { ...values, id, userId, kind, sealed, now: now() }
      await channelQueries.insert(tx, organizationId, created)
      await record(tx, { data: { id } })
      return channelQueries.find(tx, organizationId, id)
    })
    if (!channel) throw channelNotFound()
    return { data: toChannelRecord(sealer, channel) }
  },
})

export const changeAlertChannel = endpoint({
  summary: 'Change an alert channel; what is left out stays',
  description: 'Its kind and its member cannot change. What happened while it was off is not told.',
  params: channelPath,
  body: z.object(changeFields),
  answer: channelAnswer,
  failures: [404],
  change: changeOf('alert_channel', 'changed'),
  async handle({ params, body, caller, record }, services: ChannelServices) {
    const { db, sealer, now } = services
    const { organizationId } = caller
    const found = await findOwn(services, caller, params.channel_id)
    const { id, kind } = found
    const stored = { values: found, settings: openSettings(sealer, found) }
    const merged = await readChannel(services, organizationId, { kind, body, stored })
    const sealed = sealer.seal(JSON.stringify(merged.settings), sealContext('alertChannel', id))
    const channel = await db.transaction(async (tx) => {
      const changed = { ...merged.values, id, sealed, now: now() }
      await channelQueries.update(tx, organizationId, changed)
      await record(tx)
      return channelQueries.find(tx, organizationId, id)
    })
    if (!channel) throw channelNotFound()
    return { data: toChannelRecord(sealer, channel) }
  },
})

export const deleteAlertChannel = endpoint({
  summary: 'Delete an alert channel, with what it has still to send',
  params: channelPath,
  status: 204,
  failures: [404],
  change: changeOf('alert_channel', 'deleted'),
  async handle({ params, caller, record }, services: ChannelServices) {
    const { id } = await findOwn(services, caller, params.channel_id)
    await services.db.transaction(async (tx) => {
      await channelQueries.remove(tx, caller.organizationId, id)
      await record(tx)
    })
  },
})

/** Receivers may take their time, and other requests of the organization go on meanwhile. */
const refuse = () => tooManyRequests(10)
const ofOrganizations = createLimitPerKey({ atOnce: 2, waiting: 0, refuse })
const ofTenants = createLimitPerKey({ atOnce: 8, waiting: 0, refuse })

export const testAlertChannel = endpoint({
  summary: 'Send a test message now, and return how it went',
  params: channelPath,
  answer: z.object({
    data: z.object(
      withExamples(
        {
          delivered: z.boolean(),
          failure: z.string().nullable().describe('Why it did not arrive.'),
        },
        { delivered: true, failure: null },
      ),
    ),
  }),
  failures: [404, 429],
  change: 'untold',
  async handle({ params, caller }, services: ChannelServices) {
    const { db, now, publicUrl } = services
    const { organizationId, tenantId } = caller
    const channel = await findOwn(services, caller, params.channel_id)
    const { organization_name, name, id, own_formats, formats } = channel
    const say = sayIn(combineFormats(own_formats, formats))
    const notice = {
      title: `[${organization_name}] ${say('Test of {name}', { name })}`,
      text: say('Alerts arrive here. This is a test: nothing is wrong.'),
      url: `${publicUrl}/alerts`,
      severity: 'info',
      // An incident of its own, which is over at once.
      isOpen: true,
      channelKey: `lora-${organizationId}-${id}-test`,
      key: randomUUID(),
    } as const
    const send = async () => {
      const sent = await deliverMessage(services, channel, notice)
      if (channel.kind !== 'pagerduty' || !sent.isDelivered) return sent
      return deliverMessage(services, channel, { ...notice, isOpen: false })
    }
    const { isDelivered, failure } = await ofOrganizations.run(organizationId, () =>
      ofTenants.run(tenantId, send),
    )
    await channelQueries.noteResult(db, organizationId, id, { now: now(), failure })
    return { data: { delivered: isDelivered, failure: failure ?? null } }
  },
})
