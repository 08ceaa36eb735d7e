import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from './live-stream.ts'
import { foundOrganization } from './members.ts'
import { type Login, startListening } from './service.ts'

/** Clients that send or read too slowly, and what they cost others. */

const service = await startListening({ after }, { pace: { bodyWindow: 3000, readerWindow: 500 } })
const { port, origin } = new URL(service.services.publicUrl)
const tenant = await foundOrganization(service, 'tenant@example.test')
const sibling = await foundOrganization(service, 'sibling@example.test', tenant)
const stranger = await foundOrganization(service, 'stranger@example.test')

/** Sends a byte of a large body now and then, and reads the answer until the connection ends. */
function trickle(as: Login) {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST /v1/batch-device-requests HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${as.token}\r\n` +
      `Organization: ${as.organizationId}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 1000000\r\n\r\n{"devices":[',
  )
  const timer = setInterval(() => socket.write(' '), 100)
  socket.once('close', () => clearInterval(timer))
  return { socket, answer: text(socket) }
}

async function sendLarge(as: Login): Promise<number> {
  const { status } = await fetch(`${origin}/v1/batch-device-requests`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.token}`,
      organization: String(as.organizationId),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ devices: [], padding: 'x'.repeat(100_000) }),
  })
  return status
}

test('a body that comes too slowly is answered 408, and its connection ends', async () => {
  const answer = await trickle(tenant).answer
  assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  assert.match(answer, /\r\nconnection: close\r\n/i)
  assert.match(answer, /{"message":"The request body came in too slowly\."}$/)
})

test('a body that comes fast enough is read, however large it is', async () => {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST /v1/batch-device-requests HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      `Authorization: Bearer ${tenant.token}\r\nOrganization: ${tenant.organizationId}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
  )
  for (let sent = 0; sent < 100_000; sent += 5000) {
    socket.write(' '.repeat(5000))
    await sleep(150)
  }
  assert.match(await text(socket), /^HTTP\/1\.1 400 /)
})

test('slow bodies of one organization refuse and delay nobody else', async (t) => {
  const slow = Array.from({ length: 20 }, () => trickle(tenant))
  t.after(() => {
    for (const { socket } of slow) socket.destroy()
  })
  await sleep(200)
  const before = performance.now()
  for (let round = 0; round < 5; round += 1) {
    const [ofSibling, ofStranger] = await Promise.all([sendLarge(sibling), sendLarge(stranger)])
    assert.ok(ofSibling !== 429 && ofStranger !== 429)
  }
  assert.ok(performance.now() - before < 2400, `${performance.now() - before} ms`)
  assert.match(await Promise.race(slow.map(({ answer }) => answer)), /^HTTP\/1\.1 408 /)
})

test('an idle stream of events stays open', async () => {
  const stream = await openStream(service)
  await sleep(1500)
  assert.equal(stream.isOver(), false)
  await stream.close()
})

test('a client that goes away in the middle of its body leaves the share to the next', async () => {
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /v1/batch-device-requests HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ` +
      `${sibling.token}\r\nOrganization: ${sibling.organizationId}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{',
  )
  await sleep(100)
  socket.destroy()
  assert.notEqual(await sendLarge(sibling), 429)
})
