import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { toOneLine } from '../src/http/fields.ts'
import { creation } from './device-batches.ts'
import {
  addDevice,
  addGateway,
  addGroup,
  euiOf,
  gatewayCreation,
  gatewayOf,
  registrationOf,
} from './fleet.ts'
import { tinyPlan } from './floor-plans.ts'
import { fc } from './properties.ts'
import { startTestService } from './service.ts'

/** Names are one line each: they stand in lists, mails, logs and files next to other names. */

const service = await startTestService({ after })
const { call } = service

const marks = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']
const controls = [...'\r\n\t\u0001\u001b\u007f\u0085\u2028\u2029']
const refusedCharacter = fc.constantFrom(...marks, ...controls)
const refusedName = fc
  .tuple(fc.string(), refusedCharacter, fc.string())
  .map(([begin, character, end]) => `N${begin.slice(0, 20)}${character}${end.slice(0, 20)}N`)
  .filter((name) => !name.includes('\u0000'))

const person = { email: 'ada@example.test', password: 'an invented pass phrase' }
const names = { first_name: 'Ada', last_name: 'Lovelace' }
const type = { type_name: 'Probe', payload_format: 'cayenne_lpp' }
const webhook = { url: 'https://hooks.example.test/', events: ['uplink'] }
await addDevice(service, 1)
const gateway = await addGateway(service, 1)
const group = await addGroup(service, 'Hall')

/** Every request that gives something a name, and the member with the name. */
const namings: [string, string, string, (name: string) => object][] = [
  ['POST', '/devices', 'deviceName', (deviceName) => registrationOf(2, { deviceName })],
  ['PATCH', `/devices/${euiOf(1)}`, 'device_name', (device_name) => ({ device_name })],
  ['POST', '/gateways', 'gateway_name', (gateway_name) => gatewayOf(2, { gateway_name })],
  ['PATCH', `/gateways/${gateway.id}`, 'gateway_name', (gateway_name) => ({ gateway_name })],
  ['POST', '/device-groups', 'groupName', (groupName) => ({ groupName })],
  ['PATCH', `/fleet/groups/${group}`, 'name', (name) => ({ name })],
  ['POST', '/organizations', 'name', (name) => ({ name, owner: { ...person, ...names } })],
  ['PATCH', '/organization', 'name', (name) => ({ name })],
  ...['first_name', 'last_name'].flatMap((member): typeof namings => [
    ['PATCH', '/user', member, (name) => ({ [member]: name })],
    [
      'POST',
      '/organization/users',
      member,
      (name) => ({ ...person, ...names, [member]: name, permissions: [] }),
    ],
  ]),
  ['POST', '/device-types', 'type_name', (type_name) => ({ ...type, type_name })],
  ['POST', '/device-types', 'part_number', (part_number) => ({ ...type, part_number })],
  ['POST', '/webhooks', 'name', (name) => ({ ...webhook, name })],
  ['POST', '/api-keys', 'name', (name) => ({ name, permissions: [] })],
  ['POST', '/alert-rules', 'name', (name) => ({ name, kind: 'registration_error' })],
  ['POST', '/floor-plans', 'name', (name) => ({ name, group_id: 1, image: tinyPlan })],
  ['POST', '/dashboards', 'name', (name) => ({ name, widgets: [] })],
]

describe('a name with an end of line, a control character or a mark of direction', () => {
  for (const [method, path, member, bodyOf] of namings) {
    test(`is refused by ${method} ${path} (${member})`, async () => {
      await fc.assert(
        fc.asyncProperty(refusedName, async (name) => {
          const { status, body, text } = await call(method, `/v1${path}`, { body: bodyOf(name) })
          assert.equal(status, 422, text)
          assert.deepEqual(Object.keys(body.errors), [member])
          assert.match(body.message, /must be one line, without control characters and marks of/)
        }),
        { numRuns: 40, examples: [...marks, ...controls].map((each) => [`a${each}b`]) },
      )
    })
  }

  test('is refused in its row of a batch', async () => {
    const bad = 'Door\u202e 1'
    const devices = [creation(5), creation(6, { deviceName: bad })]
    const answer = await call('POST', '/v1/batch-device-requests', { body: { devices } })
    assert.match(answer.body.data[1].errors[0], /The device name must be one line/)
    const gateways = [gatewayCreation(7, { gatewayName: bad })]
    const more = await call('POST', '/v1/batch-gateway-requests', { body: { gateways } })
    assert.match(JSON.stringify(more.body.data[0]), /The gateway name must be one line/)
  })
})

test('names in any script are taken, and notes may have lines', async () => {
  const taken = ['Tür 3', 'قبو الماء', 'מרתף', '地下室', 'Tu\u0308r', 'می\u200cخواهم', '👩\u200d🔧']
  for (const device_name of taken) {
    const body = { device_name, extra_notes: 'First line\r\n\tsecond line' }
    const answer = await call('PATCH', `/v1/devices/${euiOf(1)}`, { body })
    assert.equal(answer.status, 200, answer.text)
  }
})

test('a name that comes from elsewhere keeps all but those characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), refusedCharacter, (text, character) => {
      const line = toOneLine(text + character + text)
      assert.equal(toOneLine(line), line)
      assert.ok([...marks, ...controls].every((each) => !line.includes(each)))
    }),
  )
  assert.equal(toOneLine('Hall\r\nDoor\u202e'), 'Hall Door')
})
