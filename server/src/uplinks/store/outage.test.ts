import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify from 'fastify'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  post,
  readExample,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { isCluster } from '../../../test/citus.ts'
import { serverVariable } from '../../../test/database.ts'
import { startDatabaseProxy } from '../../../test/database-proxy.ts'
import { addType, thermometer } from '../../../test/device-types.ts'
import { addDevice, addGateway, addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { holdWriter, startQueue } from '../../../test/ingest-queues.ts'
import { findFreePort } from '../../../test/port.ts'
import { databaseUrl } from '../../../test/server.ts'
import { startTestService, testKey } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { readConfig } from '../../config.ts'
import { connect } from '../../db/connect.ts'
import { startServer } from '../../start.ts'

/** What networks send while the database is away for a moment, or gives a statement up. */

const service = await startTestService({ after })
const { services } = service
const callback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)
const [database] = await services.db.query<{ name: string }>('select current_database() as name')
const url = databaseUrl(process.env[serverVariable] ?? '', database?.name ?? '')
const administrator = connect(url, { max: 1, applicationName: 'administrator' })
after(() => administrator.close())

/** Ends every connection as soon as it is made, for so many milliseconds. */
async function takeAway(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    await administrator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'administrator'
         and backend_type = 'client backend'`,
    )
    await wait(5)
  }
}

async function countOf(table: string): Promise<number> {
  const [row] = await services.db.query<{ count: number }>(`select count(*) from ${table}`)
  return row?.count ?? 0
}

const type = await addType(service, { codec: thermometer })
await addDevice(service, 7, { deviceType: type.id })
const gateway = await addGateway(service, 1, { gateway_bridge: 'other' })
const { body: shown } = await service.call('GET', `/v1/gateways/${gateway.id}`)
const { authorisation_token: token, download_link: link } = shown.gateway_configs
const examples = new URL('../../networks/other/examples/', import.meta.url)
const multitech = JSON.parse(readFileSync(new URL('multitech-up.json', examples), 'utf8'))

const deviceInfo = { devEui: exampleEui.toLowerCase() }
let joins = 0
const messages: Record<string, () => ReturnType<typeof post>> = {
  'an uplink': () => post(service, callback, makeUp()),
  'an uplink of a device with a codec': () => post(service, callback, makeUp({ eui: euiOf(7) })),
  'an uplink of an unknown device': () =>
    post(service, callback, makeUp({ eui: 'AAAA000000000009' })),
  'an event': () => {
    joins += 1
    const deduplicationId = `00000000-0000-4000-9000-${String(joins).padStart(12, '0')}`
    const event = { ...readExample('join'), deviceInfo, deduplicationId }
    return post(service, callback, event, { event: 'join' })
  },
  'a report of a downlink': () =>
    post(service, callback, { ...readExample('txack'), deviceInfo }, { event: 'txack' }),
  'a message of a gateway of kind other': () =>
    service.call('POST', new URL(link).pathname, {
      as: null,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: { ...multitech, fcnt: 1 },
    }),
}

// shows 11.2.3
test('nothing is refused while the database is away for a moment', async () => {
  const outage = takeAway(1500)
  const sent: Promise<{ what: string; status: number }>[] = []
  for (let round = 0; round < 12; round += 1) {
    for (const [what, send] of Object.entries(messages)) {
      sent.push(send().then(({ status }) => ({ what, status })))
    }
    await wait(100)
  }
  await outage
  const refused = (await Promise.all(sent)).filter(({ status }) => status !== 200)
  assert.deepEqual(refused, [])
  const uplinks = 2 * 12
  assert.equal(await countOf('uplinks'), uplinks)
  assert.equal(await countOf("network_events where kind = 'join'"), 12)
  assert.equal(await countOf("network_events where kind = 'downlink_sent'"), 1)
  // Those of the unknown device, and the one that the gateway repeats.
  assert.equal((await readQuarantineOf(service, 1)).length, 12 + 1)
  const [ordinals] = await services.db.query('select max(ordinal) as last from uplinks')
  assert.deepEqual(ordinals, { last: uplinks })
})

test('a statement that is cancelled is made again, and the batch with it', async () => {
  const letGo = await holdWriter(service)
  const before = await countOf('uplinks')
  const sent = Promise.all(Array.from({ length: 5 }, () => post(service, callback, makeUp())))
  let cancelled = 0
  while (cancelled < 3) {
    const rows = await administrator.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'administrator'
         and state = 'active' and query like '%organization_counters%for update%'`,
    )
    cancelled += rows.length
    await wait(20)
  }
  await letGo()
  for (const { status } of await sent) assert.equal(status, 200)
  assert.equal(await countOf('uplinks'), before + 5)
})

/** Another process, with the limits of production. */
async function startProcess(t: { after(end: () => Promise<void>): unknown }, databaseUrl: string) {
  const port = await findFreePort()
  const config = readConfig({ PORT: String(port), SECRET_KEY: testKey.toString('hex') })
  const log = Fastify({ logger: false }).log
  const { stop, readMetrics } = await startServer(config, { url: databaseUrl, poolSize: 8 }, log)
  t.after(stop)
  const send = async (up: object, path = `${callback.path}?event=up`) => {
    const begun = performance.now()
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { [callback.header]: callback.value, 'content-type': 'application/json' },
      body: JSON.stringify(up),
    })
    return { status, retryAfter: headers.get('retry-after'), took: performance.now() - begun }
  }
  return { send, readMetrics }
}

test('a database that falls silent costs the senders 4 s, and its places are soon free', async (t) => {
  const proxy = await startDatabaseProxy(t, url)
  const { send } = await startProcess(t, proxy.url)
  const before = await countOf('uplinks')
  const ups = Array.from({ length: 12 }, () => makeUp())
  for (const up of ups.slice(0, 4)) assert.equal((await send(up)).status, 200)
  proxy.silence()
  // Some are in batches that hang, the others wait behind these; the last needs a look-up.
  const sent = ups.slice(4).map((up) => send(up))
  sent.push(send(makeUp({ eui: 'AAAA00000000000A' })))
  sent.push(send({ ...readExample('join'), deviceInfo }, `${callback.path}?event=join`))
  for (const { status, retryAfter, took } of await Promise.all(sent)) {
    assert.deepEqual([status, retryAfter], [503, '2'])
    assert.ok(took >= 3999 && took < 5000, `answered after ${took} ms`)
  }
  proxy.heal()
  const again = () => Promise.all(ups.map((up) => send(up).then(({ status }) => status)))
  const recovered = await until(async () => (await again()).every((status) => status === 200))
  assert.ok(recovered < 6000, `stored after ${recovered} ms`)
  assert.equal(await countOf('uplinks'), before + ups.length)
})

test('a batch that takes longer than a statement may is stored in parts', {
  skip: isCluster() && 'a trigger makes its statement slow',
}, async (t) => {
  const hasty = connect(url, { statementTimeout: 400 })
  t.after(hasty.close)
  const { ingest, post } = startQueue(service, callback, { db: hasty })
  // The first one of a pool also asks what database it is.
  assert.equal((await post()).statusCode, 200)
  const before = await countOf('uplinks')
  await services.db.query(
    `create function be_slow() returns trigger language plpgsql as $$ begin
       if (select count(*) from fresh) > 40 then perform pg_sleep(10); end if;
       return null;
     end $$`,
  )
  await services.db.query(
    `create trigger slow after insert on uplinks referencing new table as fresh
     for each statement execute function be_slow()`,
  )
  const letGo = await holdWriter(service)
  const sent = [post()]
  await until(() => ingest.depth() === 1)
  for (let count = 0; count < 79; count += 1) sent.push(post())
  await until(() => ingest.depth() === 80)
  await letGo()
  const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode)
  assert.deepEqual(new Set(statuses), new Set([200, 503]))
  await until(() => ingest.depth() === 0)
  assert.equal(await countOf('uplinks'), before + 80)
  await services.db.query('drop trigger slow on uplinks')
})
