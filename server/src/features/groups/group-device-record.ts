import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { sealContext } from '../../db/sealed-columns.ts'
import type { Caller } from '../../http/endpoint.ts'
import { withExamples } from '../../http/examples.ts'
import { type JsonText, jsonText } from '../../http/json-pieces.ts'
import { isoTime } from '../../http/timestamps.ts'
import { findNetwork } from '../../networks/index.ts'
import { type CountedGroup, type GroupedDevice, readDevices } from './grouped-device-queries.ts'

/** What stands in place of a key for members who may not use it. */
const hiddenKey = '*'.repeat(32)

/** Hours without an uplink after which a device counts as no longer reporting. */
const reportingHours = 48
export const pivot = z.object(
  withExamples({ groupId: z.int(), deviceId: z.int() }, { groupId: 12, deviceId: 101 }),
)

/**
 * A device in a group (service.md, "Group device entry fields"). Of all answers these alone show
 * the device's key, to members with `manage_devices`: the contract demands it.
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
        /** Empty: networks answer a registration at once, or it is offered again; none gives a job. */
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

/** From when on a device must have been heard to count as active. */
function startOfReportingWindow(now: Date): Date {
  return new Date(now.getTime() - reportingHours * 3_600_000)
}

/** The text of a device as a member of a group, of some of them separated by commas. */
function writeGroupDevices(
  devices: readonly GroupedDevice[],
  sealer: Sealer,
  { permissions }: Pick<Caller, 'permissions'>,
): string {
  const showsKeys = permissions.includes('manage_devices')
  const records = devices.map((device) =>
    toGroupDevice(device, showsKeys ? openKey(device, sealer) : hiddenKey),
  )
  return JSON.stringify(records).slice(1, -1)
}

/** Empty where the device was adopted without its key. */
function openKey({ id, sealed_key }: GroupedDevice, sealer: Sealer): string {
  return sealed_key === null ? '' : sealer.open(sealed_key, sealContext('deviceKey', id))
}

function toGroupDevice(device: GroupedDevice, deviceKey: string): GroupDevice {
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
    device_status: device.is_reporting ? 'Active' : 'Inactive',
    device_status_desc: describeStatus(device),
    device_no_longer_reporting: device.is_reporting ? 0 : 1,
    pivot: { groupId: device.group_id, deviceId: device.id },
  }
}

/** Null where there is nothing to explain. */
function describeStatus({ is_reporting, last_seen }: GroupedDevice): string | null {
  if (is_reporting) return null
  if (last_seen === null) return 'No message has been received from this device yet.'
  return `No message has been received from this device for ${reportingHours} hours.`
}

/**
 * The LoRa variant of a network has no id of its own: its devices are registered under that of the
 * network. 0 for networks that have none.
 */
function networkId(key: string): number {
  return findNetwork(key)?.id ?? findNetwork(key.replace(/_lora$/, ''))?.id ?? 0
}

/** The list of devices of each group, in an answer that names the groups in the order of `groups`. */
export interface GroupDeviceLists {
  of(groupId: number): JsonText<GroupDevice[]>
}

/**
 * Lists that are read while the answer is sent, as fast as its reader takes it: the records of a
 * large account take many megabytes, and slow readers would have all of them in memory.
 */
export function listGroupDevices(
  { db, sealer, now }: { db: Queryable; sealer: Sealer; now(): Date },
  caller: Pick<Caller, 'organizationId' | 'permissions'>,
  groups: readonly CountedGroup[],
): GroupDeviceLists {
  const heardSince = startOfReportingWindow(now())
  const portions = readDevices(db, caller.organizationId, heardSince, groups)
  /** Read, and not written yet. */
  let runs: GroupedDevice[][] = []

  async function* write(groupId: number): AsyncGenerator<string> {
    let opening = '['
    for (;;) {
      if (runs.length === 0) runs = runsOf((await portions.next()).value ?? [])
      const [run] = runs
      if (run?.[0]?.group_id !== groupId) break
      runs.shift()
      yield opening + writeGroupDevices(run, sealer, caller)
      opening = ','
    }
    yield opening === '[' ? '[]' : ']'
  }
  return { of: (groupId) => jsonText(write(groupId)) }
}

/** Devices of one group each, in their order. */
function runsOf(portion: GroupedDevice[]): GroupedDevice[][] {
  return [...Map.groupBy(portion, ({ group_id }) => group_id).values()]
}
