import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, longTime, noTime, plainTime } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { ownerRecord, toOwnerRecord } from '../../people/users/user-record.ts'
import type { StoredDevice } from '../inventory/device-queries.ts'
import { typeName } from '../inventory/references.ts'

/** The records of a device (docs/contract.txt, 2.2 to 2.5). */

const yesNo = z.enum(['Yes', 'No', noTime])

export const deviceStatusRecord = z
  .object(
    withExamples(
      {
        lastmsg_time: z.string(),
        battery: z.string(),
        tamper: yesNo,
        tamper_detect_since_reset: yesNo,
        config_error: yesNo,
        rate_limit_status: yesNo,
        current_sensor_state: z.string(),
        hardware_version: z.string(),
        firmware_version: z.string(),
        low_battery: yesNo,
      },
      {
        lastmsg_time: 'Mar 01, 2026 11:59:07 (UTC)',
        battery: '2.9V',
        tamper: 'No',
        tamper_detect_since_reset: 'No',
        config_error: 'No',
        rate_limit_status: 'No',
        current_sensor_state: 'Open',
        hardware_version: '1.2',
        firmware_version: '2.1',
        low_battery: 'No',
      },
    ),
  )
  .meta({ id: 'DeviceStatus' })

const common = withExamples(
  {
    id: z.int(),
    device_id: z.string(),
    device_type_name: z.string(),
    device_name: z.string(),
    network_name: z.string(),
    last_seen: z.string(),
  },
  {
    id: 101,
    device_id: '00AA000000000001',
    device_type_name: 'RBS301-DWS - LoRa Door/Window',
    device_name: 'Front door',
    network_name: 'ChirpStack v4',
    last_seen: '2026-03-01 11:59:07',
  },
)

export const liteDevice = z
  .object({
    ...common,
    ...withExamples(
      { device_type_id: z.int(), region: z.string().nullable() },
      { device_type_id: 16, region: 'EU868' },
    ),
  })
  .meta({ id: 'LiteDevice' })

/** The fields that the listed and the full record share beyond the lite one. */
const more = withExamples(
  {
    is_active: z.enum(['active', 'inactive']),
    subscription: z.object({ plan_code: z.string(), status: z.literal('live') }).nullable(),
    /** The gateway that the device was registered with. */
    gateway: z
      .object({ id: z.int(), name: z.string(), gateway_eui: z.string().nullable() })
      .nullable(),
    extra_notes: z.string().nullable(),
    created_at: z.string(),
    commissioned_at: z.string(),
    user: ownerRecord,
    /** Beyond the contract: the state of the registration at the network, and why it failed. */
    device_register_status: z.enum(['pending', 'active', 'register_error']),
    api_error_json: z.string(),
  },
  {
    subscription: null,
    gateway: { id: 7, name: 'Roof', gateway_eui: '00AA0000000000F1' },
    extra_notes: null,
    created_at: '2026-02-03T09:30:00.125000Z',
    commissioned_at: '2026-02-03T09:30:00.125000Z',
    device_register_status: 'active',
    api_error_json: '',
  },
)

export const listedDevice = z
  .object({
    ...liteDevice.shape,
    ...withExamples({ join_eui: z.string() }, { join_eui: '0000000000000000' }),
    ...more,
  })
  .meta({ id: 'ListedDevice' })

export const fullDevice = z
  .object({
    ...common,
    ...withExamples({ deviceTypeId: z.int() }, { deviceTypeId: 16 }),
    ...more,
    device_status: deviceStatusRecord,
  })
  .meta({ id: 'Device' })

export const liteRetrievedDevice = z
  .object({
    ...liteDevice.shape,
    device_status: deviceStatusRecord,
    ...withExamples(
      {
        url: z.string(),
        groups: z.array(z.object({ id: z.int(), groupName: z.string() })),
      },
      {
        url: 'https://console.example.com/devices/101',
        groups: [{ id: 12, groupName: 'Ground floor' }],
      },
    ),
  })
  .meta({ id: 'LiteRetrievedDevice' })

export function toLiteDevice(device: StoredDevice): z.infer<typeof liteDevice> {
  return {
    id: device.id,
    device_id: device.device_eui,
    device_type_id: device.type_id,
    device_type_name: typeName(device),
    device_name: device.name,
    network_name: networkName(device),
    last_seen: plainTime(device.last_seen),
    region: device.app_region,
  }
}

export function toListedDevice(device: StoredDevice): z.infer<typeof listedDevice> {
  return { ...toLiteDevice(device), join_eui: device.join_eui, ...toMore(device) }
}

export function toFullDevice(device: StoredDevice): z.infer<typeof fullDevice> {
  return {
    id: device.id,
    device_id: device.device_eui,
    deviceTypeId: device.type_id,
    device_name: device.name,
    device_type_name: typeName(device),
    network_name: networkName(device),
    last_seen: plainTime(device.last_seen),
    ...toMore(device),
    device_status: toStatus(device),
  }
}

export function toLiteRetrievedDevice(
  device: StoredDevice,
  groups: readonly { id: number; name: string }[],
  publicUrl: string,
): z.infer<typeof liteRetrievedDevice> {
  return {
    ...toLiteDevice(device),
    device_status: toStatus(device),
    url: `${publicUrl}/devices/${device.id}`,
    groups: groups.map(({ id, name }) => ({ id, groupName: name })),
  }
}

function toMore(device: StoredDevice) {
  return {
    is_active: device.is_active ? ('active' as const) : ('inactive' as const),
    subscription:
      device.plan_code === null ? null : { plan_code: device.plan_code, status: 'live' as const },
    gateway: toGateway(device),
    extra_notes: device.extra_notes,
    created_at: isoTime(device.created_at),
    commissioned_at: isoTime(device.commissioned_at),
    user: toOwnerRecord(device),
    device_register_status: device.register_status,
    api_error_json: device.register_error ?? '',
  }
}

function toGateway({ gateway_id: id, gateway_name: name, gateway_eui }: StoredDevice) {
  return id === null || name === null ? null : { id, name, gateway_eui }
}

/** Every field is `--` until a frame reports it. */
export function toStatus({
  status,
  last_seen,
}: Pick<StoredDevice, 'status' | 'last_seen'>): z.infer<typeof deviceStatusRecord> {
  return {
    lastmsg_time: longTime(last_seen),
    battery: status.battery ?? noTime,
    tamper: status.tamper ?? noTime,
    tamper_detect_since_reset: status.tamper_detect_since_reset ?? noTime,
    config_error: status.config_error ?? noTime,
    rate_limit_status: status.rate_limit_status ?? noTime,
    current_sensor_state: status.current_sensor_state ?? noTime,
    hardware_version: status.hardware_version ?? noTime,
    firmware_version: status.firmware_version ?? noTime,
    low_battery: status.low_battery ?? noTime,
  }
}

export function networkName(device: Pick<StoredDevice, 'network'>): string {
  return findNetwork(device.network)?.name ?? device.network
}
