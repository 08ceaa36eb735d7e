import { type Answer, call } from '../../../api/client.ts'
import type { DeviceRecord } from '../use-device.ts'

type Uplink = Answer<'GET /devices/{device_id}/uplink'>['data'][number]

const perPage = 1000
export const mostRows = 50_000

const header = [
  'event_time',
  'event',
  'decoded',
  'rssi',
  'snr',
  'data_rate',
  'f_port',
  'f_cnt',
  'frame',
]

/** Reads the uplinks page by page, and hands them to the browser as a file. */
export async function exportHistory(
  device: DeviceRecord,
  tell: (rows: number) => void,
): Promise<void> {
  const lines = [header.join(',')]
  for (let page = 1; lines.length <= mostRows; page += 1) {
    const { data, meta } = await call('GET /devices/{device_id}/uplink', {
      path: { device_id: device.device_id },
      query: { page, itemsPerPage: perPage },
    })
    for (const uplink of data) lines.push(toLine(uplink))
    tell(lines.length - 1)
    if (page >= meta.last_page) break
  }
  save(`${lines.join('\r\n')}\r\n`, `uplinks-${device.device_id}.csv`)
}

function toLine(uplink: Uplink): string {
  const { eventDescription, ...values } = uplink.decoded_object
  const { additional_data: more } = uplink
  const cells = [
    uplink.event_time,
    eventDescription,
    JSON.stringify(values),
    uplink.rssi,
    uplink.snr,
    more.data_rate ?? '',
    more.f_port,
    more.f_cnt,
    uplink.data,
  ]
  return cells.map(toCell).join(',')
}

/** A spreadsheet runs a text that begins like a formula: an apostrophe keeps it a text. */
export function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@＝＋－＠\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
