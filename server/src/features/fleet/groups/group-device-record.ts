import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { withExamples } from '../../../http/examples.ts'
import { type JsonText, jsonText } from '../../../http/json-pieces.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { timeSince } from '../inventory/verdict.ts'
import { type CountedGroup, type GroupedDevice, readDevices } from './grouped-device-queries.ts'

/** Replaces a key for members without `manage_devices`. */
const hiddenKey = '*'.repeat(32)

export const pivot = z.object(
  withExamples({ groupId: z.int(), deviceId: z.int() }, { groupId: 12, deviceId: 101 }),
)

/**
 * A device in a group (docs/contract.txt, 2.13). No other answer shows the device's
 * key; the contract requires it here, for members with `manage_devices`.
 */
export const groupDevice = z
  .object(
    withExamples(
      {
        id: z.int(),
        deviceId: z.string(),
        userId: z.int(),
        deviceName: z.string(),
        deviceTypeId: z.int(),
        plan_id: z.null(),
        subscription_id: z.null(),
        networkRegisterId: z.null(),
        gateway_id: z.int().nullable(),
        deleted_at: z.null(),
        created_at: z.string(),
        updated_at: z.string(),
        /** When it joined this group. */
        added_at: z.string(),
        deviceKey: z.string(),
        deviceNetwork: z.int(),
        extra_notes: z.string().nullable(),
        device_register_status: z.enum(['pending', 'active', 'register_error']),
        /** Always empty: no network runs registrations as jobs. */
        api_job_id: z.string(),
        api_error_json: z.string(),
        device_gateway: z.string(),
        device_status: z.enum(['Active', 'Inactive']),
        device_status_desc: z.string().nullable(),
        device_no_longer_reporting: z.union([z.literal(0), z.literal(1)]),
        pivot,
      },
      {
        id: 101,
        deviceId: '00AA000000000001',
        userId: 3,
        deviceName: 'Front door',
        deviceTypeId: 16,
        plan_id: null,
        subscription_id: null,
        networkRegisterId: null,
        gateway_id: 7,
        deleted_at: null,
        created_at: '2026-02-03T09:30:00.125000Z',
        updated_at: '2026-02-03T09:30:00.125000Z',
        added_at: '2026-02-03T09:40:00.000000Z',
        deviceKey: '00112233445566778899AABBCCDDEEFF',
        deviceNetwork: 10,
        extra_notes: null,
        device_register_status: 'active',
        api_job_id: '',
        api_error_json: '',
        device_gateway: 'chirpstack',
        device_status: 'Active',
        device_status_desc: null,
        device_no_longer_reporting: 0,
      },
    ),
  )
  .meta({ id: 'GroupDevice' })

export type GroupDevice = z.infer<typeof groupDevice>

/** Writes devices as JSON, separated by commas. */
function writeGroupDevices(
  devices: readonly GroupedDevice[],
  { sealer, now }: { sealer: Sealer; now: Date },
  { permissions }: Pick<Caller, 'permissions'>,
): string {
  const showsKeys = permissions.includes('manage_devices')
  const records = devices.map((device) =>
    toGroupDevice(device, showsKeys ? openKey(device, sealer) : hiddenKey, now),
  )
  return JSON.stringify(records).slice(1, -1)
}

/** Empty when the device was adopted without its key. */
function openKey({ id, sealed_key }: GroupedDevice, sealer: Sealer): string {
  return sealed_key === null ? '' : sealer.open(sealed_key, sealContext('deviceKey', id))
}

function toGroupDevice(device: GroupedDevice, deviceKey: string, now: Date): GroupDevice {
  return {
    id: device.id,
    deviceId: device.device_eui,
    userId: device.user_id,
    deviceName: device.name,
    deviceTypeId: device.type_id,
    plan_id: null,
    subscription_id: null,
    networkRegisterId: null,
    gateway_id: device.gateway_id,
    deleted_at: null,
    created_at: isoTime(device.created_at),
    updated_at: isoTime(device.updated_at),
    added_at: isoTime(device.added_at),
    deviceKey,
    deviceNetwork: networkId(device.network),
    extra_notes: device.extra_notes,
    device_register_status: device.register_status,
    api_job_id: '',
    api_error_json: device.register_error ?? '',
    device_gateway: device.network,
    device_status: ['ok', 'attention'].includes(device.verdict) ? 'Active' : 'Inactive',
    device_status_desc: describeStatus(device, now),
    device_no_longer_reporting: device.verdict === 'silent' ? 1 : 0,
    pivot: { groupId: device.group_id, deviceId: device.id },
  }
}

/** Null when there is nothing to explain. */
function describeStatus({ verdict, last_seen }: GroupedDevice, now: Date): string | null {
  if (verdict === 'inactive') return 'The device is not in use.'
  if (last_seen === null) return 'No message has been received from this device yet.'
  if (verdict !== 'silent') return null
  return `No message has been received from this device for ${timeSince(last_seen, now)}.`
}

/**
 * The LoRa variant of a network has no id: its devices have the id of the main network. 0 for
 * networks without an id.
 */
function networkId(key: string): number {
  return findNetwork(key)?.id ?? findNetwork(key.replace(/_lora$/, ''))?.id ?? 0
}

/** The list of devices of each group. The answer must ask for them in the order of `groups`. */
export interface GroupDeviceLists {
  of(groupId: number): JsonText<GroupDevice[]>
}

/**
 * Reads the lists while the answer is sent, as fast as the client takes it: the records of a large
 * account take many megabytes, which would wait in memory for a slow client.
 */
export function listGroupDevices(
  { db, sealer, now }: { db: Queryable; sealer: Sealer; now(): Date },
  caller: Pick<Caller, 'organizationId' | 'permissions'>,
  groups: readonly CountedGroup[],
): GroupDeviceLists {
  const time = now()
  const portions = readDevices(db, caller.organizationId, time, groups)
  /** Read but not yet written. */
  let runs: GroupedDevice[][] = []

  async function* write(groupId: number): AsyncGenerator<string> {
    let opening = '['
    for (;;) {
      if (runs.length === 0) runs = runsOf((await portions.next()).value ?? [])
      const [run] = runs
      if (run?.[0]?.group_id !== groupId) break
      runs.shift()
      yield opening + writeGroupDevices(run, { sealer, now: time }, caller)
      opening = ','
    }
    yield opening === '[' ? '[]' : ']'
  }
  return { of: (groupId) => jsonText(write(groupId)) }
}

/** Splits a portion by group, in order. */
function runsOf(portion: GroupedDevice[]): GroupedDevice[][] {
  return [...Map.groupBy(portion, ({ group_id }) => group_id).values()]
}
