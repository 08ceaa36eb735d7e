import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { NetworkError } from './network-error.ts'
import { createOutside, type Outside } from './outside.ts'
import { openRest } from './rest.ts'

const publicOnly = createOutside({ allowsLocal: false, listed: [] })
const withLocal = createOutside({ allowsLocal: true, listed: [] })

function mayCall(outside: Outside, address: string): boolean {
  try {
    outside.check(new URL(address))
    return true
  } catch (error) {
    assert.ok(error instanceof NetworkError && error.kind === 'refused', String(error))
    return false
  }
}

test('allows public addresses with TLS, and nothing without', () => {
  for (const address of [
    'https://eu1.cloud.thethings.network',
    'https://8.8.8.8',
    'wss://a.example',
  ]) {
    assert.ok(mayCall(publicOnly, address), address)
  }
  for (const address of ['http://eu1.loriot.io', 'mqtt://broker.example.com', 'ws://8.8.8.8']) {
    assert.ok(!mayCall(publicOnly, address), address)
    assert.ok(!mayCall(withLocal, address), address)
  }
})

const localAddresses = [
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '[::1]',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
]

test('reaches the local network only where the service itself is local', () => {
  for (const host of localAddresses) {
    assert.ok(!mayCall(publicOnly, `https://${host}`), host)
    assert.ok(mayCall(withLocal, `http://${host}:8080`), host)
  }
  assert.ok(mayCall(withLocal, 'http://chirpstack:8080'))
  assert.ok(!mayCall(publicOnly, 'http://chirpstack:8080'))
})

test('never reaches the addresses of clouds’ metadata, of nobody, or around the list', () => {
  const hosts = [
    '169.254.169.254',
    '[fe80::1]',
    '0.0.0.0',
    '[::]',
    '224.0.0.1',
    '255.255.255.255',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '0xa9fea9fe',
    '2852039166',
    '[::a9fe:a9fe]',
    '[::127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b:1::1]',
    '[2001::1]',
    '[fec0::1]',
    '100.100.100.200',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ]
  for (const host of hosts) {
    assert.ok(!mayCall(publicOnly, `https://${host}`), host)
    assert.ok(!mayCall(withLocal, `https://${host}`), host)
  }
})

test('allows whatever the operator lists, by name, address or range', () => {
  const listed = ['chirpstack.example.com', '10.1.0.0/16', 'fd00::/8']
  const outside = createOutside({ allowsLocal: false, listed })
  for (const host of [
    'chirpstack.example.com',
    'ChirpStack.example.com',
    '10.1.2.3',
    '[fd00::7]',
  ]) {
    assert.ok(mayCall(outside, `http://${host}:8080`), host)
  }
  assert.ok(!mayCall(outside, 'http://10.2.0.1'))
})

function resolve(outside: Outside, host: string) {
  return new Promise<string[]>((done, fail) => {
    outside.lookup(host, { all: true }, (error, addresses) => {
      if (error) fail(error)
      else if (Array.isArray(addresses)) done(addresses.map(({ address }) => address))
    })
  })
}

test('checks what a name resolves to, and gives only that to the connection', async () => {
  await assert.rejects(resolve(publicOnly, 'localhost'), /OUTBOUND_ALLOW/)
  assert.ok((await resolve(withLocal, 'localhost')).length > 0)
  const listed = createOutside({ allowsLocal: false, listed: ['localhost'] })
  assert.ok((await resolve(listed, 'localhost')).length > 0)
})

test('a call to a name that leads to a forbidden address is refused, not made', async (t) => {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    response.end('{}')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  // Listed ports do not count: the name is allowed without TLS, its address is not.
  const outside: Outside = { check: () => {}, lookup: publicOnly.lookup }
  const rest = openRest({ name: 'Test', base: `http://localhost:${port}`, outside, secrets: [] })
  t.after(() => rest.close())
  await assert.rejects(rest.call({ method: 'GET', path: '/' }), (error) => {
    assert.ok(error instanceof NetworkError)
    assert.deepEqual([error.kind, calls], ['refused', 0])
    return true
  })
})
