import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway, gatewayEuiOf, gatewayOf, noAccountForGateway } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { networks } from '../../../networks/index.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')

function post(body: unknown, as = service.owner) {
  return service.call('POST', '/v1/gateways', { as, body })
}

async function refusal(body: unknown) {
  const answer = await post(body)
  assert.equal(answer.status, 422, answer.text)
  const [first] = Object.values(answer.body.errors) as string[][]
  assert.equal(answer.body.message, first?.[0])
  return answer.body.errors
}

// shows 2.10.1-9, 4.23.1, 4.23.5, 10.6.10
test('registers a gateway and answers its record', async () => {
  const answer = await post(gatewayOf(1))
  assert.equal(answer.status, 200)
  const { id, uuid, created_at, updated_at, user, ...record } = answer.body.gateway
  assert.deepEqual(
    { ...answer.body, gateway: record },
    {
      status: true,
      message: 'Gateway has been created successfully.',
      gateway: {
        user_id: 1,
        gateway_name: 'Gateway 1',
        gateway_bridge: 'chirpstack',
        register_status: 'pending',
        error_msg: noAccountForGateway,
        config_json: null,
        gateway_ip: '192.168.2.1',
        gateway_eui: gatewayEuiOf(1),
      },
      warnings: [noAccountForGateway],
    },
  )
  assert.ok(Number.isInteger(id))
  assert.match(uuid, /^[0-9a-f-]{36}$/)
  assert.equal(created_at, '2026-03-01T12:00:00.000000Z')
  assert.equal(updated_at, created_at)
  assert.deepEqual(Object.keys(user), [
    'id',
    'timezone_format',
    'console_only',
    'timezone_id',
    'identity',
  ])
})

// shows 1.3.7, 10.2.13
test('takes the neutral names of the networks, with and without angle brackets', async () => {
  for (const [index, name] of ['network_key_9', '<network_key_9>'].entries()) {
    const gateway = await addGateway(service, 10 + index, { gateway_bridge: name })
    assert.equal(gateway.gateway_bridge, 'chirpstack')
  }
})

// shows 4.23.3
test('names all that is missing at once', async () => {
  const required = (label: string) => [`The ${label} field is required.`]
  const nothing = {
    gateway_name: required('gateway name'),
    gateway_eui: required('gateway EUI'),
    gateway_bridge: required('gateway bridge'),
  }
  assert.deepEqual(await refusal({}), nothing)
  const blank = { gateway_name: '', gateway_eui: null, gateway_bridge: '', gateway_ip: '' }
  assert.deepEqual(await refusal(blank), nothing)
  assert.deepEqual(await refusal({ gateway_bridge: 'thethingsnetwork' }), {
    gateway_name: required('gateway name'),
    gateway_eui: required('gateway EUI'),
    frequency_plan: required('frequency plan'),
    zone_id: required('zone id'),
  })
})

const invalid: [string, unknown, string][] = [
  ['gateway_name', 7, 'The gateway name must be a string.'],
  ['gateway_name', 'x'.repeat(256), 'The gateway name may not be greater than 255 characters.'],
  ['gateway_name', 'a\u0000', 'The gateway name contains a character that is not allowed.'],
  ['gateway_eui', '00BB', 'The gateway EUI must be 16 characters.'],
  ['gateway_eui', '00BB00000000000G', 'The gateway EUI must contain hexadecimal characters only.'],
  ['gateway_ip', 'roof', 'The gateway ip must be an IP address such as 192.168.2.1.'],
  ['gateway_ip', 5, 'The gateway ip must be a string.'],
  ['region', 'EU869', 'The selected region is invalid.'],
  ['gateway_bridge', 'lora', 'The selected gateway bridge is invalid.'],
  ['gateway_bridge', ['chirpstack'], 'The selected gateway bridge is invalid.'],
]

for (const [field, value, message] of invalid) {
  // shows 1.4.5, 4.23.1, 4.23.2
  test(`refuses ${JSON.stringify(value).slice(0, 40)} as ${field}`, async () => {
    assert.deepEqual(await refusal(gatewayOf(2, { [field]: value })), { [field]: [message] })
  })
}

// shows 10.2.1, 10.2.2, 10.2.5, 10.2.10
test('takes no gateways for the networks that manage them elsewhere', async () => {
  for (const key of ['machineq', 'senet', 'everynet', 'aws_iot_core']) {
    const errors = await refusal(gatewayOf(2, { gateway_bridge: key }))
    assert.deepEqual(errors, { gateway_bridge: ['The selected gateway bridge is invalid.'] })
  }
})

// A value that fits each network's form, by the names of POST /gateways.
const complete: Record<string, Record<string, string>> = {
  thethingsnetwork: { frequency_plan: 'EU_863_870_TTN', zone_id: 'eu1' },
  loriot: {
    brand: 'kerlink',
    model: 'evolution',
    concentrator: 'kerlink_femtocell',
    bus: 'SPI',
    loriot_gateway: '7076FFFFFF053A13',
  },
  aws_iot_core_lora: { region: 'EU868' },
  kerlink: { region: 'EU868', visibility: 'PRIVATE', fleet: '3' },
  actility: { model: 'KERLINK/iStation', ism_band: 'EU868', serial_number: '7' },
  chirpstack: {},
  other: {},
}

// shows 1.3.5-7, 2.10.5, 4.23.3, 10.2.6, 10.2.11, 10.2.12
test('registers a gateway on every network that takes some, with the fields of its form', async () => {
  const bridges = networks.filter(({ forms }) => forms.gateway).map(({ key }) => key)
  assert.deepEqual(Object.keys(complete).sort(), bridges.sort())
  for (const [index, key] of bridges.entries()) {
    const { region, ...settings } = complete[key] ?? {}
    const gateway = await addGateway(service, 30 + index, {
      gateway_bridge: key,
      ...complete[key],
    })
    const expected = Object.keys(settings).length > 0 ? settings : null
    assert.deepEqual(gateway.config_json, expected, key)
    assert.equal(gateway.register_status, key === 'other' ? 'active' : 'pending')
    const listed = await service.call(
      'GET',
      `/v1/gateways?version=lite&search=Gateway ${30 + index}`,
    )
    assert.equal(listed.body.data[0].region, region ?? null)
  }
})

// shows 4.23.4
test('requires each field that the form requires, and checks its choices', async () => {
  let checked = 0
  for (const [key, values] of Object.entries(complete)) {
    const form = networks.find((network) => network.key === key)?.forms.gateway
    for (const name of Object.keys(values)) {
      const { [name]: _, ...without } = values
      const body = gatewayOf(50, { gateway_bridge: key, ...without })
      const camel = name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
      const field = Object.entries(form?.fields ?? {}).find(([field]) =>
        [camel, `${camel}s`].includes(field),
      )?.[1]
      if (field?.validation === 'required') {
        assert.deepEqual(Object.keys(await refusal(body)), [name])
        checked += 1
      }
      if (field?.values) {
        assert.deepEqual(await refusal({ ...body, [name]: 'nonsense' }), {
          [name]: [`The selected ${name.replaceAll('_', ' ')} is invalid.`],
        })
      }
    }
  }
  assert.equal(checked, 7)
})

test('takes the names of the form as well, and ignores what the network has no use for', async () => {
  const gateway = await addGateway(service, 51, {
    gateway_bridge: 'kerlink',
    region: undefined,
    appRegion: 'US915',
    visibility: 'PUBLIC',
    frequency_plan: 'EU_863_870_TTN',
    zone_id: 'eu1',
    networkGateway: 1,
  })
  assert.deepEqual(gateway.config_json, { visibility: 'PUBLIC' })
})

// shows 10.1.8, 10.1.10
test('an EUI exists once per organization and network, in any case', async () => {
  await addGateway(service, 0xab)
  const taken = { gateway_eui: ['The gateway EUI has already been taken.'] }
  const lower = gatewayEuiOf(0xab).toLowerCase()
  for (const gateway_eui of [gatewayEuiOf(0xab), lower]) {
    assert.deepEqual(await refusal(gatewayOf(0xab, { gateway_eui })), taken)
  }
  const elsewhere = await addGateway(service, 0xab, { gateway_bridge: 'other', gateway_eui: lower })
  assert.equal(elsewhere.gateway_eui, lower)
  await addGateway(service, 0xab, {}, other)
  const first = await service.call('GET', `/v1/gateways/${lower}`)
  assert.equal(first.body.gateway.gateway_bridge, 'chirpstack')
})

test('one of many registrations of an EUI at once succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(gatewayOf(60))))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, 422, 422, 422, 422, 422, 422, 422])
})

// shows 10.3.11
test('takes the permission manage_gateways', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_gateways'])
  const denied = await post(gatewayOf(70), reader)
  assert.deepEqual([denied.status, Object.keys(denied.body)], [403, ['message']])
  const gateway = await addGateway(service, 70, {}, writer)
  assert.equal(gateway.user_id, writer.userId)
  assert.equal(gateway.user.identity.email, 'writer@example.test')
})
