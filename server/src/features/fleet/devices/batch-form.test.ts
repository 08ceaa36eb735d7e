import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { creation, deletion, done, refused, sendBatch } from '../../../../test/device-batches.ts'
import { addGateway, euiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { networks } from '../../../networks/index.ts'

/** The fields of an item in which the networks' forms differ: as POST /devices has them. */

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')

/** What is answered to a creation that stands between two that are right. */
async function answerTo(data: object, number = 1) {
  const neighbour = creation(2)
  const items = [neighbour, creation(number, {}, data), deletion(2)]
  const [before, entry, behind] = await sendBatch(service, items)
  assert.deepEqual([before, behind], [done('added', 2), done('deleted', 2)])
  return entry
}

const labels = {
  gatewayId: 'gateway id',
  appRegion: 'app region',
  frequencyPlan: 'frequency plan',
} as const
const fitting = { appRegion: 'EU868', frequencyPlan: 'EU_863_870_TTN' }

// shows 10.10.1
test('requires what the form of the network requires, null and empty being absent', async () => {
  let checked = 0
  for (const { key, id, forms } of networks) {
    if (id === undefined) continue
    for (const [field, label] of Object.entries(labels)) {
      if (forms.device?.fields[field as keyof typeof labels] !== 'required') continue
      for (const value of [undefined, null, '']) {
        const entry = await answerTo({ ...fitting, network: key, [field]: value })
        assert.deepEqual(entry, refused(`The ${label} field is required.`))
        checked += 1
      }
    }
  }
  assert.equal(checked, 9)
})

const wrong: [string, object, string[]][] = [
  [
    'a plan that is none of the form',
    { network: 'thethingsnetwork', frequencyPlan: 'EU_1' },
    ['The selected frequency plan is invalid.'],
  ],
  [
    'a region that is none',
    { network: 'kerlink', appRegion: 'EU999' },
    ['The selected app region is invalid.'],
  ],
  ['a gateway that is none', { gatewayId: 999_999 }, ['The selected gateway id is invalid.']],
  ['a gateway id of zero', { gatewayId: 0 }, ['The selected gateway id is invalid.']],
  ['a gateway id that is text', { gatewayId: '1' }, ['The gateway id must be an integer.']],
  [
    'a wrong type of each, without saying that they are missing too',
    { network: 'kerlink', gatewayId: 'x', appRegion: 5, frequencyPlan: true },
    [
      'The gateway id must be an integer.',
      'The app region must be a string.',
      'The frequency plan must be a string.',
    ],
  ],
  [
    'all at once',
    { network: 'thethingsnetwork', gatewayId: -1, appRegion: 'X', deviceTypeId: 0, deviceKey: 'k' },
    [
      'The device key must be 32 characters.',
      'The frequency plan field is required.',
      'The selected gateway id is invalid.',
      'The selected device type is invalid.',
      'The selected app region is invalid.',
    ],
  ],
  [
    'the key of a device that AWS takes for one of LoRaWAN',
    { network: 'aws_iot_core', frequencyPlan: 'EU868', deviceKey: 'x'.repeat(32) },
    ['The device key must contain hexadecimal characters only.'],
  ],
]
for (const [name, data, errors] of wrong) {
  test(`complains about ${name}`, async () => {
    assert.deepEqual(await answerTo(data), refused(...errors))
  })
}

test('requires none of it of a device that no network is told of', async () => {
  const entry = await answerTo({ network: 'thethingsnetwork', consoleOnly: true }, 10)
  assert.deepEqual(entry, done('added', 10))
})

// shows 4.11.10
test('keeps the gateway that each device is registered with', async () => {
  const roof = await addGateway(service, 1, { gateway_name: 'Roof' })
  const free = await addGateway(service, 2, { gateway_bridge: 'other' })
  const data = await sendBatch(service, [
    creation(20, {}, { gatewayId: roof.id }),
    creation(21),
    creation(22, {}, { gatewayId: free.id }),
    creation(23, {}, { gatewayId: roof.id, network: 'senet' }),
  ])
  assert.deepEqual(
    data,
    [20, 21, 22, 23].map((number) => done('added', number)),
  )
  const devices = await Promise.all([20, 21, 22, 23].map((number) => readDevice(service, number)))
  assert.deepEqual(
    devices.map(({ gateway }) => gateway?.id ?? null),
    [roof.id, null, free.id, null],
  )
  assert.deepEqual(devices[0].gateway, {
    id: roof.id,
    name: 'Roof',
    gateway_eui: roof.gateway_eui,
  })
})

test('names no gateway of another network or organization, nor a deleted one', async () => {
  const elsewhere = await addGateway(service, 3, {
    gateway_bridge: 'aws_iot_core_lora',
    region: 'EU868',
  })
  const theirs = await addGateway(service, 4, {}, other)
  const gone = await addGateway(service, 5)
  await service.call('DELETE', `/v1/gateways/${gone.id}`)
  const items = [elsewhere, theirs, gone].map(({ id }) => creation(30, {}, { gatewayId: id }))
  const invalid = refused('The selected gateway id is invalid.')
  assert.deepEqual(await sendBatch(service, items), [invalid, invalid, invalid])
})

test('a device of AWS with a gateway or frequency plan is one of its LoRaWAN service', async () => {
  const gateway = await addGateway(service, 6, {
    gateway_bridge: 'aws_iot_core_lora',
    region: 'EU868',
  })
  const network = 'aws_iot_core'
  await sendBatch(service, [
    creation(40, {}, { network, deviceKey: 'x'.repeat(32) }),
    creation(41, {}, { network, gatewayId: gateway.id }),
    creation(42, {}, { network, frequencyPlan: 'EU868' }),
  ])
  const devices = await Promise.all([40, 41, 42].map((number) => readDevice(service, number)))
  assert.deepEqual(
    devices.map(({ network_name }) => network_name),
    ['AWS IoT Core', 'AWS IoT Core for LoRaWAN', 'AWS IoT Core for LoRaWAN'],
  )
})

test('looks the gateways up once, however many items name some', async (t) => {
  const gateway = await addGateway(service, 7)
  const statements: string[] = []
  const { query } = service.services.db
  t.mock.method(service.services.db, 'query', (text: string, values?: unknown[]) => {
    statements.push(text)
    return query.call(service.services.db, text, values)
  })
  const items = Array.from({ length: 50 }, (_, index) =>
    creation(100 + index, {}, { gatewayId: index % 2 === 0 ? gateway.id : 5_000 + index }),
  )
  const data = await sendBatch(service, items)
  assert.equal(data.filter(({ status }: { status: boolean }) => status).length, 25)
  assert.equal(statements.filter((text) => text.includes('from gateways')).length, 1)
  assert.equal((await readDevice(service, 100)).device_id, euiOf(100))
})
