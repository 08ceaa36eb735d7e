import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDevice } from './fleet.ts'
import { startListening } from './service.ts'

/** The client address in the security log, and its lines about a client that does not wait. */

const lines: string[] = []
const service = await startListening(
  { after },
  { trustedProxies: ['127.0.0.1'], takeLine: (line) => lines.push(line) },
)
const { port } = service.app.server.address() as { port: number }

/** Returns the events of a path when there are this many. */
async function eventsOn(part: string, count: number): Promise<Record<string, unknown>[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = lines.filter((line) => line.includes('security event') && line.includes(part))
    if (found.length >= count) return found.map((line) => JSON.parse(line))
    await sleep(20)
  }
  return []
}

/** Sends a request and closes the connection at once. */
async function deleteAndLeave(path: string, token: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const head = `DELETE ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}`
  await new Promise<void>((resolve) => {
    socket.end(`${head}\r\nOrganization: 1\r\n\r\n`, resolve)
  })
  socket.destroy()
}

test('names the address that a trusted proxy passes on', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  await service.call('GET', '/v1/device-types', { as: null, headers })
  const [refused] = await eventsOn('/v1/device-types', 1)
  assert.equal(refused?.clientIp, '203.0.113.9')
  const { id } = await addDevice(service, 1)
  await service.call('DELETE', `/v1/devices/${id}`, { headers })
  const [deleted] = await eventsOn('device_deleted', 1)
  assert.deepEqual([deleted?.userId, deleted?.clientIp], [1, '203.0.113.9'])
})

test('callers behind one proxy have a bound each', async () => {
  const ask = (address: string) =>
    service.call('GET', '/v1/gateways', { as: null, headers: { 'x-forwarded-for': address } })
  await Promise.all(Array.from({ length: 30 }, () => ask('203.0.113.10')))
  await ask('203.0.113.11')
  const refused = await eventsOn('/v1/gateways', 21)
  assert.equal(refused.filter(({ clientIp }) => clientIp === '203.0.113.11').length, 1)
})

test('says of a client that goes first what was done, and no more', async () => {
  const { id } = await addDevice(service, 2)
  await deleteAndLeave(`/v1/devices/${id}`, 'x'.repeat(43))
  const [refused, ...more] = await eventsOn(`"device_id":"${id}"`, 1)
  assert.deepEqual([refused?.event, refused?.status, more], ['refused', 401, []])
  await deleteAndLeave(`/v1/devices/${id}`, service.owner.token)
  const [, deleted] = await eventsOn(`"device_id":"${id}"`, 2)
  assert.deepEqual([deleted?.event, deleted?.userId], ['device_deleted', 1])
})
