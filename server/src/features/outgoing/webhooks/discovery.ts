import { setTimeout as delay } from 'node:timers/promises'
import type { CoreServices } from '../../core-services.ts'
import type { BrokerTarget } from './broker-connections.ts'
import type { BrokerPoster } from './broker-poster.ts'
import type { ClaimedWebhook } from './claim-queries.ts'
import { type Announcement, announcementTopic, makeAnnouncement } from './discovery-message.ts'
import {
  forget,
  type KnownAnnouncement,
  listAnnounced,
  listShared,
  listStale,
  setNextComparison,
} from './discovery-queries.ts'
import { apart, toBrokerTarget } from './mqtt-delivery.ts'
import type { MqttSettings } from './mqtt-settings.ts'
import type { OutgoingEvent } from './outgoing-event.ts'
import type { Attempt } from './post-message.ts'
import { atOnce } from './send-portion.ts'
import { holdingFailures } from './webhook-kinds.ts'
import type { StoredWebhook } from './webhook-queries.ts'

export type DiscoveryServices = Pick<CoreServices, 'db' | 'sealer' | 'now'> & {
  brokerPoster: BrokerPoster
}

/** What a portion announces to Home Assistant on its way. */
export interface Announcer {
  /**
   * Announces the device of an uplink, if that is not known as it is. Returns the attempt where it
   * failed: the uplink then waits, so that no state comes before its device.
   */
  announce(event: OutgoingEvent): Promise<Attempt | undefined>
  /** What the broker has taken, to be remembered. */
  announced: ReadonlyMap<string, KnownAnnouncement>
}

/** Undefined where the webhook announces nothing. */
export async function createAnnouncer(
  { db, sealer, now, brokerPoster }: DiscoveryServices,
  webhook: ClaimedWebhook,
  events: readonly OutgoingEvent[],
): Promise<Announcer | undefined> {
  const settings = discoveryOf(webhook)
  if (!settings) return undefined
  const { organization_id } = webhook
  const euis = new Set(events.flatMap(({ uplink }) => uplink?.device_eui ?? []))
  const prefix = settings.discovery_prefix
  const topics = [...euis].map((eui) => announcementTopic(prefix, organization_id, eui))
  const rows = await listAnnounced(db, webhook, topics)
  const known = new Map(rows.map((row) => [row.topic, row]))
  const announced = new Map<string, KnownAnnouncement>()
  const broker = toBrokerTarget(sealer, webhook, settings)
  return {
    announced,
    async announce({ uplink }) {
      if (!uplink || uplink.is_deleted) return undefined
      const topic = announcementTopic(prefix, organization_id, uplink.device_eui)
      const before = known.get(topic)
      const announcement = makeAnnouncement(settings, organization_id, uplink, before)
      if (isKnown(announcement, before)) return undefined
      const attempt = await brokerPoster.publish(broker, toPublication(announcement), now())
      if (!attempt.isDelivered) {
        return { ...attempt, answer: `Home Assistant discovery: ${attempt.answer}` }
      }
      known.set(topic, announcement)
      announced.set(topic, announcement)
      return undefined
    },
  }
}

function isKnown({ digest, device_id }: Announcement, before: KnownAnnouncement | undefined) {
  return digest !== null && digest === before?.digest && device_id === before.device_id
}

/** The settings of a webhook that announces devices; undefined for any other. */
function discoveryOf({ mqtt }: StoredWebhook): Required<MqttSettings> | undefined {
  if (!mqtt?.discovery || mqtt.discovery_prefix === undefined) return undefined
  return { ...mqtt, discovery: true, discovery_prefix: mqtt.discovery_prefix }
}

function toPublication({ topic, payload }: Pick<Announcement, 'topic' | 'payload'>) {
  return { topic, payload, isRetained: true, properties: {} }
}

/** Announcements that one portion takes back at most. */
const mostWithdrawn = 200

export function isComparisonDue({ announcements_due_at: due }: StoredWebhook, now: Date): boolean {
  return due !== null && Date.parse(due) <= now.getTime()
}

/**
 * Takes back what is announced of devices that were deleted or that the filters no longer let pass,
 * or everything where the option is off. What the broker does not take is tried again later.
 */
export async function withdrawStale(
  { db, sealer, now, brokerPoster }: DiscoveryServices,
  webhook: ClaimedWebhook,
): Promise<void> {
  const { mqtt, organization_id, failures } = webhook
  const settings = discoveryOf(webhook)
  const beginning = settings && announcementTopic(settings.discovery_prefix, organization_id, '')
  const isTried = mqtt !== null && failures < holdingFailures
  const stale = isTried
    ? await listStale(db, webhook, beginning?.replace(/\/config$/, ''), mostWithdrawn)
    : []
  let withdrawn: readonly string[] = []
  if (mqtt && stale.length > 0) {
    const shared = await listShared(db, webhook, stale)
    const broker = toBrokerTarget(sealer, webhook, mqtt)
    const alone = stale.filter((topic) => !shared.includes(topic))
    withdrawn = [...shared, ...(await withdraw(brokerPoster, broker, { topics: alone, now }))]
    await forget(db, webhook, withdrawn)
  }
  const hasMore = stale.length === mostWithdrawn && withdrawn.length === stale.length
  await setNextComparison(db, webhook, { now: now(), hasMore })
}

/** Ends at the first failure. Returns what the broker has taken. */
async function withdraw(
  brokerPoster: BrokerPoster,
  broker: BrokerTarget,
  { topics, now }: { topics: readonly string[]; now: () => Date },
): Promise<string[]> {
  const done: string[] = []
  for (let first = 0; first < topics.length; first += atOnce) {
    const some = topics.slice(first, first + atOnce)
    const attempts = await Promise.all(
      some.map((topic) =>
        brokerPoster.publish(broker, toPublication({ topic, payload: '' }), now()),
      ),
    )
    done.push(...some.filter((_topic, index) => attempts[index]?.isDelivered))
    if (done.length < first + some.length) break
  }
  return done
}

/** Announcements that are taken back when a webhook is deleted, and how long that may take. */
export const mostAtEnd = 1_000
const longestAtEnd = 5_000

/** Takes back what a webhook that is deleted has announced, as far as its broker lets in time. */
export async function withdrawAtEnd(
  { db, sealer, now, brokerPoster }: DiscoveryServices,
  webhook: StoredWebhook,
  topics: readonly string[],
): Promise<void> {
  if (!webhook.mqtt || topics.length === 0) return
  const shared = await listShared(db, webhook, topics)
  const alone = topics.filter((topic) => !shared.includes(topic))
  const broker = toBrokerTarget(sealer, webhook, webhook.mqtt)
  const end = { ...apart(broker), key: `${broker.key} end` }
  const over = new AbortController()
  const late = delay(longestAtEnd, undefined, { signal: over.signal }).catch(() => undefined)
  await Promise.race([withdraw(brokerPoster, end, { topics: alone, now }), late])
  over.abort()
}
