import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { clientNetwork } from './client-address.ts'

const examples: [string, string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['not an address', 'not an address'],
]
for (const [ip, network] of examples) {
  test(`counts ${ip} as ${network}`, () => assert.equal(clientNetwork(ip), network))
}

test('counts all addresses of an IPv6 network as one, however they are written', () => {
  const groups = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 4, maxLength: 4 })
  const written = (numbers: number[]) => numbers.map((group) => group.toString(16)).join(':')
  fc.assert(
    fc.property(groups, groups, (network, host) => {
      const full = clientNetwork(`${written(network)}:${written(host)}`)
      assert.equal(full, clientNetwork(`${written(network)}::`))
      assert.equal(full, `${written(network)}::/64`)
    }),
  )
})
