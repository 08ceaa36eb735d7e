import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'
import { deviceFilterFields, toDeviceFilter } from '../inventory/device-filter.ts'
import { placeOf, placeSources } from '../inventory/places.ts'
import { verdictStates } from '../inventory/verdict.ts'
import { listPlacedDevices, type PlacedDevice } from './device-place-queries.ts'

/** Devices of one answer. */
const mostDevices = 10_000

const devicePlace = z
  .object(
    withExamples(
      {
        id: z.int(),
        device_id: z.string(),
        device_name: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        altitude: z.number().nullable(),
        place_source: z.enum(placeSources),
        state: z.enum(verdictStates).describe('Of the verdict.'),
        rssi: z.int().nullable().describe('Of the last uplink.'),
        snr: z.number().nullable().describe('Of the last uplink.'),
      },
      {
        id: 101,
        device_id: '00AA000000000001',
        device_name: 'Front door',
        latitude: 48.137,
        longitude: 11.575,
        altitude: null,
        place_source: 'map',
        state: 'ok',
        rssi: -97,
        snr: 7.5,
      },
    ),
  )
  .meta({ id: 'DevicePlace' })

export const listDevicePlaces = endpoint({
  summary: 'Where the devices that match are, for a map',
  description: `Takes the filters of \`GET /fleet/devices\`. Devices without a place are left out; \`total\` counts all
that match. An answer has at most ${mostDevices.toLocaleString('en-US')} devices.`,
  query: z.object(deviceFilterFields),
  answer: z.object({
    data: z.array(devicePlace),
    total: z.int().meta({ examples: [3412] }),
  }),
  isLarge: true,
  async handle({ query, caller: { organizationId } }, { db, now }) {
    const time = now()
    const filter = await toDeviceFilter(db, organizationId, query, time)
    const window = await findVerdictWindow(db, organizationId)
    const page = { now: time, window, most: mostDevices }
    const { total, devices } = await listPlacedDevices(db, organizationId, filter, page)
    return { data: devices.flatMap(toDevicePlace), total }
  },
})

function toDevicePlace(device: PlacedDevice): z.infer<typeof devicePlace>[] {
  const place = placeOf(device, device.told ? { ...device.told, source: 'sensor' } : undefined)
  const { latitude, longitude, altitude, place_source } = place
  if (latitude === null || longitude === null || place_source === null) return []
  const { id, eui, name, verdict: state, rssi, snr } = device
  const at = { latitude, longitude, altitude, place_source }
  return [{ id, device_id: eui, device_name: name, ...at, state, rssi, snr }]
}
