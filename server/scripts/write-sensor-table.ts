/** `npm run sensors` writes the table of sensors in docs/sensors.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deviceTypes, sensors } from '../src/sensors/index.ts'
import { unitOf } from '../src/sensors/measurements.ts'
import type { DeviceType, Sensor } from '../src/sensors/sensor.ts'
import { replaceMadePart } from './made-part.ts'

const marks = [
  '<!-- sensors: made by "npm run sensors" from server/src/sensors/types/*.ts -->',
  '<!-- end of sensors -->',
] as const

/** The page with the table of all built-in device types, by their ids. */
export function renderSensorPage(page: string): string {
  const lines = deviceTypes.map((type) => {
    const sensor = sensors.find(({ deviceTypes }) => deviceTypes.includes(type))
    return sensor ? renderRow(type, sensor) : ''
  })
  const heads = ['id', 'device type', 'part numbers', '`event_type`', 'values', 'settings']
  const table = [toRow(heads), toRow(heads.map(() => '---')), ...lines]
  return replaceMadePart(page, marks, table.join('\n'))
}

function renderRow(type: DeviceType, { messages, examples }: Sensor): string {
  const { typeId, typeName, partNumber, otherPartNumbers = [], settings } = type
  const parts = [partNumber, ...otherPartNumbers].filter(Boolean)
  const keys = new Set(examples.flatMap(({ gives }) => Object.keys(gives.values ?? {})))
  const values = [...keys].map((key) => {
    const unit = unitOf(key)
    return unit ? `\`${key}\` (${unit})` : `\`${key}\``
  })
  const events = [...new Set(messages.map(({ event }) => `\`${event}\``))]
  return toRow([
    String(typeId),
    typeName,
    parts.join(', ') || '-',
    events.join(', '),
    values.join(', ') || '-',
    settings ? 'yes' : '-',
  ])
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../../docs/sensors.md')
  writeFileSync(path, renderSensorPage(readFileSync(path, 'utf8')))
}
