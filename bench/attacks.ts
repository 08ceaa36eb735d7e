import type { Attack, AttackRequest } from './attacker.ts'
import { batchSize, creations } from './batches.ts'
import type { Bench } from './bench.ts'
import { connectNetwork, type Fleet, makeFleet } from './fleet.ts'
import { chirpStackUplink } from './uplink-message.ts'

/** The attacks of one organization on its neighbours. Each has its own figures. */
export type NamedAttack = Pick<Attack, 'connections' | 'requests' | 'readsNothing'> & {
  name: string
}

/** Rows of one export. */
const exportedUplinks = 20_000
/** Devices of the tree. Each answer holds all of them. */
const treeDevices = 10_000
const devicesInGroup = 10

const longText = 'x'.repeat(240_000)
const levels = 5 * 1024 * 1024

/** Makes the hostile organization, and the data that its attacks need. */
export async function prepareAttacks(bench: Bench): Promise<NamedAttack[]> {
  const { service, progress } = bench
  const fleet = await makeFleet(bench, '00aa00ba')
  progress('the hostile organization')
  await fillTree(bench, fleet)
  await fillExport(bench, fleet, exportedUplinks)
  const callback = await connectNetwork(service, fleet.headers)
  const post = (path: string, body: string, headers = fleet.headers): AttackRequest => ({
    ...{ method: 'POST', path, body },
    headers: { 'content-type': 'application/json', ...headers },
  })
  const uplink = (body: string) => post(callback.path, body, callback.headers)
  const { 'content-type': json = 'application/json' } = callback.headers
  const tree: AttackRequest = { method: 'GET', path: '/v1/device-groups', headers: fleet.headers }
  const deep = '['.repeat(levels)
  const wide = `{"devices":[${'{},'.repeat(levels / 3 - 10)}{}]}`
  return [
    {
      name: '400 connections with messages of 250 kB from unknown devices',
      connections: 400,
      requests: [uplink(messageOf({ devEui: 'ffaa00bb00000000', text: longText }))],
    },
    {
      name: '32 connections with ids that hold U+0000',
      connections: 32,
      requests: [uplink(messageOf({ devEui: `${fleet.euiPrefix}00000000`, id: '\u0000' }))],
    },
    {
      name: '64 CSV exports at a time',
      connections: 64,
      requests: [post('/v1/devices/all/uplink', '')],
    },
    { name: '32 trees of groups at a time', connections: 32, requests: [tree] },
    {
      name: '60 readers of the tree that take nothing',
      connections: 60,
      requests: [tree],
      readsNothing: true,
    },
    {
      name: '20 pages of 1,000 uplinks at a time',
      connections: 20,
      requests: [
        { ...tree, path: '/v1/devices/all/uplink?itemsPerPage=1000' } satisfies AttackRequest,
      ],
    },
    {
      name: 'hostile codecs, 16 at a time',
      connections: 16,
      requests: await codecRequests(bench, fleet, post),
    },
    {
      name: 'deep and wide JSON of 5 MiB, 8 at a time',
      connections: 8,
      requests: [
        post('/v1/auth/login', deep, { 'content-type': json }),
        post('/v1/batch-device-requests', wide),
        post('/v1/batch-device-requests', deep),
      ],
    },
  ]
}

function messageOf({ devEui, id, text }: { devEui: string; id?: string; text?: string }): string {
  const message = JSON.parse(chirpStackUplink.text)
  message.deviceInfo.devEui = devEui
  if (id !== undefined) message.deduplicationId = id
  if (text !== undefined) message.deviceInfo.tags.text = text
  return JSON.stringify(message)
}

type Account = Fleet & { headers: Record<string, string> }

async function fillTree({ db, service }: Bench, fleet: Account): Promise<void> {
  for (let first = 0; first < treeDevices; first += batchSize) {
    const body = JSON.parse(creations(fleet, first, { consoleOnly: true }))
    await service.call('POST', '/v1/batch-device-requests', body, fleet.headers)
  }
  await db.query(
    `with made as (
       insert into device_groups (organization_id, name, user_id)
       select $1, 'Bench group ' || number, (select min(id) from users)
       from generate_series(1, $2::bigint) as number
       returning id
     ), numbered as (
       select id, row_number() over (order by id) as number from made
     )
     insert into grouped_devices (organization_id, group_id, device_id)
     select $1, numbered.id, device.id
     from numbered
     join (
       select id, row_number() over (order by id) as number from devices where organization_id = $1
     ) as device on 1 + device.number % $2::bigint = numbered.number`,
    [fleet.organizationId, treeDevices / devicesInGroup],
  )
}

/** Inserts uplinks of one device as the batch writer does. */
export async function fillExport(
  { db }: Bench,
  { organizationId }: Fleet,
  count: number,
): Promise<void> {
  await db.query(
    `insert into uplinks (
       organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
       event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt, rssi,
       snr, receptions
     )
     select $1, number, (select min(id) from devices where organization_id = $1), number,
       'bench ' || number, timestamptz '2026-01-01 00:00:00+00' + number * interval '1 second',
       'AIR_TEMP_HUMIDITY_SENSOR', array[0], '{"eventDescription": "Periodic Report"}'::jsonb,
       'Periodic Report<br>Current temperature in degrees Celsius: 23.7', '\\x100d0017703d80', 1,
       number, -36, 10.5, '[]'
     from generate_series(1, $2::bigint) as number`,
    [organizationId, count],
  )
  await db.query('update organization_counters set uplink_count = $2 where organization_id = $1', [
    organizationId,
    count,
  ])
  await db.query(
    `update device_states set uplink_count = $2
     where organization_id = $1
       and device_id = (select min(id) from devices where organization_id = $1)`,
    [organizationId, count],
  )
}

/** A codec that never ends, one that fills its memory, and one that hangs in native code. */
const hostileCodecs = [
  'function decodeUplink() { for (;;) {} }',
  'function decodeUplink() { let a = []; for (;;) try { a.push(new Uint8Array(2e7).fill(1)) } catch {} }',
  'function decodeUplink() { return { data: new Array(4e8).join("x") } }',
]

async function codecRequests(
  { service }: Bench,
  fleet: Account,
  post: (path: string, body: string) => AttackRequest,
): Promise<AttackRequest[]> {
  const type = { type_name: 'Bench attack', payload_format: 'ts013', codec: hostileCodecs[0] }
  const { data } = await service.call<{ data: { id: number } }>(
    ...['POST', '/v1/device-types', type, fleet.headers],
  )
  // A hundred texts each: a codec that was stopped too often is paused, by the hash of its text.
  return Array.from({ length: 100 }, (_, number) => number).flatMap((number) =>
    hostileCodecs.map((codec) =>
      post(
        `/v1/device-types/${data.id}/try`,
        JSON.stringify({ input: { hex: '00', fPort: 1 }, codec: `${codec} // ${number}` }),
      ),
    ),
  )
}
