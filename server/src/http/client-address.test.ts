import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { createFindClientAddress } from './client-address.ts'

const told: string[] = []
const find = createFindClientAddress(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.9'], (address) =>
  told.push(address),
)

function from(remoteAddress: string, header?: string): string {
  const headers = header === undefined ? {} : { 'x-forwarded-for': header }
  return find({ socket: { remoteAddress } as Socket, headers })
}

const cases: [remote: string, header: string | undefined, address: string][] = [
  ['198.51.100.1', undefined, '198.51.100.1'],
  ['::ffff:198.51.100.1', undefined, '198.51.100.1'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['2001:db8:1::5', '198.51.100.1', '198.51.100.1'],
  ['192.0.2.9', '203.0.113.7, 198.51.100.1, 10.1.1.1', '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1:54321', '198.51.100.1'],
  ['10.0.0.1', '[2001:db8::7]:54321', '2001:db8::7'],
  ['10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
  ['10.0.0.1', '"[2001:db8::7]:443"', '2001:db8::7'],
  ['10.0.0.1', ' 2001:db8::7 ', '2001:db8::7'],
  ['10.0.0.1', 'fe80::1%eth0', 'fe80::1'],
  ['10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', ',,', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, _hidden, 10.0.0.2', '10.0.0.2'],
  ['10.0.0.1', '999.1.1.1:80', '10.0.0.1'],
  ['10.0.0.1', `198.51.100.1, ${'x'.repeat(5000)}`, '10.0.0.1'],
]

for (const [remote, header, address] of cases) {
  test(`${remote} with X-Forwarded-For ${String(header).slice(0, 60)} is ${address}`, () => {
    assert.equal(from(remote, header), address)
  })
}

test('an address that is not trusted is told once, and its header not believed', () => {
  assert.deepEqual(told, [])
  assert.equal(from('198.51.100.1', '203.0.113.7'), '198.51.100.1')
  assert.equal(from('198.51.100.2', '203.0.113.7'), '198.51.100.2')
  assert.deepEqual(told, ['198.51.100.1'])
})
