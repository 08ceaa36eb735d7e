import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import type { Bench } from './bench.ts'
import { format, median, type Result } from './figures.ts'
import { connectAccount, type Fleet, makeFleet, registerDevices } from './fleet.ts'
import { startProcess } from './process.ts'
import { awaitPort, startMosquitto, stopProgram } from './programs.ts'
import { findFreePort } from './service.ts'
import { chirpStackUplink, deviceEui, messageWriter } from './uplink-message.ts'

const devices = 1000
/** Messages of a turn for each second of the run's `--seconds`. */
const messagesPerSecond = 4000
/** Published, and not yet acknowledged by the broker. */
const inFlight = 256
const patienceMilliseconds = 120_000
const id = '17c82e96-be03-4f38-aef3-f83d48582d97'

/** One of the two subscribers: where it listens, and how many messages it has had so far. */
interface Subscriber {
  name: string
  /** Ends in the slash before the EUI. */
  prefix: string
  count(): Promise<number>
}

/**
 * Uplinks a second from a broker to the table, against a subscriber of the same broker that reads
 * and acknowledges them. Needs Mosquitto.
 */
export async function measureBrokers(bench: Bench): Promise<Result> {
  if (spawnSync('mosquitto', ['-h']).error) {
    return { figures: [], proofs: [], skipped: ['ingest by MQTT: there is no mosquitto here'] }
  }
  await using cleanUp = new AsyncDisposableStack()
  const port = await findFreePort()
  const broker = await startMosquitto(bench.dataDir, port)
  cleanUp.defer(() => stopProgram(broker))
  await awaitPort(port)
  const url = `mqtt://127.0.0.1:${port}`
  const fleet = await makeFleet(bench, '00aa00be')
  await registerDevices(bench.db, devices, fleet)
  const ours = await followBroker(bench, url, fleet)
  const prefix = 'baseline/device/'
  const reader = startProcess(new URL('./broker-reader.ts', import.meta.url), {
    env: { BROKER_URL: url, TOPIC: `${prefix}#` },
  })
  cleanUp.defer(() => reader.stop())
  const count = async () => (await reader.ask<{ count: number }>({ ask: 'count' })).count
  const publisher = await connectAsync(url)
  cleanUp.defer(() => publisher.endAsync(true))
  // Awaited here: otherwise everything would be stopped while it runs.
  return await compare(bench, publisher, { baseline: { name: 'subscriber', prefix, count }, ours })
}

async function compare(
  { settings, progress }: Bench,
  publisher: MqttClient,
  sides: Record<'baseline' | 'ours', Subscriber>,
): Promise<Result> {
  const messages = messagesPerSecond * settings.seconds
  const rates = { baseline: [] as number[], ours: [] as number[] }
  await awaitSubscription(publisher, sides.ours)
  const before = await sides.ours.count()
  for (let round = 0; round <= settings.rounds; round += 1) {
    for (const key of ['baseline', 'ours'] as const) {
      const rate = await timeTurn(publisher, sides[key], messages)
      progress(`${sides[key].name}, round ${round}: ${format(rate)}/s`)
      if (round > 0) rates[key].push(rate)
    }
  }
  const sent = messages * (settings.rounds + 1)
  const stored = (await sides.ours.count()) - before
  const ratios = rates.ours.map((rate, round) => rate / (rates.baseline[round] ?? 0))
  const notes = `Mosquitto, QoS 1, ${inFlight} at once; the publisher shares the cores`
  return {
    figures: [
      {
        ...{ name: 'ingest by MQTT, until stored', ours: `${format(median(rates.ours))}/s` },
        ...{ baseline: `${format(median(rates.baseline))}/s (subscriber)`, ratios, notes },
      },
    ],
    proofs: [
      {
        claim: 'every uplink that was published is stored once',
        isTrue: stored === sent,
        details: `${sent} published, ${stored} stored`,
      },
    ],
  }
}

/** Connects an account of the fleet whose messages come from the broker. */
async function followBroker(
  { service, db }: Bench,
  url: string,
  { headers, organizationId }: Fleet & { headers: Record<string, string> },
): Promise<Subscriber> {
  const account = {
    ...{ server: 'http://127.0.0.1:9', api_key: 'none', mqtt_url: url },
    ...{ tenant_id: id, application_id: id, device_profile_id: id },
  }
  await connectAccount(service, { network: 'chirpstack', account, suffix: '' }, headers)
  const count = async () => {
    const [row] = await db.query<{ count: number }>(
      'select uplink_count as count from organization_counters where organization_id = $1',
      [organizationId],
    )
    return row?.count ?? 0
  }
  return { name: 'ingest by MQTT', prefix: `application/${id}/device/`, count }
}

/** Publishes until one uplink is stored: the service follows a new broker after a moment. */
async function awaitSubscription(publisher: MqttClient, subscriber: Subscriber): Promise<void> {
  const end = performance.now() + patienceMilliseconds
  while ((await subscriber.count()) === 0) {
    if (performance.now() > end) throw new Error('the service does not follow the broker')
    await publish(publisher, subscriber.prefix, 1)
    await sleep(250)
  }
  // What is still on its way.
  await sleep(1000)
}

/** Messages a second, from the first one until the last one has arrived. */
async function timeTurn(
  publisher: MqttClient,
  { name, prefix, count }: Subscriber,
  messages: number,
): Promise<number> {
  const wanted = (await count()) + messages
  const begin = performance.now()
  await publish(publisher, prefix, messages)
  while ((await count()) < wanted) {
    if (performance.now() - begin > patienceMilliseconds) {
      throw new Error(`${name}: ${wanted - (await count())} of ${messages} have not arrived`)
    }
    await sleep(5)
  }
  return (messages / (performance.now() - begin)) * 1000
}

async function publish(publisher: MqttClient, prefix: string, messages: number): Promise<void> {
  const { text } = chirpStackUplink
  const write = messageWriter(Buffer.from(text), { devices })
  const euiAt = text.indexOf(deviceEui(0))
  let left = messages
  const send = async () => {
    while (left > 0) {
      left -= 1
      const body = Buffer.from(text)
      write(body)
      const eui = body.toString('latin1', euiAt, euiAt + 16)
      await publisher.publishAsync(`${prefix}${eui}/event/up`, body, { qos: 1 })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, send))
}
