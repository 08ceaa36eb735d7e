import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { permissions } from '../src/http/endpoint.ts'
import { makeKey } from './api-keys.ts'
import { endpointList } from './endpoint-list.ts'
import { addGroup, deviceKey, doorType, euiOf, registrationOf } from './fleet.ts'
import { makeForeignWorld, unknownIds } from './foreign-world.ts'
import { type ForeignKind, meaningOf } from './id-meanings.ts'
import { keyOf, type Place, placesOf } from './id-places.ts'
import { joinMember } from './members.ts'
import { createWorld, type ValidRequest } from './requests.ts'
import { type CallOptions, startTestService, type TestAnswer } from './service.ts'

/**
 * Sends every request of the route table with an id of another organization in every place that takes
 * one. The answer is the one to an id that nobody has, for members, API keys and limited callers.
 */

const service = await startTestService({ after })
const { requests, stranger } = await createWorld(service)
const { call } = service
const { db, jobRunner } = service.services

const device = registrationOf(0x6001)
const { deviceName, deviceId } = device
const provisioningData = {
  ...{ network: 'chirpstack', registerMethod: 'user_account', deviceKey },
  ...{ deviceTypeId: doorType.id, joinEui: '0000000000000000' },
}
const creation = { deviceName, deviceId, provisioningData }
const own = euiOf(1)

const measured = { quantity: 'air.temperature' }
const chart = { type: 'chart', x: 0, y: 0, w: 6, h: 4, source: measured }
const looks = [
  { widgets: [chart] },
  { widgets: [{ ...chart, source: { ...measured, more: [measured] } }] },
  { widgets: [], variable: { kind: 'group' } },
  { widgets: [], variable: { kind: 'device' } },
]
const range = { from: '2026-02-28T00:00:00Z', to: '2026-03-01T00:00:00Z' }

/** Bodies that have what the places need, in place of those of `requests`. */
const bodies: Record<string, Record<string, unknown>[]> = {
  'POST /devices': [{ ...device, action: 'validate' }],
  'POST /batch-device-requests': [
    { devices: [{ action: 'create', ...creation }] },
    { devices: [{ action: 'update', deviceId: own, deviceName: 'A', groups: [1] }] },
    { devices: [{ action: 'delete', deviceId: euiOf(0x6002) }] },
  ],
  'POST /batch-gateway-requests': [
    { gateways: [{ action: 'update', gatewayId: 0, gatewayName: 'A' }] },
    { gateways: [{ action: 'delete', gatewayId: 0 }] },
  ],
  'POST /batch-group-requests': [
    { groups: [{ action: 'create', groupName: 'A', selectedDevices: [], selectedGroup: [] }] },
    { groups: [{ action: 'update', groupId: 0, groupName: 'A' }] },
    { groups: [{ action: 'delete', groupId: 0 }] },
  ],
  'POST /devices/:device_id/move': [
    { network: 5, registerMethod: 'user_account', frequencyPlan: 'EU_863_870_TTN' },
  ],
  'POST /jobs': [
    { kind: 'register', rows: [creation], dry_run: true },
    { kind: 'rename', rows: [{ device_id: own, device_name: 'A' }], dry_run: true },
    { kind: 'move', mode: 'add', groups: [1], devices: [own], dry_run: true },
    { kind: 'change', changes: { gatewayId: 1 }, devices: [own], dry_run: true },
    { kind: 'delete', devices: [own], dry_run: true },
    { kind: 'delete', filter: { search: 'Device' }, dry_run: true },
    {
      kind: 'change_network',
      target: { network: 4, registerMethod: 'user_account' },
      devices: [own],
      dry_run: true,
    },
  ],
  'POST /alert-rules': [
    { name: 'A', kind: 'device_silent' },
    { name: 'A', kind: 'gateway_silent' },
    { name: 'A', kind: 'tamper', actions: [{ type: 'downlink', f_port: 1, payload: '00' }] },
    { name: 'A', kind: 'tamper', actions: [{ type: 'webhook' }] },
  ],
  'POST /dashboards': looks.map((look) => ({ name: 'A', ...look })),
  'PATCH /dashboards/:dashboard_id': looks,
  'POST /dashboards/data': looks.map((look) => ({ ...range, ...look })),
  'POST /alerts/acknowledge': [{}],
  'POST /webhooks': [{ name: 'A', url: 'http://127.0.0.1:1/', events: ['uplink'] }],
  'POST /organization/users': [
    { email: 'new@example.test', password: 'four words make sense', permissions: [] },
  ],
}

const { foreign, outside, snapshot } = await makeForeignWorld(service, stranger)

const groupedDevice = await ownDevice()
const group = await addGroup(service, 'Own', { selectedDevices: [groupedDevice] })

async function ownDevice(): Promise<number> {
  return (await call('GET', `/v1/devices/${own}`)).body.data.id
}

type Send = (method: string, path: string, options: CallOptions) => Promise<TestAnswer>

interface TestCaller {
  name: string
  takes: 'member' | 'key'
  isLimited: boolean
  send: Send
}

async function makeCallers(): Promise<TestCaller[]> {
  const member = await joinMember(service, 'all@example.test', permissions)
  const limited = await joinMember(service, 'below@example.test', permissions)
  const path = `/v1/organization/users/${limited.userId}`
  assert.equal((await call('PATCH', path, { body: { group } })).status, 200)
  const key = await makeKey(service, { permissions })
  const limitedKey = await makeKey(service, { permissions, group })
  const sendAs =
    (as: CallOptions['as']): Send =>
    (method, url, options) =>
      call(method, url, { ...options, ...(as ? { as } : {}) })
  return [
    { name: 'a member', takes: 'member', isLimited: false, send: sendAs(member) },
    { name: 'a limited member', takes: 'member', isLimited: true, send: sendAs(limited) },
    { name: 'an API key', takes: 'key', isLimited: false, send: key.call },
    { name: 'a limited API key', takes: 'key', isLimited: true, send: limitedKey.call },
  ]
}

const callers = await makeCallers()
let asked = 0

for (const { operation, method, url, takes, reach, access } of endpointList) {
  // It has no caller that belongs to an organization.
  if (access === 'public') continue
  const places = placesOf(method, url).map((place) => ({
    place,
    kind: meaningOf(operation, place),
  }))
  const meant = places.filter(({ kind }) => kind !== 'none')
  if (meant.length === 0) continue
  describe(operation, () => {
    for (const { place, kind } of meant) {
      for (const caller of callers) {
        if (caller.takes === 'key' && takes !== 'key') continue
        if (caller.isLimited && (reach === 'refused' || takes === undefined)) continue
        test(`${keyOf(place)} is closed to ${caller.name}`, async () => {
          const ids = [...foreign(kind as ForeignKind)]
          if (caller.isLimited) ids.push(...outside(kind as ForeignKind))
          assert.ok(ids.length > 0, `nothing foreign of the kind ${kind}`)
          for (const id of ids) await compare(operation, place, id, caller.send)
        })
      }
    }
  })
}

test('nothing of the other organization has changed, and the own device is still there', async () => {
  assert.equal(await ownDevice(), groupedDevice)
  assert.ok(asked > 500, String(asked))
  assert.deepEqual(await snapshot.read(), snapshot.before)
})

/** Sends the request with the foreign id and with one that nobody has. */
async function compare(operation: string, place: Place, id: string | number, send: Send) {
  const [method = ''] = operation.split(' ')
  const none = unknownIds[typeof id === 'number' ? 'number' : /^00/.test(id) ? 'eui' : 'name']
  const base = requests[operation]
  assert.ok(base, operation)
  if (operation.includes('/jobs')) await endJobs()
  const variants = place.part === 'body' ? (bodies[operation] ?? [base.body ?? {}]) : [base.body]
  let tried = 0
  for (const body of variants) {
    for (const fill of fillings(body, place, variants.length)) {
      const answers: unknown[] = []
      for (const value of [id, none]) {
        const { path, headers } = await addressOf(operation, base, place, value)
        const filled = fill(value)
        const options = { ...(filled ? { body: filled } : {}), ...(headers ? { headers } : {}) }
        const answer = await send(method, `/v1${path}`, options)
        if (operation === 'POST /batch-device-requests') await forget(deviceId, value)
        const rows = operation === 'POST /jobs' ? await readRows(answer, send) : ''
        answers.push({ status: answer.status, text: withoutIds(answer.text + rows, value) })
      }
      assert.deepEqual(answers[0], answers[1])
      tried += 1
    }
  }
  assert.ok(tried > 0, 'no body has this place: add one above')
  asked += tried
}

/** What a job says of its rows, when it is done. */
async function readRows({ body }: TestAnswer, send: Send): Promise<string> {
  if (body.data === undefined) return ''
  await jobRunner.idle()
  return (await send('GET', `/v1/jobs/${body.data.id}/rows`, {})).text
}

/** Deletes the own devices that a batch has created. */
async function forget(...devices: (string | number)[]): Promise<void> {
  for (const each of devices) await call('DELETE', `/v1/devices/${each}`)
  await db.query('delete from activities where organization_id = 1 and subject = any($1)', [
    devices.map(String),
  ])
}

/** An organization has few jobs under way. */
function endJobs(): Promise<unknown> {
  return db.query(
    `update jobs set state = 'cancelled' where organization_id = 1 and state = 'receiving'`,
  )
}

/** Without the id that was asked for, ids of what was made, and the time of a stream. */
function withoutIds(text: string, value: string | number): string {
  return text
    .replaceAll(String(value), 'ID')
    .replaceAll(/"(id|groupId|downlink_id)":\d+/g, '"$1":0')
    .replaceAll(/"time":"[^"]*"/g, '')
}

async function addressOf(
  operation: string,
  base: ValidRequest,
  place: Place,
  value: string | number,
): Promise<{ path: string; headers?: Record<string, string> }> {
  if (place.part === 'body') return (await base.prepare?.()) ?? { path: base.path }
  const { path, headers } = (await base.prepare?.()) ?? { path: base.path, headers: undefined }
  const more = headers ? { headers } : {}
  const [address = '', query] = path.split('?')
  if (place.part === 'query') {
    const search = new URLSearchParams(query)
    search.set(place.name, String(value))
    return { path: `${address}?${search}`, ...more }
  }
  const [, url = ''] = operation.split(' ')
  const at = url.split('/').indexOf(`:${place.name}`)
  const steps = address.split('/').map((step, index) => (index === at ? String(value) : step))
  return { path: `${steps.join('/')}${query === undefined ? '' : `?${query}`}`, ...more }
}

type Fill = (value: string | number) => Record<string, unknown> | undefined

/** Ways to put a value at the place in the body: one for each item of a list on the way. */
function fillings(
  body: Record<string, unknown> | undefined,
  place: Place,
  variants: number,
): Fill[] {
  if (place.part !== 'body') return [() => body]
  const found = fillAt(body ?? {}, place.path)
  // With several bodies, each has the places that it needs.
  return variants > 1
    ? found.filter(({ isThere }) => isThere).map(({ fill }) => fill)
    : found.map(({ fill }) => fill)
}

interface Filling {
  /** Whether the object that holds the place is in the body. */
  isThere: boolean
  // biome-ignore lint/suspicious/noExplicitAny: a body has any form
  fill: (value: string | number) => any
}

function fillAt(value: unknown, [step, ...rest]: readonly string[]): Filling[] {
  if (step === undefined) return [{ isThere: true, fill: (id) => id }]
  if (step === '[]') {
    const items = Array.isArray(value) && value.length > 0 ? value : [undefined]
    return items.flatMap((item, index) =>
      fillAt(item, rest).map(({ isThere, fill }) => ({
        isThere,
        fill: (id) => items.with(index, fill(id)),
      })),
    )
  }
  const holder = typeof value === 'object' && value !== null ? value : undefined
  const inner = (holder as Record<string, unknown> | undefined)?.[step]
  return fillAt(inner, rest).map(({ isThere, fill }) => ({
    isThere: isThere && holder !== undefined,
    fill: (id) => ({ ...holder, [step]: fill(id) }),
  }))
}
