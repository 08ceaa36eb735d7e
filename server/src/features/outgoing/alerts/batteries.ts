import type { Database } from '../../../db/connect.ts'
import { findDeviceType } from '../../../sensors/index.ts'
import { ownValues } from '../../../sensors/own-measurements.ts'
import { forecastBattery } from '../../insight/device-health/battery-forecast.ts'
import { batteryOf, builtInBattery } from '../../insight/device-health/battery-trend.ts'
import type { ReadUplink } from './reading-queries.ts'
import type { BatteryLevel, BatteryReading } from './readings.ts'
import type { StoredRule } from './rule-queries.ts'

/** A battery above it is not near its end, whatever its trend. */
const high = { V: 3.2, '%': 60 }

/** The battery that an uplink tells. */
export function batteryIn({
  device_type_id,
  own_type,
  decoded_object: values,
}: ReadUplink): BatteryLevel | undefined {
  if (findDeviceType(device_type_id)) {
    const level = values[builtInBattery.name]
    return typeof level === 'number' ? { scale: builtInBattery, level } : undefined
  }
  for (const { measurement, value } of ownValues(values, own_type)) {
    const scale = batteryOf(measurement)
    if (scale && typeof value === 'number') return { scale, level: value * scale.factor }
  }
  return undefined
}

/** The last reading of each battery in the portion, with its trend where it may be near its end. */
export async function readBatteries(
  db: Database,
  { organization_id }: StoredRule,
  uplinks: readonly ReadUplink[],
  now: Date,
): Promise<Map<number, BatteryReading>> {
  const last = new Map<number, BatteryLevel>()
  for (const uplink of uplinks) {
    const told = batteryIn(uplink)
    if (told) last.set(uplink.device_id, told)
  }
  const found = new Map<number, BatteryReading>()
  for (const [device, told] of last) {
    const isFull = told.level > high[told.scale.unit]
    const emptyAt = isFull
      ? undefined
      : await findEnd(db, organization_id, { device, ...told }, now)
    found.set(device, { ...told, emptyAt })
  }
  return found
}

async function findEnd(
  db: Database,
  organizationId: number,
  { device, scale }: BatteryLevel & { device: number },
  now: Date,
): Promise<number | undefined> {
  if (scale.empty === undefined) return undefined
  const { trend } = await forecastBattery(db, organizationId, { deviceId: device, scale }, now)
  if (trend?.state === 'empty') return now.getTime()
  return trend?.state === 'falling' ? trend.emptyAt : undefined
}
