import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { networks } from '../../../networks/index.ts'

const service = await startTestService({ after })
const member = await joinMember(service, 'ada@example.test')
const other = await foundOrganization(service, 'bo@example.test')

function show(query: string, as = member) {
  return service.call('GET', `/v1/configurations${query}`, { as })
}

async function form(type: 'device' | 'gateway', network: string, as = member) {
  const answer = await show(`?network=${encodeURIComponent(network)}&type=${type}`, as)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const deviceFields = [
  'consoleOnly',
  'network',
  'registerMethod',
  'deviceId',
  'deviceName',
  'deviceKey',
  'deviceTypeId',
  'joinEui',
  'gatewayId',
  'appRegion',
  'frequencyPlan',
  'mfatoken',
  'groups',
]
const gatewayFields = [
  'gatewayName',
  'gatewayIp',
  'description',
  'gatewayEui',
  'loriotGateway',
  'concentrator',
  'bus',
  'card',
  'brand',
  'region',
  'fleet',
  'visibility',
  'frequencyPlans',
  'zoneId',
  'model',
  'ismBand',
  'serialNumber',
]

const nine = networks.filter(({ id }) => id !== undefined)

// shows 1.3.2, 4.10.1, 4.10.2, 4.10.20, 10.2.13
test('every network has a device form with the fields of the contract', async () => {
  assert.equal(nine.length, 9)
  for (const { key, id, alias = '', name } of nine) {
    const body = await form('device', key)
    assert.deepEqual(Object.keys(body), ['payment', 'user_account_configured', 'form'])
    assert.deepEqual(Object.keys(body.form.fields).sort(), [...deviceFields].sort())
    assert.deepEqual(body.form.fields.network.values, { [String(id)]: name })
    assert.deepEqual(await form('device', alias), body)
    assert.deepEqual(await form('device', `<${alias}>`), body)
  }
})

// shows 4.10.9, 4.10.10, 4.10.12, 4.10.13
test('the data of every device form has the shape of the contract', async () => {
  let plans = 0
  for (const { key } of nine) {
    const { form: shown } = await form('device', key)
    assert.deepEqual(Object.keys(shown).sort(), ['data', 'fields'])
    const { data } = shown
    const members = ['frequencyPlans', 'gateways', 'groups', 'joinEui', 'regions']
    assert.deepEqual(Object.keys(data).sort(), members)
    for (const list of Object.values(data)) assert.ok(Array.isArray(list), key)
    for (const region of data.regions) assert.deepEqual(Object.keys(region).sort(), ['id', 'name'])
    for (const joinEui of data.joinEui) assert.match(joinEui, /^[0-9A-F]{16}$/)
    for (const { base_id = '', ...plan } of data.frequencyPlans) {
      assert.deepEqual(Object.keys(plan).sort(), ['base_frequency', 'id', 'name'])
      assert.ok(Number.isInteger(plan.base_frequency))
      assert.equal(typeof base_id, 'string')
      plans += 1
    }
  }
  assert.ok(plans > 0)
})

/** Whether a field says what is asked, in the words of the contract. */
function checkField(field: unknown, validations: string[], types: string[], name: string) {
  if (field === 'na') return
  const { validation, type, values, ...rest } = field as Record<string, unknown>
  assert.deepEqual(rest, {}, name)
  assert.ok(validations.includes(String(validation)), `${name}: ${validation}`)
  assert.ok(types.includes(String(type)), `${name}: ${type}`)
  if (name === 'joinEui') return assert.ok(Array.isArray(values), name)
  assert.equal(type === 'text', values === undefined, name)
  for (const label of Object.values(values ?? {})) assert.equal(typeof label, 'string', name)
}

// shows 4.10.15-19, 10.1.2
test('each field of the device forms is na or says validation, type and values', async () => {
  const validations = ['required', 'optional', 'required_if:consoleOnly,1']
  for (const { key } of nine) {
    const { fields } = (await form('device', key)).form
    for (const [name, field] of Object.entries(fields)) {
      checkField(field, validations, ['select', 'text', 'multiselect'], name)
    }
    assert.equal(fields.mfatoken, 'na')
    assert.equal(fields.groups.type, 'multiselect')
    const withSlash = await show(`/?network=${key}&type=device`)
    assert.deepEqual(withSlash.body.form.fields, fields)
  }
})

// shows 4.21.4-7, 10.1.2, 10.2.4
test('each field of the gateway forms is na or says validation, type and values', async () => {
  for (const { key } of nine) {
    const { fields, data } = (await form('gateway', key)).form
    for (const [name, field] of Object.entries(fields)) {
      checkField(field, ['required', 'optional'], ['select', 'text'], name)
    }
    assert.deepEqual(Object.keys(data).sort(), ['description', 'models'])
    assert.equal(typeof data.description, 'string')
    assert.ok(Array.isArray(data.models))
  }
  const { loriotGateway, concentrator, bus, card } = (await form('gateway', 'loriot')).form.fields
  for (const field of [loriotGateway, concentrator, bus, card]) assert.notEqual(field, 'na')
})

test('a registration filled in by the form is accepted', async () => {
  for (const [index, { key, id }] of nine.entries()) {
    const { fields, data } = (await form('device', key)).form
    const fill = (field: string) => {
      const { values = {} } = fields[field]
      return fields[field] === 'na' ? null : (Object.keys(values)[0] ?? null)
    }
    const body = registrationOf(index + 1, {
      network: id,
      appRegion: fill('appRegion'),
      frequencyPlan: fill('frequencyPlan'),
      joinEui: data.joinEui[0],
      deviceType: Number(fill('deviceTypeId')),
      registerMethod: fill('registerMethod'),
    })
    const answer = await service.call('POST', '/v1/devices', { body })
    assert.equal(answer.status, 200, `${key}: ${answer.text}`)
  }
})

// shows 4.10.10
test('shows what The Things Stack needs', async () => {
  const { form: shown } = await form('device', 'thethingsnetwork')
  assert.equal(shown.fields.frequencyPlan.validation, 'required')
  assert.equal(shown.fields.frequencyPlan.type, 'select')
  assert.equal(
    shown.fields.frequencyPlan.values.US_902_928_FSB_2,
    'United States 902-928 MHz, FSB 2 (used by TTN)',
  )
  const plans = shown.data.frequencyPlans.map(({ id }: { id: string }) => id)
  assert.deepEqual(plans, Object.keys(shown.fields.frequencyPlan.values))
  assert.deepEqual(shown.fields.joinEui.values, shown.data.joinEui)
  assert.deepEqual(shown.data.regions[1], { name: 'EU868', id: 'EU868' })
  assert.equal(shown.fields.mfatoken, 'na')
  assert.deepEqual(shown.fields.deviceKey, { validation: 'required', type: 'text' })
})

// shows 4.10.11, 4.10.14
test("offers the organization's gateways and groups, and those of no other", async () => {
  const mine = await addGateway(service, 1)
  const recorded = await addGateway(service, 2, { gateway_bridge: 'other' })
  await addGateway(service, 3, { gateway_bridge: 'aws_iot_core_lora', region: 'EU868' })
  await addGateway(service, 4, {}, other)
  const body = { groupName: 'Cellar', selectedDevices: [], selectedGroup: null }
  const group = (await service.call('POST', '/v1/device-groups', { body })).body.data
  const { fields, data } = (await form('device', 'chirpstack')).form
  assert.deepEqual(fields.gatewayId.values, {
    [mine.id]: 'Gateway 1',
    [recorded.id]: 'Gateway 2',
  })
  assert.deepEqual(data.gateways[0], {
    id: mine.id,
    name: 'Gateway 1',
    gateway_eui: mine.gateway_eui,
  })
  assert.deepEqual(data.groups, [{ id: group.id, groupName: 'Cellar' }])
  assert.deepEqual(fields.groups.values, { [group.id]: 'Cellar' })
  const theirs = (await form('device', 'chirpstack', other)).form.data
  assert.deepEqual([theirs.gateways.length, theirs.groups], [1, []])
  const none = (await form('device', 'senet')).form
  assert.deepEqual([none.fields.gatewayId, none.data.gateways], ['na', []])
})

// shows 4.10.3-8, 8.1.4, 10.2.16
test('tells of payment, quota and account', async () => {
  const set = 'update organizations set device_limit = 5, device_count = 2 where id = $1'
  await service.services.db.query(set, [other.organizationId])
  const before = await form('device', 'chirpstack', other)
  assert.deepEqual(before.payment, {
    eligible: false,
    subscriptions: false,
    isOnTrial: false,
    isDemoAccount: false,
    remainingDevices: 3,
  })
  assert.equal(before.user_account_configured, false)
  const account = {
    server: 'http://127.0.0.1:1',
    api_key: 'key',
    tenant_id: '00000000-0000-4000-a000-000000000001',
    application_id: '00000000-0000-4000-a000-000000000002',
    device_profile_id: '00000000-0000-4000-a000-000000000003',
  }
  const url = '/v1/network-accounts/chirpstack'
  await service.call('PUT', url, { as: other, body: account })
  assert.equal((await form('device', 'chirpstack', other)).user_account_configured, true)
  assert.equal((await form('device', 'loriot', other)).user_account_configured, false)
  await service.call('PUT', url, { body: { ...account, register_method: 'vendor' } })
  assert.equal((await form('device', 'chirpstack')).user_account_configured, false)
})

// shows 4.21.1-3
test('every network has a gateway form; all of it is na where gateways are not registered', async () => {
  for (const { key, alias = key } of networks) {
    const body = await form('gateway', key)
    assert.deepEqual(Object.keys(body), ['form'])
    assert.deepEqual(Object.keys(body.form.fields), gatewayFields)
    assert.match(body.form.data.description, /^<p>[^<>]+<\/p>$/)
    const isTaken = !['machineq', 'senet', 'everynet', 'aws_iot_core'].includes(key)
    const isUsed = Object.values(body.form.fields).some((field) => field !== 'na')
    assert.equal(isUsed, isTaken, key)
    assert.deepEqual(await form('gateway', `<${alias}>`), body)
  }
})

// shows 10.2.8, 10.2.9
test('shows the fields of each gateway form', async () => {
  const fieldsOf = async (network: string) => {
    const { fields } = (await form('gateway', network)).form
    const used = gatewayFields.slice(4).filter((name) => fields[name] !== 'na')
    return used.map((name) => `${name} ${fields[name].validation} ${fields[name].type}`)
  }
  assert.deepEqual(await fieldsOf('thethingsnetwork'), [
    'frequencyPlans required select',
    'zoneId required select',
  ])
  assert.deepEqual(await fieldsOf('kerlink'), [
    'brand optional text',
    'region required select',
    'fleet optional text',
    'visibility required select',
  ])
  assert.deepEqual(await fieldsOf('actility'), [
    'model required text',
    'ismBand required select',
    'serialNumber optional text',
  ])
  assert.ok((await fieldsOf('loriot')).includes('concentrator optional text'))
})

// shows 4.10.1, 4.21.1, 10.1.20
test('refuses a network or type that is missing or unknown', async () => {
  const type = 'The type must be one of: device, gateway.'
  const network = 'The selected network is invalid.'
  const cases: [string, Record<string, string[]>][] = [
    ['', { network: ['The network field is required.'], type: ['The type field is required.'] }],
    ['/?network=chirpstack', { type: ['The type field is required.'] }],
    ['?type=device', { network: ['The network field is required.'] }],
    ['?network=chirpstack&type=group', { type: [type] }],
    ['?network=lora&type=group', { network: [network], type: [type] }],
    ['?network=lora&type=gateway', { network: [network] }],
    ['?network=other&type=device', { network: [network] }],
    ['?network=aws_iot_core_lora&type=device', { network: [network] }],
  ]
  for (const [query, errors] of cases) {
    const answer = await show(query)
    assert.deepEqual([answer.status, answer.body.errors], [422, errors], query)
  }
})
