import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { applicationId, startBroker } from '../../../test/broker.ts'
import { exampleEui, readQuarantineOf } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice, connectAccount } from '../../../test/fleet.ts'
import { startTestService, type TestService } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { createPresence } from '../../db/presence.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { createBrokerSink } from './broker-sink.ts'
import { createHeldMessages } from './held-messages.ts'
import { createSubscriptions } from './subscriptions.ts'

const account = {
  server: 'http://127.0.0.1:1',
  api_key: 'key',
  tenant_id: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
  application_id: applicationId,
  device_profile_id: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
}

async function startWithBroker(t: TestContext) {
  const service = await startTestService(t)
  const broker = await startBroker(t)
  await connectAccount(service, 'chirpstack', { ...account, mqtt_url: broker.source.url })
  await addLocalDevice(service, exampleEui)
  return { service, broker }
}

async function total(service: TestService): Promise<number> {
  const { body } = await service.call('GET', '/v1/devices/all/uplink')
  return body.meta.total
}

test('stores what the broker of an account delivers, once, and acknowledges it', async (t) => {
  const { service, broker } = await startWithBroker(t)
  const subscribed = new Promise((resolve) => broker.broker.once('subscribe', resolve))
  await service.services.subscriptions.refresh()
  await subscribed
  await broker.publish(1)
  await until(() => broker.acknowledged.length === 1)
  assert.equal(await total(service), 1)
  await broker.publish(1)
  await until(() => broker.acknowledged.length === 2)
  assert.equal(await total(service), 1)
})

test('follows a broker in one process at a time, and in another when that one is gone', async (t) => {
  const { service, broker } = await startWithBroker(t)
  let subscribers = 0
  broker.broker.on('subscribe', () => {
    subscribers += 1
  })
  const presence = createPresence(service.services)
  const second = createSubscriptions({ ...service.services, presence })
  await service.services.subscriptions.refresh()
  await until(() => subscribers === 1)
  await second.refresh()
  await service.services.subscriptions.refresh()
  assert.equal(subscribers, 1)
  await service.services.subscriptions.close()
  await second.refresh()
  await until(() => subscribers === 2)
  await second.close()
})

test('ends a subscription when the account names no broker any more', async (t) => {
  const { service, broker } = await startWithBroker(t)
  await service.services.subscriptions.refresh()
  await until(() => broker.broker.connectedClients === 1)
  await service.call('PUT', '/v1/network-accounts/chirpstack', { body: account })
  await service.services.subscriptions.refresh()
  await until(() => broker.broker.connectedClients === 0)
})

test('stores what a gateway of kind other publishes, for the devices of its organization', async (t) => {
  const { service, broker } = await startWithBroker(t)
  const path = '/v1/network-accounts/other'
  const body = { mqtt_url: broker.source.url }
  const account = await service.call('PUT', path, { body })
  assert.equal(account.body.data.status, 'connected', account.text)
  const topics: string[] = []
  broker.broker.on('subscribe', (subscriptions) => {
    topics.push(...subscriptions.map(({ topic }) => topic))
  })
  await service.services.subscriptions.refresh()
  await until(() => topics.includes('lorawan/+/+/up'))
  const uplink = new URL('../../networks/other/examples/multitech-up.json', import.meta.url)
  const published = JSON.parse(readFileSync(uplink, 'utf8'))
  const payload = JSON.stringify({ ...published, deveui: '01-01-01-01-01-01-01-01' })
  const topic = 'lorawan/16-ea-76-f6-ab-66-3d-80/01-01-01-01-01-01-01-01/up'
  const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false } as const
  await new Promise((resolve) => broker.broker.publish(packet, resolve))
  await until(async () => (await total(service)) === 1)
})

const timeless = {
  deveui: '01-01-01-01-01-01-01-01',
  devaddr: '12312312',
  fcnt: 10,
  port: 2,
  data: 'GgMB',
}

/** A broker of gateways of kind other, where they publish messages that tell no time. */
async function startWithGateways(t: TestContext) {
  const { service, broker } = await startWithBroker(t)
  await service.call('DELETE', '/v1/network-accounts/chirpstack')
  const body = { mqtt_url: broker.source.url }
  await service.call('PUT', '/v1/network-accounts/other', { body })
  await until(() => broker.broker.connectedClients === 0)
  const publish = (fcnt: number) => {
    const payload = JSON.stringify({ ...timeless, fcnt })
    const topic = 'lorawan/16-ea-76-f6-ab-66-3d-80/01-01-01-01-01-01-01-01/up'
    const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false } as const
    return new Promise((resolve) => broker.broker.publish(packet, resolve))
  }
  let acknowledged = 0
  broker.broker.on('ack', () => {
    acknowledged += 1
  })
  return { service, broker, publish, countAcknowledged: () => acknowledged }
}

test('a message without a time that comes again is one uplink, also after a restart', async (t) => {
  const { service, broker, publish, countAcknowledged } = await startWithGateways(t)
  const { ingest } = service.services
  let stored = 0
  const cutting: typeof ingest = {
    ...ingest,
    store: async (arrival) => {
      await ingest.store(arrival)
      stored += 1
      // Before the acknowledgement can go out.
      broker.cut()
    },
  }
  const first = createSubscriptions({ ...service.services, ingest: cutting })
  const subscribed = new Promise((resolve) => broker.broker.once('subscribe', resolve))
  await first.refresh()
  await subscribed
  await publish(10)
  await until(() => stored === 1)
  await first.close()
  const next = createSubscriptions(service.services)
  await next.refresh()
  await until(() => countAcknowledged() === 1)
  const afterRestart = await total(service)
  // A gateway may well send the same again, say after the device has joined again.
  await publish(10)
  await until(() => countAcknowledged() === 2)
  const afterNext = await total(service)
  await next.close()
  assert.deepEqual([afterRestart, afterNext], [1, 2])
})

test('a message that can never be stored is put aside, and holds up none', async (t) => {
  const { service, broker, publish, countAcknowledged } = await startWithGateways(t)
  const { ingest } = service.services
  let tries = 0
  const failing: typeof ingest = {
    ...ingest,
    store: async (arrival) => {
      if (arrival.uplink.fCnt !== 1) return ingest.store(arrival)
      tries += 1
      throw new TypeError('a fault of ours')
    },
  }
  const subscriptions = createSubscriptions({ ...service.services, ingest: failing })
  const subscribed = new Promise((resolve) => broker.broker.once('subscribe', resolve))
  await subscriptions.refresh()
  await subscribed
  await publish(1)
  await publish(2)
  await until(() => countAcknowledged() === 2)
  await subscriptions.close()
  assert.equal(tries, 5)
  assert.equal(await total(service), 1)
  const [aside, ...others] = await readQuarantineOf(service, 1)
  assert.deepEqual(
    [aside?.reason, aside?.device_eui, JSON.parse(aside?.message ?? '').fcnt, others],
    ['not_storable', '0101010101010101', 1, []],
  )
})

test('what is put aside pushes out the oldest where the quarantine is full', async (t) => {
  const service = await startTestService(t)
  const { db, ingest } = service.services
  await db.query(
    `insert into quarantined_messages (
       organization_id, network_account_id, reason, detail, device_eui, deduplication_key, message
     )
     select 1, -1, 'unknown_device', '', '', number, '' from generate_series(1, 100000) as number`,
  )
  await db.query('update organization_counters set quarantine_count = 100000')
  const failing: typeof ingest = { ...ingest, store: () => Promise.reject(new TypeError('ours')) }
  const from = { id: 1, organizationId: 1, tenantId: 1, network: 'other', isVendor: false }
  const health = { note() {}, hear() {}, look: async () => {} }
  const services = { ...service.services, ingest: failing, heldMessages: createHeldMessages() }
  const sink = createBrokerSink(services, from, health)
  const uplink: Uplink = {
    ...{ kind: 'uplink', devEui: '0101010101010101', deduplicationKey: 'a', fPort: 2, fCnt: 1 },
    ...{ receivedAt: '2026-03-01T11:59:07.775023Z', payload: Buffer.from([1]), receptions: [] },
  }
  for (const _ of [1, 2, 3, 4]) await assert.rejects(sink.store(uplink, Buffer.from('{}')))
  await sink.store(uplink, Buffer.from('{}'))
  const kept = await readQuarantineOf(service, 1)
  assert.ok(kept.length <= 100_000, `${kept.length} messages`)
  assert.equal(kept.at(-1)?.device_eui, uplink.devEui)
})

test('gives each organization a share of the memory for messages, over all its brokers', () => {
  const held = createHeldMessages()
  const mib = 1024 * 1024
  const fill = (tenantId: number) => {
    const giveBack: (() => void)[] = []
    while (held.roomOf({ organizationId: tenantId, tenantId }).isFree())
      giveBack.push(held.roomOf({ organizationId: tenantId, tenantId }).hold(mib))
    return giveBack
  }
  const [first = [], ...others] = [1, 2, 3, 4].map(fill)
  assert.deepEqual([first.length, ...others.map(({ length }) => length)], [8, 4, 2, 1])
  for (const giveBack of [...first, ...others.flat()]) giveBack()
  assert.equal(fill(1).length, 8, 'all was given back')
})

test('says of a broker that cannot be reached so', async (t) => {
  const service = await startTestService(t)
  const body = { mqtt_url: 'mqtt://127.0.0.1:1' }
  const { data } = (await service.call('PUT', '/v1/network-accounts/other', { body })).body
  assert.equal(data.status, 'unreachable')
  assert.match(data.message, /The MQTT broker could not be reached: .*ECONNREFUSED/)
})

test('follows the other accounts when one cannot be opened', async (t) => {
  const { service, broker } = await startWithBroker(t)
  const body = { mqtt_url: broker.source.url }
  await service.call('PUT', '/v1/network-accounts/other', { body })
  await until(() => broker.broker.connectedClients === 0)
  const { sealer } = service.services
  let failed = false
  const failing: typeof sealer = {
    ...sealer,
    open: (...sealed) => {
      if (failed) return sealer.open(...sealed)
      failed = true
      throw new Error('sealed with another key')
    },
  }
  const subscriptions = createSubscriptions({ ...service.services, sealer: failing })
  await subscriptions.refresh()
  await until(() => broker.broker.connectedClients === 1)
  assert.ok(failed)
  await subscriptions.close()
})
