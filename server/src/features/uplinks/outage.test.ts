import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  post,
  readExample,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { serverVariable } from '../../../test/database.ts'
import { addType, thermometer } from '../../../test/device-types.ts'
import { addDevice, addGateway, addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { holdWriter } from '../../../test/ingest-queues.ts'
import { databaseUrl } from '../../../test/server.ts'
import { startTestService } from '../../../test/service.ts'
import { connect } from '../../db/connect.ts'

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
