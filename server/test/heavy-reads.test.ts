import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { foundOrganization } from './members.ts'
import { type Login, startListening } from './service.ts'

/**
 * Each tenant has a share of the expensive reads. A further read waits until a client
 * has received its answer, has left, or has read nothing for too long.
 */

const service = await startListening({ after }, { pace: { readerWindow: 4000 } })
const { call, services, owner } = service
const { port } = new URL(services.publicUrl)
const neighbour = await foundOrganization(service, 'neighbour@example.test')
await fill(20, 1000)

/**
 * Makes groups in the owner's organization, all with the same devices: a tree of some megabytes.
 */
async function fill(groups: number, devices: number) {
  await services.db.query(
    `with made as (
       insert into devices (organization_id, device_eui, join_eui, name, type_id, network, user_id,
         register_method, register_status)
       select 1, eui, '0000000000000000', eui, 16, 'chirpstack', 1, 'user_account', 'active'
       from (select '00AA' || lpad(n::text, 12, '0') as eui from generate_series(1, $2) as n) as each
       returning id
     ), states as (
       insert into device_states (organization_id, device_id) select 1, id from made
     ), grouped as (
       insert into device_groups (organization_id, name, user_id)
       select 1, 'Group ' || n, 1 from generate_series(1, $1) as n
       returning id
     )
     select 1`,
    [groups, devices],
  )
  await services.db.query(
    `insert into grouped_devices (organization_id, group_id, device_id)
     select organization_id, device_groups.id, devices.id
     from device_groups join devices using (organization_id)`,
  )
}

interface Reader {
  socket: Socket
  /** 1 after the first data has arrived, else 0. */
  received(): number
}

/** Requests a large answer. The client reads nothing beyond the buffers of the system. */
async function ask(path: string, as: Login = owner, method = 'GET'): Promise<Reader> {
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  let received = 0
  socket.on('error', () => {})
  socket.once('readable', () => {
    received += 1
  })
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${as.token}\r\n` +
      `Organization: ${as.organizationId}\r\nContent-Length: 0\r\n\r\n`,
  )
  return { socket, received: () => received }
}

async function isSoon(condition: () => boolean, milliseconds = 10_000): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!condition() && performance.now() < end) await sleep(20)
  return condition()
}

test('of 40 who ask for the tree and take nothing, a neighbour notices nothing', async () => {
  const readers = await Promise.all(Array.from({ length: 40 }, () => ask('/v1/device-groups')))
  try {
    assert.ok(await isSoon(() => readers.some(({ received }) => received() > 0)))
    await sleep(300)
    assert.equal(readers.filter(({ received }) => received() > 0).length, 1)
    const before = performance.now()
    assert.equal((await call('GET', '/v1/device-groups', { as: neighbour })).status, 200)
    assert.equal((await call('POST', '/v1/devices/all/uplink', { as: neighbour })).status, 200)
    assert.equal((await call('GET', '/v1/devices', { as: neighbour })).status, 200)
    assert.equal((await call('GET', '/v1/devices')).status, 200)
    assert.ok(performance.now() - before < 1000, `${performance.now() - before} ms`)
  } finally {
    for (const { socket } of readers) socket.destroy()
  }
})

test('the next one has its turn when one has gone, or has taken nothing for too long', async () => {
  const [first, second, third] = [
    await ask('/v1/device-groups'),
    await ask('/v1/device-groups'),
    await ask('/v1/device-groups'),
  ]
  assert.ok(await isSoon(() => first.received() === 1))
  await sleep(200)
  assert.equal(second.received(), 0)
  first.socket.destroy()
  assert.ok(await isSoon(() => second.received() === 1, 3000))
  assert.equal(third.received(), 0)
  assert.ok(await isSoon(() => third.received() === 1))
  for (const { socket } of [second, third]) socket.destroy()
})

test('one that takes a little now and then gives way too', async () => {
  const first = await ask('/v1/device-groups')
  assert.ok(await isSoon(() => first.received() === 1))
  const second = await ask('/v1/device-groups')
  const timer = setInterval(() => first.socket.read(1000), 50)
  assert.ok(await isSoon(() => second.received() === 1, 20_000))
  clearInterval(timer)
  for (const { socket } of [first, second]) socket.destroy()
})

test('a tree that is read slowly is whole', async () => {
  const { body } = await call('GET', '/v1/device-groups')
  assert.equal(body.data.length, 20)
  for (const { devices } of body.data) assert.equal(devices.length, 1000)
  const { socket } = await ask('/v1/device-groups')
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    if (chunks.length === 0) await sleep(1000)
    chunks.push(chunk)
    if (chunk.includes('\r\n0\r\n\r\n')) break
  }
  assert.equal(
    Buffer.concat(chunks)
      .toString()
      .match(/"deviceKey"/g)?.length,
    20_000,
  )
})

test('of many large pages at one time all are answered, one after the other', async () => {
  const pages = Array.from({ length: 20 }, () => call('GET', '/v1/devices?itemsPerPage=1000'))
  for (const { status, body } of await Promise.all(pages)) {
    assert.deepEqual([status, body.data.length], [200, 1000])
  }
})

test('beyond a hundred that wait, more are told to come again', async () => {
  const readers = await Promise.all(Array.from({ length: 120 }, () => ask('/v1/device-groups')))
  assert.ok(await isSoon(() => readers.filter(({ received }) => received() > 0).length >= 15))
  const { status, headers } = await call('GET', '/v1/device-groups')
  assert.deepEqual([status, headers['retry-after']], [429, '1'])
  assert.equal((await call('GET', '/v1/device-groups', { as: neighbour })).status, 200)
  for (const { socket } of readers) socket.destroy()
})
