import assert from 'node:assert/strict'
import type { Database } from '../src/db/connect.ts'
import { chirpStackFiles, zipOf } from './catalogues.ts'
import { connectChirpStack, makeUp, post as postUp } from './chirpstack-uplinks.ts'
import { addDevice, euiOf } from './fleet.ts'
import { tinyPhoto, tinyPlan } from './floor-plans.ts'
import type { Login, TestService } from './service.ts'

/** An organization that has some of everything, for archives of it. */

const codec = 'function decodeUplink({ bytes }) { return { data: { first: bytes[0] } } }'
export const manyUplinks = 1500
export const deviceProfile = 'b874c5fe-3dc1-4752-a93f-26b99320430c'
const networkKey = 'AABBCCDDEEFF00112233445566778899'
export const lorawan = { version: '1.1', activation: 'otaa', deviceClass: 'C', networkKey }

/** Groups, types, devices and uplinks of organization 1; one device is deleted. */
export async function fillFleet(service: TestService): Promise<void> {
  const callback = await connectChirpStack(service)
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', `/v1${path}`, { body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const house = (await post('/device-groups', { groupName: 'House' })).data.id
  const body = { groupName: 'Hall', selectedGroup: house }
  const hall = (await post('/device-groups', body)).data.id
  await service.call('PATCH', `/v1/fleet/groups/${hall}`, { body: { address: 'Quay 1' } })
  const values = { type_name: 'Probe', payload_format: 'ts013', codec }
  const probe = (await post('/device-types', values)).data.id
  const files = zipOf(chirpStackFiles()).toString('base64')
  const source = (await post('/device-catalogue/sources', { name: 'Ours', archive: files })).data
  await post(`/device-catalogue/${source.id}.acme.valve/types`, {})
  await post('/gateways', {
    gateway_name: 'Roof',
    gateway_ip: '192.168.2.1',
    gateway_eui: '00BB000000000001',
    gateway_bridge: 'chirpstack',
    tags: { owner: 'city' },
  })
  await addDevice(service, 1, { groups: [hall], joinEui: '00AA00000000FF01', tags: { floor: '2' } })
  await addDevice(service, 2, { deviceType: probe, deviceProfile, lorawan })
  const temperature = { quantity: 'air.temperature' }
  const place = { type: 'chart', x: 0, y: 0, w: 6, h: 4 }
  const plan = await post('/floor-plans', { name: 'Hall', group_id: hall, image: tinyPlan })
  await post('/dashboards', {
    name: 'Rooms',
    variable: { kind: 'group', group: house },
    widgets: [
      { ...place, source: { group: hall, ...temperature } },
      { ...place, y: 4, source: { device_type: probe, measurement: 'first' } },
      { ...place, y: 8, source: { devices: [euiOf(1)], ...temperature } },
      { ...place, y: 12, type: 'plan', source: { plan: plan.data.id } },
    ],
  })
  await post('/dashboards', { name: 'Own', shared: 'private', widgets: [] })
  const position = { body: { x: 0.25, y: 0.5 } }
  await service.call('PUT', `/v1/floor-plans/${plan.data.id}/devices/${euiOf(1)}`, position)
  const photo = { image: tinyPhoto, caption: 'The door' }
  await post(`/devices/${euiOf(1)}/photos`, photo)
  const noted = { text: 'Door repaired', at: '2026-02-28T12:00:00Z' }
  const things = [`devices/${euiOf(1)}`, `fleet/groups/${hall}`, 'gateways/00BB000000000001']
  for (const thing of things) await post(`/${thing}/notes`, noted)
  await post('/alert-rules', {
    name: 'Cold hall',
    kind: 'condition',
    ...{ group: hall, type: probe, recipients: [1] },
    settings: {
      conditions: [{ quantity: 'air.temperature', is: 'lower', value: 2, than: { group: house } }],
    },
  })
  await post('/alert-rules', { name: 'Silent', kind: 'device_silent' })
  const variables = { body: { variables: { offset: 'invented' } } }
  const set = await service.call('PUT', `/v1/devices/${euiOf(2)}/variables`, variables)
  assert.equal(set.status, 200, set.text)
  await addDevice(service, 3)
  const send = async (number: number, hex: string) => {
    const answer = await postUp(service, callback, makeUp({ eui: euiOf(number), hex }))
    assert.equal(answer.status, 200, answer.text)
  }
  for (const hex of ['100301', '100300', '1001fe']) await send(1, hex)
  await send(2, '2a')
  await send(3, '100301')
  await service.call('DELETE', `/v1/devices/${euiOf(3)}`)
  await addDevice(service, 3, { deviceName: 'The next one' })
  await multiply(service.services.db)
}

/** Makes many uplinks of the last one. */
async function multiply(db: Database) {
  await db.query(
    `with last as (
       select * from uplinks where organization_id = 1 and ordinal = 4
     ), counted as (
       update organization_counters set uplink_count = uplink_count + $1 where organization_id = 1
     ), state as (
       update device_states set uplink_count = uplink_count + $1
       where device_id = (select device_id from last)
     )
     insert into uplinks (organization_id, ordinal, device_id, device_ordinal, deduplication_key,
       event_time, received_at, event_type, sensor_sequence, decoded_object, decoded_message,
       payload, f_port, f_cnt, receptions)
     select 1, 5 + number, device_id, 1 + number, 'key ' || number,
       event_time + number * interval '1 minute', received_at + number * interval '1 minute',
       event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, number,
       receptions
     from last, generate_series(1, $1::integer) as number`,
    [manyUplinks],
  )
}

/** The body of an answer that must be a 200. */
export async function readFrom(service: TestService, path: string, as: Login) {
  const answer = await service.call('GET', `/v1${path}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

interface Note extends Record<'text' | 'at', string> {
  device: { device_name: string } | null
  gateway: { gateway_name: string } | null
  group: { name: string } | null
}

/** What two organizations must have in common: everything but their ids. */
export async function lookAt(service: TestService, as: Login) {
  const read = (path: string) => readFrom(service, path, as)
  const [first, last] = await Promise.all([
    read('/devices/all/uplink?itemsPerPage=1000'),
    read('/devices/all/uplink?itemsPerPage=1000&page=2'),
  ])
  const uplinks = [...first.data, ...last.data].map(({ id: _, device_id: __, ...rest }) => rest)
  const { data: devices } = await read('/fleet/devices')
  const { data: groups } = await read('/fleet/groups')
  const { data: tags } = await read('/fleet/tags')
  return {
    total: first.meta.total,
    uplinks: JSON.parse(JSON.stringify(uplinks, withoutIds)),
    devices: JSON.parse(JSON.stringify(devices, withoutIds)),
    tags,
    groups: groups.map(({ id: _, parent_id: __, ...rest }: Record<string, unknown>) => rest),
    plans: await lookAtPlans(service, as),
    photos: await lookAtPhotos(service, as),
    notes: (await read('/notes')).data.map(({ text, at, device, group, gateway }: Note) => ({
      ...{ text, at, device: device?.device_name, group: group?.name },
      gateway: gateway?.gateway_name,
    })),
    states: await Promise.all(
      [1, 2, 3].map(async (number) => {
        const { data } = await read(`/devices/${euiOf(number)}?version=lite`)
        return data.device_status
      }),
    ),
  }
}

async function lookAtPlans(service: TestService, as: Login) {
  const { data } = await readFrom(service, '/floor-plans', as)
  const plans = data.map(async ({ id }: { id: number }) => {
    const { data: plan } = await readFrom(service, `/floor-plans/${id}`, as)
    const image = await service.call('GET', `/v1/floor-plans/${id}/image`, { as })
    const { name, group, width, positions } = plan
    const placed = positions.map(({ device_id, x, y }: Record<string, unknown>) => [
      device_id,
      x,
      y,
    ])
    return { name, group: group.name, width, placed, image: image.text }
  })
  return Promise.all(plans)
}

async function lookAtPhotos(service: TestService, as: Login) {
  const { data } = await readFrom(service, `/devices/${euiOf(1)}/photos`, as)
  const photos = data.map(async ({ id, caption, created_at }: Record<string, unknown>) => {
    const path = `/v1/devices/${euiOf(1)}/photos/${id}/image`
    const image = await service.call('GET', path, { as })
    return { caption, created_at, image: image.text }
  })
  return Promise.all(photos)
}

const differing = ['id', 'did', 'device_id', 'user', 'device', 'device_type_id']
/** Recorded as active: nothing waits for a network here. */
const ofRegistration = ['device_register_status', 'api_error']

function withoutIds(name: string, value: unknown) {
  if (name === 'reasons') {
    return (value as { code: string }[]).filter(({ code }) => code !== 'register_pending')
  }
  return [...differing, ...ofRegistration].includes(name) ? undefined : value
}
