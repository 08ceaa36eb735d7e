import { randomUUID } from 'node:crypto'
import type { Attack, AttackRequest } from './attacker.ts'
import { fillExport } from './attacks.ts'
import { batchSize, creations } from './batches.ts'
import type { Bench } from './bench.ts'
import { type Callback, connectNetwork, type Fleet, insertDevices, makeFleet } from './fleet.ts'
import { chirpStackUplink } from './uplink-message.ts'

/** What one tenant does to another one of the same operator: both are below organization 1. */
export type TenantAttack = Pick<
  Attack,
  'connections' | 'requests' | 'readsSlowly' | 'trickles' | 'pause' | 'hasOwnKeys'
> & { name: string }

/** A tenant with devices of an own type, whose frames its codec decodes. */
export interface Tenant extends Fleet {
  headers: Record<string, string>
  callback: Callback
  /** An uplink of the device with this number. */
  uplinkOf(device: number): AttackRequest
}

const goodCodec = 'function decodeUplink(input) { return { data: { first: input.bytes[0] } } }'
const endlessCodec = 'function decodeUplink() { while (true) {} }'
const devices = 50
/** What the attacker registers. */
const attackersOwn = { euiPrefix: '00aa00bc' }
const options = { consoleOnly: true }
/** Rows of one export of the attacker. */
const exportedUplinks = 50_000

export async function makeTenant(
  bench: Bench,
  euiPrefix: string,
  codecs: readonly string[] = [goodCodec],
): Promise<Tenant> {
  const { db, service } = bench
  const fleet = await makeFleet(bench, euiPrefix, 1)
  const callback = await connectNetwork(service, fleet.headers)
  await insertDevices(db, devices, fleet)
  const types: number[] = []
  for (const [index, codec] of codecs.entries()) {
    const type = { type_name: `Type ${index}`, part_number: 'B', payload_format: 'ts013', codec }
    const path = '/v1/device-types'
    const made = await service.call<{ data: { id: number } }>('POST', path, type, fleet.headers)
    types.push(made.data.id)
  }
  await db.query(
    `update devices set type_id = ($2::bigint[])[1 + id % array_length($2::bigint[], 1)]
     where organization_id = $1`,
    [fleet.organizationId, types],
  )
  return {
    ...fleet,
    callback,
    uplinkOf: (device) => uplinkOf(callback, fleet, device),
  }
}

function uplinkOf(callback: Callback, { euiPrefix }: Fleet, device: number): AttackRequest {
  const message = JSON.parse(chirpStackUplink.text)
  message.deviceInfo.devEui = `${euiPrefix}${device.toString(16).padStart(8, '0')}`
  message.deduplicationId = randomUUID()
  message.fCnt = Math.floor(Math.random() * 2 ** 31)
  message.time = new Date().toISOString()
  const { path, headers } = callback
  return { method: 'POST', path, headers, body: JSON.stringify(message) }
}

/** Each was seen to harm other tenants before tenants had shares. */
export async function prepareTenantAttacks(bench: Bench): Promise<TenantAttack[]> {
  const endless = [1, 2, 3, 4].map((number) => `${endlessCodec} // ${number}`)
  const attacker = await makeTenant(bench, '00aa00bb', endless)
  await fillExport(bench, attacker, exportedUplinks)
  const { headers, callback } = attacker
  const json = { 'content-type': 'application/json', ...headers }
  const post = (path: string, body: object | string): AttackRequest => ({
    ...{ method: 'POST', path, headers: json },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const uplinks = Array.from({ length: devices }, (_, device) => attacker.uplinkOf(device))
  const large = { ...JSON.parse(uplinks[0]?.body ?? '{}'), object: 'x'.repeat(200_000) }
  const batch = { devices: Array.from({ length: 400 }, () => ({ deviceId: 'x'.repeat(40) })) }
  return [
    { name: 'uplinks for four endless codecs, 16 at a time', connections: 16, requests: uplinks },
    {
      name: 'two types with endless codecs, a frame every 5 s',
      connections: 2,
      requests: uplinks.slice(0, 2),
      pause: 5000,
    },
    {
      name: '20 slow bodies',
      connections: 20,
      requests: [post('/v1/batch-device-requests', '')],
      trickles: true,
    },
    {
      name: '6 slow readers of exports',
      connections: 6,
      requests: [post('/v1/devices/all/uplink', '')],
      readsSlowly: true,
    },
    {
      name: '200 messages of 200 kB at a time',
      connections: 200,
      requests: [
        {
          method: 'POST',
          path: callback.path,
          headers: callback.headers,
          body: JSON.stringify(large),
        },
      ],
    },
    {
      name: 'event streams of 20 API keys',
      connections: 320,
      requests: await streamRequests(bench, headers),
    },
    {
      name: 'organizations and registrations, 8 at a time',
      connections: 8,
      requests: Array.from({ length: 20 }, (_, number) => [
        post('/v1/batch-device-requests', creations(attackersOwn, number * batchSize, options)),
        post('/v1/organizations', { name: `Below ${number}` }),
      ]).flat(),
    },
    {
      name: 'answers of 60 kB with an Idempotency-Key each, 8 at a time',
      connections: 8,
      requests: [post('/v1/batch-device-requests', batch)],
      hasOwnKeys: true,
    },
  ]
}

async function streamRequests(
  { service }: Bench,
  headers: Record<string, string>,
): Promise<AttackRequest[]> {
  const requests: AttackRequest[] = []
  for (let number = 0; number < 20; number += 1) {
    const body = { name: `Key ${number}`, permissions: [] }
    const made = await service.call<{ data: { key: string } }>(
      'POST',
      '/v1/api-keys',
      body,
      headers,
    )
    const key = { authorization: `Bearer ${made.data.key}` }
    requests.push({ method: 'GET', path: '/v1/events', headers: key })
  }
  return requests
}
