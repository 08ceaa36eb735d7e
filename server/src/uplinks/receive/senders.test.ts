import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { startSimulator } from '../../../simulators/index.ts'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  post,
  readQuarantineOf,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice, connectAccount, registrationOf } from '../../../test/fleet.ts'
import { startListening } from '../../../test/service.ts'

/* The changes here are made as another process makes them: nothing tells this one. */

const service = await startListening({ after })
const { db } = service.services

async function countUplinks(deviceId?: number): Promise<number> {
  const rows = await db.query('select from uplinks where device_id = coalesce($1, device_id)', [
    deviceId ?? null,
  ])
  return rows.length
}

async function idOfDevice(): Promise<number> {
  const [device] = await db.query<{ id: number }>(
    'select id from devices where eui = $1 and deleted_at is null',
    [exampleEui],
  )
  assert.ok(device)
  return device.id
}

const callback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)

async function sendKnown(): Promise<void> {
  for (let uplink = 0; uplink < 2; uplink += 1) {
    assert.equal((await post(service, callback, makeUp())).status, 200)
  }
}

test('uplinks of a device that was deleted elsewhere go to the quarantine', async () => {
  await sendKnown()
  const stored = await countUplinks()
  await db.query('update devices set deleted_at = now() where eui = $1', [exampleEui])
  assert.equal((await post(service, callback, makeUp())).status, 200)
  assert.equal(await countUplinks(), stored)
  const quarantined = await readQuarantineOf(service, 1)
  assert.deepEqual(
    quarantined.map(({ reason }) => reason),
    ['unknown_device'],
  )
})

test('uplinks go to the device that was registered again elsewhere', async () => {
  await db.query('update devices set deleted_at = null where eui = $1', [exampleEui])
  await sendKnown()
  await db.query('update devices set deleted_at = now() where eui = $1', [exampleEui])
  await addLocalDevice(service, exampleEui)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => post(service, callback, makeUp())),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(await countUplinks(await idOfDevice()), 5)
})

test('a known sender has the answers of any other', async () => {
  await sendKnown()
  const long = { ...makeUp(), padding: ' '.repeat(20_000) }
  const spare = `${JSON.stringify(makeUp())}${' '.repeat(100)}`
  for (const [body, event, status] of [
    [JSON.stringify(makeUp()), 'up', 200],
    [JSON.stringify(long), 'up', 200],
    [spare, 'up', 200],
    [JSON.stringify(makeUp({ eui: '00AA00000000FFFF' })), 'up', 200],
    [JSON.stringify({ ...makeUp(), deviceInfo: undefined }), 'up', 400],
    [JSON.stringify(makeUp()), 'nonsense', 400],
    ['{', 'up', 400],
    ['[]', 'up', 400],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'up', 400],
    [`{"a":"\u00ff${'['.repeat(100)}"}`, 'up', 400],
    ['', 'up', 400],
  ] as const) {
    const quick = await post(service, callback, body, { event })
    const { headers, text } = await post(service, callback, new Blob([body]).stream(), { event })
    assert.equal(quick.status, status, body.slice(0, 200))
    assert.equal(quick.text, text)
    const { date: _date, 'x-request-id': id, ...rest } = quick.headers
    const { date: _otherDate, 'x-request-id': otherId, ...otherRest } = headers
    assert.deepEqual(rest, otherRest)
    assert.ok(id && otherId && id !== otherId)
  }
  const bytes = Buffer.from(JSON.stringify(makeUp()))
  bytes[bytes.indexOf('A')] = 0xff
  assert.equal((await post(service, callback, bytes)).status, 400)
})

test('a message whose client goes away before its end is not stored, and holds up nothing', async () => {
  await sendKnown()
  const stored = await countUplinks()
  const body = JSON.stringify(makeUp())
  const { port } = service.app.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  const head = [
    `POST ${callback.path}?event=up HTTP/1.1`,
    ...[
      'Host: 127.0.0.1',
      `Content-Length: ${body.length}`,
      `${callback.header}: ${callback.value}`,
    ],
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`)
  await new Promise<void>((resolve) => socket.end(() => resolve()))
  socket.destroy()
  await sendKnown()
  assert.equal(await countUplinks(), stored + 2)
})

test('a secret that was withdrawn elsewhere is refused at once, whatever it sends', async () => {
  await sendKnown()
  const stored = await countUplinks()
  const quarantined = (await readQuarantineOf(service, 1)).length
  const [account] = await db.query<{ hash: Buffer }>(
    `with former as (select id, callback_hash from network_accounts)
     update network_accounts set callback_hash = sha256('another') from former
     where former.id = network_accounts.id
     returning former.callback_hash as hash`,
  )
  assert.ok(account)
  for (const [body, event] of [
    [makeUp(), 'up'],
    [makeUp({ eui: '00AA00000000FFFF' }), 'up'],
    [makeUp(), 'join'],
    [{}, 'up'],
  ] as const) {
    assert.equal((await post(service, callback, body, { event })).status, 401)
  }
  assert.equal(await countUplinks(), stored)
  assert.equal((await readQuarantineOf(service, 1)).length, quarantined)
  await db.query('update network_accounts set callback_hash = $1', [account.hash])
  assert.equal((await post(service, callback, makeUp())).status, 200)
})

test('an account that was removed elsewhere is refused at once', async () => {
  await sendKnown()
  const stored = await countUplinks()
  await db.query('delete from network_accounts')
  assert.equal((await post(service, callback, makeUp())).status, 401)
  assert.equal(await countUplinks(), stored)
})

test('a message is refused at once that was signed by a key which was changed elsewhere', async (t) => {
  const simulator = await startSimulator('actility')
  t.after(() => simulator.close())
  await connectAccount(service, 'actility', simulator.account)
  const eui = '00AA0000000ACC01'
  const registration = registrationOf(eui, { network: 8, appRegion: 'EU868' })
  assert.equal((await service.call('POST', '/v1/devices', { body: registration })).status, 200)
  await service.services.provisioner.idle()
  for (let uplink = 0; uplink < 3; uplink += 1) await simulator.sendUplink(eui)
  await simulator.settle()
  const { delivered } = simulator.counts
  assert.ok(delivered >= 3)
  assert.equal(simulator.counts.failed, 0)
  const stored = await countUplinks()
  // The network does not hear of the new key.
  simulator.setAway(true)
  await connectAccount(service, 'actility', { ...simulator.account, as_key: 'F'.repeat(32) })
  simulator.setAway(false)
  await simulator.sendUplink(eui)
  await simulator.settle()
  assert.deepEqual([simulator.counts.delivered, simulator.counts.failed], [delivered, 1])
  assert.equal(await countUplinks(), stored)
})
