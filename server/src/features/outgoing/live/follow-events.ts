import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import type { Follow } from '../../../http/event-stream.ts'
import { queryChoice, queryInteger } from '../../../http/fields.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { readReference } from '../../fleet/inventory/references.ts'
import { tagFilter } from '../../fleet/inventory/tags.ts'
import { type EventKind, eventKinds } from './event-record.ts'
import type { LiveHub } from './hub.ts'

export interface LiveServices extends CoreServices {
  liveHub: LiveHub
}

const kindsField = z
  .string({ error: 'The kinds must be words with commas between them.' })
  .default(eventKinds.join(','))
  .meta({ examples: ['uplink,downlink'] })

const example = [
  'id: 1.80113.311\nevent: uplink\ndata: {"id":90210,"ordinal":80113,"did":101,"device_id":"00AA000000000001"}\n\n',
  'event: device\ndata: {"id":"101"}\n\n',
  'id: 1.80113.311\nevent: ping\ndata: {"time":"2026-03-01T12:00:00.000Z"}\n\n',
].join('')

const description = `Server-sent events. \`uplink\` has a \`FleetUplink\`; \`downlink\` an entry of a
downlink's history, with nulls when a downlink was handed over to its network; \`device\`,
\`gateway\`, \`account\`, \`job\`, \`alert\` and \`dashboard\` the \`id\` of what changed, or null when several did (an account is
named by the key of its network).

With the id of the last event in \`Last-Event-ID\`, every uplink since is sent first: in order, none
twice, none left out. Downlinks of the last minute may come twice, with the same \`id\`. The other
kinds are not repeated. \`reset\` tells that too much was missed (more than 10,000 uplinks) or that the
id is unknown here: read the lists again. A \`ping\` comes at the beginning and every 15 seconds.

Whoever is limited to a group or a tag hears of the uplinks and downlinks of only its devices. The stream ends
with the login or the membership, and when the limit of either changes. A reader that is too slow is cut off, and resumes
in the same way.`

export const followEvents = endpoint({
  summary: 'Uplinks, downlinks and changes as they happen',
  description,
  query: z.object({
    kinds: kindsField,
    device: z.string().optional().meta({ description: 'DevEUI or id.' }),
    group: queryInteger('group', { min: 1, fallback: 0 }),
    network: z.string().max(255).optional().meta({ description: 'The key of a network.' }),
    tag: tagFilter,
    type: queryInteger('type', { min: 1, fallback: 0 }),
    follow: queryChoice('follow', ['yes', 'no'])
      .default('yes')
      .meta({ description: '`no` ends the stream when everything missed is sent.' }),
  }),
  examples: [{ name: 'what was missed', query: { follow: 'no' } }],
  produces: { type: 'text/event-stream; charset=utf-8', example },
  async handle({ query, caller, request }, { liveHub, log }: LiveServices): Promise<Follow> {
    const { organizationId } = caller
    const filter = {
      kinds: readKinds(query.kinds),
      tellsChanges: caller.groupId === undefined && caller.tag === undefined,
      device: query.device === undefined ? undefined : readReference(query.device),
      group: query.group || undefined,
      network: query.network,
      tag: query.tag,
      type: query.type || undefined,
    }
    const lastId = [request.headers['last-event-id']].flat()[0]
    return (stream) => {
      liveHub
        .join({ organizationId, filter, stream }, lastId)
        .then(() => query.follow === 'no' && stream.end())
        .catch((err) => {
          log.warn({ err }, 'a live stream could not begin')
          stream.end()
        })
    }
  },
})

/** @throws HttpError 422 for an unknown kind. */
function readKinds(text: string): Set<EventKind> {
  const words = text.split(',')
  const known = eventKinds.filter((kind) => words.includes(kind))
  if (known.length < new Set(words).size) {
    throw invalid({ kinds: [`The kinds must be some of: ${eventKinds.join(', ')}.`] })
  }
  return new Set(known)
}
