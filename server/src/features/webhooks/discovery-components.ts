import { decodeFrame } from '../../sensors/decode.ts'
import { findDeviceType, layouts, sensors } from '../../sensors/index.ts'
import type { DeviceType, FrameExample, Reading, ReadingValue } from '../../sensors/sensor.ts'
import { unitOf } from '../../sensors/units.ts'
import {
  type Component,
  channelNumber,
  flag,
  gpsMovement,
  gpsPosition,
  linkComponents,
  number,
  statesOf,
  tamper,
} from './discovery-platforms.ts'

/** The components of a device in Home Assistant, by their names. */
export type Components = Readonly<Record<string, Component>>

/** Numbers without a unit that are measurements all the same. */
const unitless = new Set([
  'relativeLight',
  'relativeResistance',
  'hailAccumulation',
  'hailIntensity',
])

const known = new Map<number, Components>()

/** What a built-in device type measures; undefined for the types of an organization. */
export function componentsOfType(typeId: number): Components | undefined {
  const type = findDeviceType(typeId)
  if (!type) return undefined
  const components = known.get(typeId) ?? makeComponents(type)
  known.set(typeId, components)
  return components
}

/** The examples of the sensor, and those of the frames that it also sends. */
function makeComponents(type: DeviceType): Components {
  const own = sensors.find(({ deviceTypes }) => deviceTypes.includes(type))
  const codes = type.alsoSends ?? []
  const common = layouts.filter((layout) => !sensors.some((sensor) => sensor === layout))
  const others = sensors.flatMap(({ examples }) => examples)
  const examples = [
    ...(own?.examples ?? []),
    ...others.filter(({ hex }) => codes.includes(Uint8Array.fromHex(hex)[1] ?? -1)),
    ...common.flatMap((layout) => layout.examples),
  ]
  const found = examples.map(decode).flatMap((reading) => Object.entries(componentsOf(reading)))
  return { ...Object.fromEntries(found), tamper, ...linkComponents }
}

function decode({ hex }: FrameExample): Reading {
  return decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
}

/** A state has another meaning in each kind of message; a number has the same in all. */
function componentsOf({ event, values }: Reading): Components {
  if (event === 'GPS_SENSOR') return { position: gpsPosition, movement: gpsMovement }
  const { channel } = values
  const entries = Object.entries(values).flatMap(([key, value]): [string, Component][] => {
    if (typeof value === 'boolean') return flag(key) ? [[key, flag(key) as Component]] : []
    if (typeof value !== 'number' || key === 'rssi' || key === 'snr') return []
    const unit = unitOf(key) ?? null
    if (unit === null && !unitless.has(key)) return []
    if (typeof channel !== 'number') return [[key, number(key, unit)]]
    return [[`${key}_${channel}`, channelNumber(key, unit, channel)]]
  })
  return { ...statesOf(event), ...Object.fromEntries(entries) }
}

/** Names that a template can quote, and that are good in an id. */
const plainKey = /^[A-Za-z_]\w{0,59}$/
const mostOwn = 40

/**
 * What a device of an organization's own type measures: the numbers and truths that its codec gave so
 * far. `before` are the components that are announced already.
 */
export function componentsOfOwn(
  decoded: Readonly<Record<string, ReadingValue>>,
  before: readonly string[],
): Components {
  const found = new Map<string, Component>()
  for (const text of before) {
    const [platform, key = ''] = text.split(' ')
    if (plainKey.test(key) && !(key in linkComponents)) found.set(key, ownComponent(key, platform))
  }
  for (const [key, value] of Object.entries(decoded)) {
    if (found.size >= mostOwn) break
    if (!plainKey.test(key) || key in linkComponents || found.has(key)) continue
    if (typeof value === 'number') found.set(key, ownComponent(key, 'sensor'))
    if (typeof value === 'boolean') found.set(key, ownComponent(key, 'binary_sensor'))
  }
  return { ...Object.fromEntries(found), ...linkComponents }
}

function ownComponent(key: string, platform: string | undefined): Component {
  return platform === 'binary_sensor' ? flag(key, {}) : number(key, null)
}
