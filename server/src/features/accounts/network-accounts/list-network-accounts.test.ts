import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })

const keys = [
  'machineq',
  'senet',
  'thethingsnetwork',
  'loriot',
  'aws_iot_core',
  'aws_iot_core_lora',
  'kerlink',
  'actility',
  'everynet',
  'chirpstack',
  'other',
]

async function list(as = service.owner) {
  const { status, body } = await service.call('GET', '/v1/network-accounts/', { as })
  assert.equal(status, 200)
  return body.data as { network: string; status: string; [key: string]: unknown }[]
}

const [needed, optional] = [{ required: true }, { required: false }]
const [shown, secret] = [
  { secret: false, listed: null },
  { secret: true, listed: null },
]
const listed = (label: string, more: object = {}) => {
  return { label, within: null, several: false, ...more }
}

// shows 11.1.11
test('lists every network with its fields, connected or not', async () => {
  const lines = await list()
  assert.deepEqual(
    lines.map(({ network }) => network),
    keys,
  )
  assert.deepEqual(
    lines.find(({ network }) => network === 'chirpstack'),
    {
      network: 'chirpstack',
      name: 'ChirpStack v4',
      register_method: 'user_account',
      status: 'not_connected',
      message: '',
      account: null,
      callback: null,
      verdict: null,
      fields: [
        { name: 'server', label: 'Server (http://host:8080)', ...shown, ...needed },
        { name: 'api_key', label: 'API key', ...secret, ...needed },
        { name: 'tenant_id', label: 'Tenant ID', ...shown, ...needed, listed: listed('Tenant') },
        {
          ...{ name: 'application_id', label: 'Application ID', ...shown, ...needed },
          listed: listed('Application', { within: 'tenant_id' }),
        },
        {
          ...{ name: 'more_application_ids', ...shown, ...optional },
          label: 'IDs of further applications, separated by commas',
          listed: listed('Further applications', { within: 'tenant_id', several: true }),
        },
        {
          ...{ name: 'device_profile_id', label: 'Device profile ID', ...shown, ...needed },
          listed: listed('Device profile', { within: 'tenant_id' }),
        },
        { name: 'mqtt_url', label: 'MQTT broker (mqtt://host:1883)', ...shown, ...optional },
        { name: 'mqtt_username', label: 'MQTT user name', ...shown, ...optional },
        { name: 'mqtt_password', label: 'MQTT password', ...secret, ...optional },
      ],
    },
  )
})

test('a connected network shows the account as retrieving it does', async () => {
  const { network, ...account } = await connect(service, simulator)
  const vendor = await connect(service, simulator, { register_method: 'vendor' })
  const reader = await joinMember(service, 'reader@example.test', ['manage_account'])
  const lines = (await list(reader)).filter((line) => line.network === network)
  assert.deepEqual(
    lines.map(({ name, fields, verdict: _, ...rest }) => [name, Array.isArray(fields), rest]),
    [
      ['ChirpStack v4', true, { network, ...account }],
      ['ChirpStack v4', true, vendor],
    ],
  )
})

test('another organization sees its own accounts only', async () => {
  const other = await foundOrganization(service, 'bo@example.test')
  const lines = await list(other)
  assert.deepEqual(
    lines.map(({ network }) => network),
    keys,
  )
  assert.ok(lines.every(({ status }) => status === 'not_connected'))
})
