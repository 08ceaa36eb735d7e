import { createHash } from 'node:crypto'
import { decodeFrame } from '../../../sensors/decode.ts'
import { findDeviceType, layouts, sensors } from '../../../sensors/index.ts'
import { unitOf } from '../../../sensors/measurements.ts'
import { type OwnType, ownValues } from '../../../sensors/own-measurements.ts'
import type { DeviceType, FrameExample, Reading, ReadingValue } from '../../../sensors/sensor.ts'
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
import type { KnownAnnouncement } from './discovery-queries.ts'
import { topicOf } from './mqtt-delivery.ts'
import type { MqttSettings } from './mqtt-settings.ts'

/** The components of a device in Home Assistant, by their names. */
type Components = Readonly<Record<string, Component>>

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

/** Paths that a template can quote, and that are good in an id. */
const plainPath = /^[A-Za-z_]\w{0,59}(\.\w{1,60}){0,7}$/
const mostOwn = 40

/** A component of an own type that is more than its key. */
interface OwnComponent {
  path: string
  name?: string | undefined
  unit?: string | undefined
}

/**
 * What a device of an organization's own type measures: the numbers and truths that its codec gave so
 * far, also within objects and lists. `before` are the components that are announced already.
 */
export function componentsOfOwn(
  decoded: Readonly<Record<string, ReadingValue>>,
  before: readonly string[],
  type: OwnType | null = null,
): Components {
  const found = new Map<string, Component>()
  const add = (platform: string | undefined, own: OwnComponent) => {
    const id = own.path.replaceAll('.', '_')
    if (!plainPath.test(own.path) || id in linkComponents || found.has(id)) return
    found.set(id, ownComponent(platform, own))
  }
  for (const text of before) {
    const { platform, key, more } = readText(text)
    add(platform, { path: key, ...(more && JSON.parse(more)) })
  }
  for (const { measurement, value } of ownValues(decoded, type)) {
    if (found.size >= mostOwn) break
    const { name: path, label, unit } = measurement
    if (typeof value === 'string' || measurement.isHidden) continue
    const isPlain = !path.includes('.') && unit === undefined
    const platform = typeof value === 'boolean' ? 'binary_sensor' : 'sensor'
    add(platform, isPlain ? { path } : { path, name: label, unit })
  }
  return { ...Object.fromEntries(found), ...linkComponents }
}

function ownComponent(platform: string | undefined, own: OwnComponent): Component {
  const { path, name, unit } = own
  const component = platform === 'binary_sensor' ? flag(path, {}) : number(path, unit ?? null)
  if (name === undefined) return component
  return { ...component, name, more: JSON.stringify(own) }
}

/** As `makeAnnouncement` writes it. */
function readText(text: string) {
  const [, platform, key = '', more] = /^(\w+) (\S+)(?: (.*))?$/s.exec(text) ?? []
  return { platform, key, more }
}

/**
 * What tells Home Assistant of a device: a retained message of its MQTT discovery, one for all
 * components (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload).
 */
export interface Announcement extends KnownAnnouncement {
  payload: string
}

export interface AnnouncedDevice {
  device_id: number
  device_eui: string
  device_name: string
  device_type_id: number
  network: string
  /** Of a type of the organization. */
  own_type?: OwnType | null
  /** Of the uplink that follows. */
  decoded_object: Record<string, ReadingValue>
}

/** Names of devices are anybody's choice, so topics and ids are made only of numbers. */
export function announcementTopic(prefix: string, organizationId: number, eui: string): string {
  return `${prefix}/device/${idOf(organizationId, eui)}/config`
}

function idOf(organizationId: number, eui: string): string {
  return `lora_${organizationId}_${eui}`
}

/** `before` is what was announced at the same topic, if anything. */
export function makeAnnouncement(
  { topic: template, discovery_prefix: prefix }: Required<MqttSettings>,
  organizationId: number,
  device: AnnouncedDevice,
  before: KnownAnnouncement | undefined,
): Announcement {
  const { device_id, device_eui: eui, device_type_id: type_id } = device
  const announced = before?.type_id === type_id ? before.components : []
  const components =
    componentsOfType(type_id) ?? componentsOfOwn(device.decoded_object, announced, device.own_type)
  const id = idOf(organizationId, eui)
  const stateTopic = topicOf(template, organizationId, { kind: 'uplink', device })
  const config = {
    device: {
      identifiers: [id],
      name: device.device_name,
      serial_number: eui,
      ...modelOf(type_id),
    },
    origin: { name: 'LoRa fleet console' },
    components: toConfigs(components, { id, stateTopic }),
  }
  const gone = vanished(before?.components ?? [], components)
  // With what is gone in it, it is sent once more without (the manual's advice).
  const isWhole = Object.keys(gone).length === 0
  return {
    topic: announcementTopic(prefix, organizationId, eui),
    device_id,
    type_id,
    components: Object.entries(components).map(([key, { platform, more }]) =>
      more === undefined ? `${platform} ${key}` : `${platform} ${key} ${more}`,
    ),
    digest: isWhole ? digestOf(config) : null,
    payload: JSON.stringify({ ...config, components: { ...config.components, ...gone } }),
  }
}

function digestOf(config: object): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('base64url')
}

function modelOf(typeId: number): { model?: string; model_id?: string } {
  const type = findDeviceType(typeId)
  if (!type) return {}
  return { model: type.typeName, ...(type.partNumber ? { model_id: type.partNumber } : {}) }
}

function toConfigs(components: Components, { id, stateTopic }: { id: string; stateTopic: string }) {
  const configs = Object.entries(components).map(([key, component]) => {
    const { more: _, ...shown } = component
    const { platform, json_attributes_template } = shown
    const topic = json_attributes_template
      ? { json_attributes_topic: stateTopic }
      : { state_topic: stateTopic }
    return [key, { ...shown, platform, unique_id: `${id}_${key}`, ...topic, qos: 1 }]
  })
  return Object.fromEntries(configs)
}

/** A component that has only its platform is removed. */
function vanished(before: readonly string[], components: Components) {
  const gone = before.flatMap((text) => {
    const { platform, key } = readText(text)
    return key in components ? [] : [[key, { platform }]]
  })
  return Object.fromEntries(gone)
}
