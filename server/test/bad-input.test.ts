import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { routes } from '../src/routes.ts'
import { addDevice, registrationOf } from './fleet.ts'
import { assertInvalid } from './invalid.ts'
import { startTestService } from './service.ts'

/** Faults of requests that are refused before any endpoint runs. */

const service = await startTestService({ after })
const { call, app, owner } = service
const { id } = await addDevice(service, 1)
const device = `/v1/devices/${id}`
const json = { 'content-type': 'application/json' }
const credentials = { authorization: `Bearer ${owner.token}`, organization: '1' }

const nothing = { message: 'There is nothing at this address.' }
const nowhere = [
  '/v1',
  '/v1/',
  '/v1/device',
  '/v1/devices/1/2/3',
  '/v1//devices',
  '/v1/Devices',
  '/v1/devices%2F1',
  '/v1/%00',
  `/v1/${'x'.repeat(10_000)}`,
]
const parcels = [
  { headers: credentials },
  { headers: {}, payload: 'x' },
  { headers: { ...credentials, ...json }, payload: '{' },
]

for (const path of nowhere) {
  // shows 10.1.12
  test(`there is nothing at ${path.slice(0, 30)}, whoever asks and whatever is sent`, async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const parcel of parcels) {
        const answer = await app.inject({ method, url: path, ...parcel })
        assert.deepEqual([answer.statusCode, answer.json()], [404, nothing], `${method} ${path}`)
      }
    }
  })
}

test('what cannot be decoded is no address', async () => {
  for (const path of ['/v1/devices/%', '/v1/devices/%zz', '/v1/devices/%ff', '/v1/%E0%A4%A']) {
    const { status, body } = await call('GET', path)
    assert.deepEqual([status, body], [400, { message: 'The address is not valid.' }], path)
  }
})

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'HEAD'] as const
const urls = new Map<string, string[]>()
for (const { method, url, endpoint } of routes) {
  const more = method === 'GET' && !endpoint.isAct ? ['GET', 'HEAD'] : [method]
  urls.set(url, [...(urls.get(url) ?? []), ...more])
}

for (const [url, allowed] of urls) {
  // shows 4.12.4, 10.1.1, 10.1.13
  test(`${url} takes only ${allowed.join(', ')}, whoever asks and whatever is sent`, async () => {
    const path = `/v1${url.replaceAll(/:\w+/g, 'some')}`
    for (const method of methods.filter((name) => !allowed.includes(name))) {
      for (const headers of [{}, { 'content-type': 'text/plain' }]) {
        for (const slash of ['', '/']) {
          const answer = await app.inject({ method, url: path + slash, headers })
          assert.equal(answer.statusCode, 405, `${method} ${path}`)
          assert.equal(answer.headers.allow, allowed.join(', '))
          if (method === 'HEAD') continue
          assert.deepEqual(answer.json(), {
            message: 'The method is not allowed for this address.',
          })
        }
      }
    }
  })
}

const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'json', ';']

// shows 1.2.4, 10.1.14
test('a body that is not JSON by its type is 415', async () => {
  for (const type of types) {
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
      const path = { POST: '/v1/devices', PUT: '/v1/network-accounts/chirpstack' }[method] ?? device
      const headers = { 'content-type': type }
      const { status, body } = await call(method, path, { headers, body: 'a=1' })
      const message = 'The Content-Type must be application/json.'
      assert.deepEqual([status, body], [415, { message }], `${method} ${type}`)
    }
  }
})

test('the type of a body that does not come does not matter', async () => {
  for (const type of types) {
    const headers = { 'content-type': type }
    for (const body of ['', undefined]) {
      const sent = { headers, ...(body === undefined ? {} : { body }) }
      const read = await call('POST', '/v1/devices/all/uplink', sent)
      assert.equal(read.status, 200, type)
      const { status, body: answer } = await call('POST', '/v1/devices', sent)
      assert.deepEqual([status, answer.message], [422, 'The network field is required.'])
    }
  }
})

// shows 1.2.4
test('JSON with a charset is JSON', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
    const headers = { 'content-type': type }
    const body = JSON.stringify({ device_name: 'Tür' })
    assert.equal((await call('PATCH', device, { headers, body })).status, 200)
  }
})

const malformed = ['{', '{"a":}', "{'a':1}", '{"a":1}x', 'undefined', '\u0000', '{"a":"\n"}', ' ']

// shows 10.1.15
test('malformed JSON is 400', async () => {
  for (const body of malformed) {
    const { status, body: answer } = await call('POST', '/v1/devices', { headers: json, body })
    const message = 'The request body is not valid JSON.'
    assert.deepEqual([status, answer], [400, { message }], JSON.stringify(body))
  }
})

test('JSON that is no object is 422', async () => {
  for (const body of ['[]', '[{}]', '"text"', '5', 'true', '[[[]]]']) {
    const { status, body: answer } = await call('POST', '/v1/devices', { headers: json, body })
    const message = 'The request body must be a JSON object.'
    assert.equal(status, 422)
    assertInvalid(answer, { message, errors: { body: [message] } })
  }
})

// shows 10.1.19
test('an empty body with a content type is no body', async () => {
  assert.equal((await call('GET', device, { headers: json })).status, 200)
  assert.equal((await call('GET', '/v1/devices', { headers: json, body: '' })).status, 200)
  assert.equal((await call('POST', '/v1/devices/all/uplink', { headers: json })).status, 200)
  const created = await call('POST', '/v1/devices', { headers: json })
  assert.equal(Object.keys(created.body.errors).length, 7)
  const renamed = await call('PATCH', device, { headers: json })
  assert.deepEqual(Object.keys(renamed.body.errors), ['device_name'])
  const { id: doomed } = await addDevice(service, 2)
  assert.equal((await call('DELETE', `/v1/devices/${doomed}`, { headers: json })).status, 204)
})

// shows 10.1.17
test('members that would reach into objects are ignored like every unknown one', async () => {
  const body =
    '{"device_name":"Named","__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"toString":1}'
  const answer = await call('PATCH', device, { headers: json, body })
  assert.deepEqual([answer.status, answer.body.data.device_name], [200, 'Named'])
  assert.equal('x' in {} || 'y' in {}, false)
})

const oddNames = ['🚪'.repeat(100), 'x'.repeat(100), 'מרתף', 'null', '-0', '\\', '%s', '$x']

test('odd names are kept to the letter, in both lists and both records', async () => {
  for (const device_name of oddNames) {
    await call('PATCH', device, { body: { device_name } })
    for (const path of [device, `${device}?version=lite`]) {
      assert.equal((await call('GET', path)).body.data.device_name, device_name)
    }
    const search = encodeURIComponent(device_name)
    for (const query of [`search=${search}`, `version=lite&search=${search}`]) {
      const { body } = await call('GET', `/v1/devices?${query}`)
      assert.equal(body.data[0]?.device_name, device_name, query)
    }
  }
})

test('huge numbers are no harm', async () => {
  for (const number of ['1e400', '-1e400', '9'.repeat(400), '1.7976931348623157e308', '-0']) {
    const body = JSON.stringify(registrationOf(3)).replace('"network":10', `"network":${number}`)
    const { status } = await call('POST', '/v1/devices', { headers: json, body })
    assert.equal(status, 422, number)
  }
})

// shows 1.1.3, 1.2.3
test('every answer says that it is private and of what type it is, and has an id', async () => {
  for (const path of [device, '/v1/nothing', '/v1/devices?page=0']) {
    const { headers } = await call('GET', path)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  }
})

// shows 10.3.25
test('a failure of the service shows no cause, only the id of the request', async () => {
  const { db } = service.services
  const fail = async () => {
    throw new Error('relation "secret" does not exist')
  }
  service.services.db = { ...db, query: fail }
  try {
    const headers = credentials
    const answer = await app.inject({ method: 'GET', url: '/v1/device-groups', headers })
    const request_id = answer.headers['x-request-id']
    assert.equal(answer.statusCode, 500)
    assert.deepEqual(answer.json(), { message: 'Server error.', request_id })
  } finally {
    service.services.db = db
  }
})

test('HEAD answers like GET, without the body', async () => {
  const head = (url: string, headers: Record<string, string>) =>
    app.inject({ method: 'HEAD', url, headers })
  const answer = await head(device, credentials)
  assert.deepEqual([answer.statusCode, answer.body], [200, ''])
  assert.equal((await head('/v1/devices/999999', credentials)).statusCode, 404)
  assert.equal((await head(device, {})).statusCode, 401)
})

test('a statement that took too long is 503, and worth another try', async () => {
  const { db } = service.services
  const query: typeof db.query = () =>
    db.transaction(async (tx) => {
      await tx.query('set local statement_timeout = 1')
      return tx.query('select pg_sleep(1)')
    })
  service.services.db = { ...db, query }
  try {
    const { status, headers } = await call('GET', '/v1/devices')
    assert.deepEqual([status, headers['retry-after']], [503, '5'])
  } finally {
    service.services.db = db
  }
})
