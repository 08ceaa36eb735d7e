import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { routes } from '../src/routes.ts'
import { addDevice } from './fleet.ts'
import { ownerEmail, ownerPassword, startTestService, type TestAnswer } from './service.ts'

/** The bounds of bodies, and bodies that are refused before they are parsed. */

const service = await startTestService({ after })
const { call } = service
let { owner } = service
const { id } = await addDevice(service, 1)
const json = { 'content-type': 'application/json' }
const tooLarge = { message: 'The request body is too large.' }
const tooMany = { message: 'The request body holds too many values.' }
const tooDeep = { message: 'The request body may not be nested deeper than 64 levels.' }
const kibibyte = 1024

/** Sends text as the body of a request. */
function send(path: string, body: string | Buffer, method = 'POST'): Promise<TestAnswer> {
  return call(method, `/v1${path}`, { headers: json, body, as: owner })
}

/** Makes an object of this many bytes. */
function fill(size: number): string {
  const frame = '{"ignored":""}'
  return `${frame.slice(0, -2)}${'x'.repeat(size - frame.length)}"}`
}

/** Bounds in KiB for parts of addresses. All other addresses have 64 KiB. */
const bounds: [RegExp, number][] = [
  [/^\/callbacks|^\/dashboards(\/data|\/:dashboard_id)?$/, 256],
  [
    /^\/batch-|^\/device-groups|^\/floor-plans(\/:plan_id)?$|\/(reconcile|take-over)$|^\/jobs$|\/rows$|\/photos$|^\/device-catalogue\/sources(\/:source_id)?$|groups\/:group_id\/devices$/,
    5 * 1024,
  ],
  [/^\/device-types(?!.*\/(decode-again|catalogue-update)$)/, 1024],
  [
    /^\/auth\/login|^\/auth\/session|^\/auth\/sign-on\/|^\/confirm-password-access|^\/generate-qr-image/,
    8,
  ],
  [/^\/verify-two-factor|^\/complete-verification|^\/disable-authentication/, 8],
  [/^\/auth\/passkey|^\/user\/passkeys(\/options)?$/, 8],
  [/^\/shared-dashboards/, 8],
]

for (const { method, url } of routes) {
  if (['GET', 'OPTIONS'].includes(method)) continue
  const own = bounds.find(([pattern]) => method !== 'DELETE' && pattern.test(url))
  const bound = (own?.[1] ?? 64) * kibibyte
  // shows 10.1.16
  test(`${method} ${url} reads ${bound} bytes, and answers 413 to one more`, async () => {
    const path = url.replaceAll(/:\w+/g, '999999')
    assert.notEqual((await send(path, fill(bound), method)).status, 413)
    // Renewing or ending a session ends the token that was sent.
    if (url === '/auth/session') owner = await service.logIn(ownerEmail, ownerPassword, 1)
    const over = await send(path, fill(bound + 1), method)
    assert.deepEqual([over.status, over.body], [413, tooLarge])
  })
}

const depths: [string, number, boolean][] = [
  ['[', 64, true],
  ['[', 65, false],
  ['{"a":', 64, true],
  ['{"a":', 65, false],
  ['[{"a":', 200_000, false],
]

for (const [opener, times, isTaken] of depths) {
  // shows 10.1.16
  test(`a body nested by ${times} times ${opener} is ${isTaken ? 'read' : '400'}`, async () => {
    const open = opener.repeat(times)
    const close = [...opener.replaceAll(/[^[{]/g, '')].reverse().join('')
    const body = `${open}1${close.replaceAll('[', ']').replaceAll('{', '}').repeat(times)}`
    const { status, body: answer } = await send('/batch-device-requests', body)
    if (isTaken) assert.equal(status, 422)
    else assert.deepEqual([status, answer], [400, tooDeep])
  })
}

test('brackets in texts nest nothing', async () => {
  const device_name = `${'[{'.repeat(48)}"\\"]`
  const { status } = await send(`/devices/${id}`, JSON.stringify({ device_name }), 'PATCH')
  assert.equal(status, 200)
})

test('a body of 5 MiB of small values is refused before it is parsed', async () => {
  for (const value of ['{}', '1', '[]', '""', '{"a":1}']) {
    const count = Math.floor((5 * 1024 * kibibyte - 20) / (value.length + 1))
    const body = `{"devices":[${`${value},`.repeat(count - 1)}${value}]}`
    const began = performance.now()
    const { status, body: answer } = await send('/batch-device-requests', body)
    assert.deepEqual([status, answer], [413, tooMany], value)
    // Parsing only the first value takes longer on any machine.
    assert.ok(performance.now() - began < 900, `${performance.now() - began} ms`)
  }
})

test('a body of many members is refused before it is parsed', async () => {
  const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`)
  const { status, body } = await send('/batch-device-requests', `{${members}}`)
  assert.deepEqual([status, body], [413, tooMany])
})

test('a group of as many devices as one may have is read', async () => {
  const selectedDevices = Array.from({ length: 100_000 }, (_, index) => 1_000_000 + index)
  const body = JSON.stringify({ groupName: 'Large', selectedDevices })
  const { status, body: answer } = await send('/device-groups', body)
  assert.equal(status, 422)
  assert.match(answer.message, /^The selected devices do not exist/)
})

const broken = [
  Buffer.from([0xff]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf0, 0x9f, 0x9a]),
]

test('a body that is not UTF-8 is 400, and stores nothing', async () => {
  const message = 'The request body is not valid UTF-8.'
  for (const bytes of broken) {
    const body = Buffer.concat([Buffer.from('{"device_name":"'), bytes, Buffer.from('"}')])
    const { status, body: answer } = await send(`/devices/${id}`, body, 'PATCH')
    assert.deepEqual([status, answer], [400, { message }], bytes.toString('hex'))
  }
})
