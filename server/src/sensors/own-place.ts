import { type OwnType, ownValues } from './own-measurements.ts'
import type { ReadingValue, StatusChange } from './sensor.ts'

/**
 * Where the values of a codec say that the device is: what is declared as `position.latitude` and
 * `position.longitude`, or else `latitude` and `longitude` side by side, as CayenneLPP has them. 0/0 is
 * what sensors send without a fix.
 */
export function placeIn(
  values: Readonly<Record<string, ReadingValue>>,
  type: OwnType,
): StatusChange['place'] {
  const found = ownValues(values, type)
  const numbers = new Map<string, number>()
  for (const { measurement, value } of found) {
    const { quantity, name } = measurement
    if (typeof value !== 'number') continue
    if (quantity?.startsWith('position.')) numbers.set(quantity, value)
    else numbers.set(name, value)
  }
  const beside = [...numbers.keys()].find((name) => /(^|\.)latitude$/.test(name))
  const prefix = beside?.slice(0, -'latitude'.length)
  for (const start of ['position.', prefix]) {
    if (start === undefined) continue
    const [latitude, longitude] = [
      numbers.get(`${start}latitude`),
      numbers.get(`${start}longitude`),
    ]
    if (latitude === undefined || longitude === undefined) continue
    const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    if (!isOnEarth || (latitude === 0 && longitude === 0)) continue
    const altitude = numbers.get(`${start}altitude`)
    return { latitude, longitude, ...(altitude !== undefined && { altitude }) }
  }
  return undefined
}
