import type { MqttClient } from 'mqtt'
import { type Clock, sleep } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Faults } from './faults.ts'
import type { ChirpStackEvent } from './messages.ts'
import type { HttpIntegration, Store } from './store.ts'

/** What became of the events so far. */
export interface DeliveryCounts {
  /** Answered with a 2xx, each copy of a duplicate for itself. */
  delivered: number
  /** Answered otherwise, or not within 5 s. */
  failed: number
  /** Never sent, by the faults or for want of an integration. */
  lost: number
}

export interface DeliveryOptions {
  clock: Clock
  faults: Faults
  random: Random
  store: Store
  /** How often an event that failed is sent again, 1 s later and then twice as long. */
  retries: number
  counts: DeliveryCounts
}

/** ChirpStack's own, chirpstack/src/integration/http.rs. */
const timeoutMs = 5_000

/** Sends one event to where the application's integrations want it; never throws. */
export async function deliver(
  options: DeliveryOptions,
  broker: MqttClient | undefined,
  event: ChirpStackEvent,
): Promise<void> {
  const { faults, random, counts, store } = options
  const integration = store.integrations.get(event.applicationId)
  const isLost = faults.isAway || random.isTrue(faults.eventLossRate)
  if (isLost || (!integration && !broker)) {
    counts.lost += 1
    return
  }
  const copies = random.isTrue(faults.duplicateRate) ? 2 : 1
  const text = JSON.stringify(event.body)
  for (let copy = 0; copy < copies; copy += 1) {
    for (const url of integration?.url.split(',') ?? []) {
      await post(options, { url: url.trim(), headers: headersOf(integration), event, text })
    }
    if (broker) await publish(options, broker, { event, text })
  }
}

const jsonType = 'application/json'
/** Not the event, but nothing that a reader of JSON takes for one either. */
const inProtobuf = Buffer.from('0a24', 'hex')

/** The same for every address. */
function headersOf(integration: HttpIntegration | undefined): Record<string, string> {
  const type = integration?.isJson === false ? 'application/octet-stream' : jsonType
  return { ...integration?.headers, 'content-type': type }
}

async function post(
  { clock, counts, retries }: DeliveryOptions,
  {
    url,
    headers,
    event,
    text,
  }: { url: string; headers: Record<string, string>; event: ChirpStackEvent; text: string },
) {
  const address = URL.parse(url)
  if (!address) {
    counts.failed += 1
    return
  }
  address.searchParams.set('event', event.name)
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    if (attempt > 0) await sleep(clock, 1_000 * 2 ** (attempt - 1))
    const isStored = await fetch(address, {
      method: 'POST',
      headers,
      body: headers['content-type'] === jsonType ? text : inProtobuf,
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (isStored) {
      counts.delivered += 1
      return
    }
  }
  counts.failed += 1
}

async function publish(
  { counts }: DeliveryOptions,
  broker: MqttClient,
  { event, text }: { event: ChirpStackEvent; text: string },
) {
  const { applicationId, devEui, name } = event
  const topic = `application/${applicationId}/device/${devEui}/event/${name}`
  const isTaken = await broker.publishAsync(topic, text, { qos: 1 }).then(
    () => true,
    () => false,
  )
  counts[isTaken ? 'delivered' : 'failed'] += 1
}
