import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { withExamples } from '../../../http/examples.ts'
import { readIntervals, stateRecord } from '../../../uplinks/read/device-states.ts'
import { findDevice } from '../../../uplinks/read/measurement-queries.ts'
import type { TimeRange } from '../../../uplinks/read/steps.ts'
import {
  listFleet,
  readFleetDevices,
  type Viewer,
} from '../../fleet/devices/fleet-device-queries.ts'
import { toFleetDevice } from '../../fleet/devices/fleet-device-record.ts'
import type { DeviceFilter } from '../../fleet/inventory/device-filter.ts'
import { readingRecord } from '../../fleet/inventory/reading-record.ts'
import { verdictRecord } from '../../fleet/inventory/verdict.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'

/** What widgets show of devices: no more than that, since a dashboard may be shown to others. */

export const widgetDevice = z
  .object({
    ...withExamples(
      {
        device_id: z.string(),
        device_name: z.string(),
        device_type: z.string(),
        last_seen: z.string().nullable(),
        battery: z.number().nullable().describe('In volts.'),
        low_battery: z.boolean().nullable(),
        latitude: z.number().nullable(),
        longitude: z.number().nullable(),
      },
      {
        device_id: '00AA000000000001',
        device_name: 'Front door',
        device_type: 'RBS301-DWS - LoRa Door/Window',
        last_seen: '2026-03-01T11:59:07.775023Z',
        battery: 2.9,
        low_battery: false,
        latitude: 48.1372,
        longitude: 11.5755,
      },
    ),
    reading: readingRecord.nullable(),
    verdict: verdictRecord,
  })
  .meta({ id: 'WidgetDevice' })

type DeviceRecord = z.infer<typeof widgetDevice>

function toDevice(device: Parameters<typeof toFleetDevice>[0], now: Date): DeviceRecord {
  const record = toFleetDevice(device, now)
  return {
    device_id: record.device_id,
    device_name: record.device_name,
    device_type: record.device_type.name,
    last_seen: record.last_seen,
    battery: record.battery,
    low_battery: record.low_battery,
    latitude: record.latitude,
    longitude: record.longitude,
    reading: record.reading,
    verdict: record.verdict,
  }
}

export async function readDevices(
  db: Database,
  viewer: Viewer,
  ids: readonly number[],
  now: Date,
): Promise<DeviceRecord[]> {
  const devices = await readFleetDevices(db, viewer, ids, now)
  return devices.map((device) => toDevice(device, now))
}

/** Silent devices, those heard last first, and low batteries, the lowest first. */
export async function readTroubled(
  db: Database,
  viewer: Viewer,
  filter: DeviceFilter,
  { most, now }: { most: number; now: Date },
) {
  const window = await findVerdictWindow(db, viewer.organizationId)
  const page = { limit: most, offset: 0, after: undefined, now }
  const silent = { ...filter, verdict: { state: 'silent' as const, now, window } }
  const low = { ...filter, hasLowBattery: true as const }
  const [ofSilence, ofBattery] = await Promise.all([
    listFleet(db, viewer, silent, { sort: 'last_seen', order: 'desc' }, page),
    listFleet(db, viewer, low, { sort: 'battery', order: 'asc' }, page),
  ])
  const all = [...ofSilence.devices, ...ofBattery.devices]
  const devices = [...new Map(all.map((device) => [device.id, device])).values()]
  return {
    devices: devices.slice(0, most).map((device) => toDevice(device, now)),
    silent: ofSilence.total,
    low_battery: ofBattery.total,
  }
}

export const widgetState = stateRecord
  .extend({ device_id: z.string(), device_name: z.string() })
  .meta({ id: 'WidgetState', examples: undefined })

/** The states of devices, one after the other. */
export async function readDeviceStates(
  db: Database,
  viewer: Viewer,
  ids: readonly number[],
  { range, most, now }: { range: TimeRange; most: number; now: Date },
): Promise<z.infer<typeof widgetState>[]> {
  const names = new Map(
    (await readFleetDevices(db, viewer, ids, now)).map((device) => [device.id, device]),
  )
  const found: z.infer<typeof widgetState>[] = []
  for (const id of ids) {
    if (found.length >= most) break
    const device = await findDevice(db, viewer.organizationId, { id, eui: null })
    if (!device) continue
    const states = await readIntervals(db, viewer.organizationId, device, { ...range, now })
    if (typeof states === 'string') continue
    const { eui = '', name = '' } = names.get(id) ?? {}
    found.push(...states.map((state) => ({ ...state, device_id: eui, device_name: name })))
  }
  return found.slice(0, most)
}
