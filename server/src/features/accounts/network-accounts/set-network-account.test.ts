import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startChirpStack } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })
const whole = simulator.account
const open = {
  server: simulator.server,
  tenant_id: simulator.tenantId,
  application_id: simulator.applicationId,
  device_profile_id: simulator.deviceProfileId,
}
const url = '/v1/network-accounts/chirpstack'

function put(body: unknown, as: Login = service.owner, network = 'chirpstack') {
  return service.call('PUT', `/v1/network-accounts/${network}`, { as, body })
}

let organizations = 0
/** The owner of an organization of its own. */
function someone(): Promise<Login> {
  organizations += 1
  return foundOrganization(service, `owner${organizations}@example.test`)
}

// shows 11.1.1, 11.1.4, 11.1.5, 11.1.7
test('connects an account, and says what to enter at the network', async () => {
  const as = await someone()
  const { status, body } = await put(whole, as)
  assert.equal(status, 200)
  const { callback, ...record } = body.data
  assert.deepEqual(record, {
    network: 'chirpstack',
    register_method: 'user_account',
    status: 'connected',
    message: '',
    account: open,
  })
  assert.deepEqual(Object.keys(callback), ['url', 'header', 'value'])
  assert.match(callback.url, /^http:\/\/127\.0\.0\.1:1\/v1\/callbacks\/chirpstack\/[0-9a-f-]{36}$/)
  assert.ok(callback.value.length >= 43, 'the secret holds fewer than 256 bits')
  assert.deepEqual((await service.call('GET', url, { as })).body, body)
})

// shows 11.1.13
test('changes the account and keeps its callback', async () => {
  const as = await someone()
  const first = (await put(whole, as)).body.data
  const changed = (await put({ ...whole, mqtt_username: 'reader' }, as)).body.data
  assert.deepEqual(changed, { ...first, account: { ...open, mqtt_username: 'reader' } })
  const again = (await put(whole, as)).body.data
  assert.deepEqual(again, first, 'a field that is not a secret goes when it is left out')
})

// shows 11.1.6
test('a secret is never in an answer, and is kept when it is left out', async () => {
  const as = await someone()
  const broker = { mqtt_url: 'mqtt://127.0.0.1:1', mqtt_username: 'reader' }
  const mqtt = { ...broker, mqtt_password: 'broker secret' }
  const answers = [
    await put({ ...whole, ...mqtt }, as),
    await put({ ...open, ...broker }, as),
    await put({ ...open, ...broker, api_key: null }, as),
    await service.call('GET', url, { as }),
    await service.call('GET', '/v1/network-accounts', { as }),
    await service.call('POST', `${url}/rotate`, { as }),
  ]
  for (const { status, text } of answers) {
    assert.equal(status, 200, text)
    assert.ok(!text.includes(simulator.apiKey) && !text.includes('broker secret'), text)
  }
  for (const { body } of answers.slice(0, 4)) assert.equal(body.data.status, 'connected')
})

test('a secret is not kept for another address, which it would be sent to', async () => {
  const as = await someone()
  await put(whole, as)
  for (const moved of [{ server: 'http://127.0.0.1:9' }, { mqtt_url: 'mqtt://127.0.0.1:9' }]) {
    const answer = await put({ ...open, ...moved }, as)
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(Object.keys(answer.body.errors), ['api_key'])
    assert.equal((await put({ ...whole, ...moved }, as)).status, 200)
    await put(whole, as)
  }
})

// shows 11.1.9
test('unknown members are ignored', async () => {
  const as = await someone()
  const { status, body } = await put({ ...whole, region: 'EU868', id: 7, status: 'x' }, as)
  assert.equal(status, 200)
  assert.deepEqual(body.data.account, open)
})

// shows 11.1.1
test('names every missing field at once', async () => {
  const { status, body } = await put({}, await someone())
  assert.equal(status, 422)
  const { error_codes, error_values, ...rest } = body
  assert.deepEqual(error_codes.server, ['required'])
  assert.deepEqual(error_values.server, [{ field: 'Server (http://host:8080)' }])
  assert.deepEqual(rest, {
    message: 'The Server (http://host:8080) field is required.',
    errors: {
      server: ['The Server (http://host:8080) field is required.'],
      api_key: ['The API key field is required.'],
      tenant_id: ['The Tenant ID field is required.'],
      application_id: ['The Application ID field is required.'],
      device_profile_id: ['The Device profile ID field is required.'],
    },
  })
})

const refused: [string, unknown, RegExp][] = [
  ['server', 'chirpstack.example.test', /must be like http/],
  ['server', 'ftp://127.0.0.1', /must be like http/],
  ['server', `http://127.0.0.1/${'x'.repeat(5000)}`, /invalid/],
  ['server', '', /required/],
  ['server', null, /required/],
  ['api_key', '', /required/],
  ['api_key', 'two words', /one word/],
  ['api_key', 'line\nbreak', /one word/],
  ['api_key', 5, /must be a string/],
  ['tenant_id', 'not a uuid', /must be a UUID/],
  ['application_id', ['x'], /must be a string/],
  ['device_profile_id', { id: 1 }, /must be a string/],
  ['mqtt_url', 'http://127.0.0.1', /must be like mqtt/],
  ['mqtt_username', 'a\u0000', /invalid/],
  ['mqtt_username', 'a\ud800', /invalid/],
  ['register_method', 'operator', /must be one of: user_account, vendor/],
  ['register_method', 1, /must be one of/],
]

for (const [field, value, message] of refused) {
  // shows 11.1.2
  test(`refuses ${JSON.stringify(value).slice(0, 40)} as ${field}`, async () => {
    const { status, body } = await put({ ...whole, [field]: value })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors), [field])
    assert.match(body.errors[field][0], message)
    assert.equal(body.message, body.errors[field][0])
    assert.ok(!body.message.includes(simulator.apiKey))
    assert.equal((await service.call('GET', url)).status, 404, 'it was stored all the same')
  })
}

// shows 11.1.7, 11.1.8
test('an account is stored even when the network cannot be reached', async () => {
  const as = await someone()
  const { status, body } = await put({ ...whole, server: 'http://127.0.0.1:1' }, as)
  assert.deepEqual([status, body.data.status], [200, 'unreachable'])
  assert.match(body.data.message, /could not be reached/)
  assert.equal((await put(whole, as)).body.data.status, 'connected')
})

// shows 11.1.7
test('an account that the network refuses is stored with its reason', async () => {
  const as = await someone()
  const wrongKey = (await put({ ...whole, api_key: 'wrong-key' }, as)).body.data
  assert.equal(wrongKey.status, 'refused')
  assert.match(wrongKey.message, /API key/)
  assert.ok(!wrongKey.message.includes('wrong-key'))
  const unknownId = '00000000-0000-4000-a000-0000000000aa'
  const wrongId = (await put({ ...whole, application_id: unknownId }, as)).body.data
  assert.equal(wrongId.status, 'refused')
  assert.match(wrongId.message, /application_id/)
  const right = (await put(whole, as)).body.data
  assert.deepEqual([right.status, right.message], ['connected', ''])
})

// shows 10.2.13
test('the neutral name of a network is its key, with or without angle brackets', async () => {
  const as = await someone()
  const first = (await put(whole, as)).body.data
  for (const name of ['network_key_9', '%3Cnetwork_key_9%3E', 'chirpstack']) {
    assert.deepEqual((await put(whole, as, name)).body.data, first)
    const shown = await service.call('GET', `/v1/network-accounts/${name}/`, { as })
    assert.deepEqual(shown.body.data, first)
  }
})

test('there is no other network', async () => {
  for (const name of ['network_key_10', 'CHIRPSTACK', '%00', 'toString', '__proto__']) {
    const { status, body } = await put(whole, service.owner, name)
    assert.deepEqual([status, body], [404, { message: 'Network not found' }])
  }
})

// shows 11.1.3
test('vendor is for organization 1, and stands beside its own account', async () => {
  const vendor = { ...whole, register_method: 'vendor' }
  assert.equal((await put(vendor, await someone())).status, 403)
  const made = (await put(vendor)).body.data
  const own = (await put(whole)).body.data
  assert.deepEqual([made.register_method, own.register_method], ['vendor', 'user_account'])
  assert.notEqual(made.callback.url, own.callback.url)
  assert.notEqual(made.callback.value, own.callback.value)
  const shown = await service.call('GET', `${url}?register_method=vendor`)
  assert.deepEqual(shown.body.data, made)
  for (const method of ['vendor', 'user_account']) {
    await service.call('DELETE', `${url}?register_method=${method}`)
  }
})

test('changing an account at once from several sides leaves one, with one callback', async () => {
  const as = await someone()
  const answers = await Promise.all(Array.from({ length: 6 }, () => put(whole, as)))
  const callbacks = new Set(answers.map(({ body }) => JSON.stringify(body.data.callback)))
  assert.equal(callbacks.size, 1)
})

test('an account that is removed while it is changed is changed, made again, or gone', async () => {
  const as = await someone()
  const body = { ...whole, server: 'http://127.0.0.1:1' }
  for (let round = 0; round < 30; round += 1) {
    const [changed, , again] = await Promise.all([
      put(body, as),
      service.call('DELETE', url, { as }),
      put(body, as),
    ])
    for (const { status, text } of [changed, again]) {
      assert.ok(status === 200 || status === 404, text)
    }
  }
})

// shows 10.3.13
test('takes the permission manage_account', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_account'])
  assert.equal((await put(whole, reader)).status, 403)
  assert.equal((await put(whole, writer)).status, 200)
  await service.call('DELETE', url)
})
