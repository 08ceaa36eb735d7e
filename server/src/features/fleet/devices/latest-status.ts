import { z } from 'zod'
import type { RequestContext } from '../../../http/endpoint.ts'
import { withExamples } from '../../../http/examples.ts'
import { hexadecimal, pageQuery, queryInteger } from '../../../http/fields.ts'
import { pageLinks, pageOf, paginatedList } from '../../../http/pages.ts'
import { noTime, unixTime } from '../../../http/timestamps.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { unitOf } from '../../../sensors/measurements.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { type LatestStatus, listLatestStatus } from './device-list-queries.ts'
import { deviceStatusRecord, toStatus } from './device-record.ts'

/**
 * The state of many devices at once, as the original console answers it
 * (console.radiobridge.com/docs/guide/api-docs/endpoints/devices-latest-status.html).
 */

const latestStatus = z
  .object({
    ...deviceStatusRecord.shape,
    last_seen: z.string().describe(`Seconds since 1970, as text; \`${noTime}\` when never.`),
    rssi: z.int().nullable().describe('Of the last uplink.'),
    snr: z.number().nullable().describe('Of the last uplink.'),
    last_downlink_status: z.string().nullable(),
    measurement: z
      .string()
      .nullable()
      .describe('The first number with a unit that the last uplink measured.'),
  })
  .meta({ id: 'LatestDeviceStatus' })

const query = z.object({
  page: pageQuery.page,
  itemsPerPage: queryInteger('items per page', { min: 1, max: 1000, fallback: 100 }),
})

const answer = z.object({
  data: z.record(z.string(), latestStatus).describe('By DevEUI.'),
  payload: z.record(z.string(), z.string()),
  links: pageLinks,
})

const exampleStatus: z.infer<typeof latestStatus> = {
  lastmsg_time: 'Mar 01, 2026 11:59:07 (UTC)',
  battery: '2.9V',
  tamper: 'No',
  tamper_detect_since_reset: 'No',
  config_error: 'No',
  rate_limit_status: 'No',
  current_sensor_state: '--',
  hardware_version: '1.2',
  firmware_version: '2.1',
  low_battery: 'No',
  last_seen: '1772366347',
  rssi: -36,
  snr: 10.5,
  last_downlink_status: null,
  measurement: '23.7 °C',
}
const address = 'https://console.example.com/v1/get-devices-summary?page=1'
const exampleAnswer = {
  data: { '00AA000000000001': exampleStatus },
  payload: { page: '1', itemsPerPage: '100' },
  links: { first: address, last: address, prev: null, next: null },
}

const most = 1000
const chosenDevices = z.object(
  withExamples(
    {
      devices: z
        .array(hexadecimal('device EUI', 16), { error: 'The devices must be an array.' })
        .max(most, `The devices may not have more than ${most} entries.`)
        .nullish(),
    },
    { devices: ['00AA000000000001'] },
  ),
)

export const showLatestStatus = endpoint({
  summary: 'The latest status of all devices, a page at a time, by DevEUI',
  query,
  changesNothing: true,
  answer,
  examples: [{ name: 'one device', answer: exampleAnswer }],
  handle({ query, caller, request }, services) {
    return readPage(services, caller.organizationId, { query, request, euis: undefined })
  },
})

export const showChosenStatus = endpoint({
  summary: 'The latest status of the devices named, or of all; changes nothing',
  query,
  body: chosenDevices,
  answer,
  examples: [
    { name: 'one device', body: { devices: ['00AA000000000001'] }, answer: exampleAnswer },
  ],
  change: 'untold',
  handle({ query, body, caller, request }, services) {
    const euis = body.devices?.map(normalizeEui)
    return readPage(services, caller.organizationId, { query, request, euis })
  },
})

interface Asked {
  query: z.infer<typeof query>
  request: RequestContext
  euis: readonly string[] | undefined
}

async function readPage({ db }: CoreServices, organizationId: number, asked: Asked) {
  const { query, request, euis } = asked
  const page = pageOf(query, request.sentQuery)
  const { devices, total } = await listLatestStatus(db, organizationId, euis, page)
  const { payload, links } = paginatedList([], total, page, { request, payload: query })
  const data = devices.map((device) => [device.device_eui, toLatestStatus(device)] as const)
  return { data: Object.fromEntries(data), payload, links }
}

function toLatestStatus(device: LatestStatus): z.infer<typeof latestStatus> {
  return {
    ...toStatus(device),
    last_seen: device.last_seen === null ? noTime : unixTime(device.last_seen),
    rssi: device.rssi,
    snr: device.snr,
    last_downlink_status: device.downlink_state,
    measurement: measurementOf(device.decoded_object ?? {}),
  }
}

function measurementOf(decoded: Record<string, unknown>): string | null {
  for (const [key, value] of Object.entries(decoded)) {
    const unit = unitOf(key)
    if (typeof value === 'number' && unit) return `${value} ${unit}`
  }
  return null
}
