/**
 * What this service publishes, in the words of Home Assistant's MQTT platforms
 * (https://www.home-assistant.io/integrations/sensor.mqtt/ and those next to it). The templates give an
 * empty text for messages that say nothing about their component, which Home Assistant ignores.
 */

/** A component without its topic and id. */
export interface Component {
  platform: 'sensor' | 'binary_sensor' | 'event' | 'device_tracker'
  name: string
  device_class?: string
  entity_category?: 'diagnostic'
  unit_of_measurement?: string
  state_class?: 'measurement'
  value_template?: string
  payload_on?: string
  payload_off?: string
  event_types?: readonly string[]
  json_attributes_template?: string
  /** What makes it again, where its key is not enough. */
  more?: string
}

/** Sets `d` to what was decoded: a join, at the same topic, has nothing of it. */
const decoded = '{% set d = value_json.data.decoded_object | default({}) %}'

/** Of numbers, by their key. Classes and the units that they take: integrations/sensor#device-class. */
const numberClasses: Record<string, string> = {
  battery: 'voltage',
  biasVoltage: 'voltage',
  current: 'current',
  distance: 'distance',
  hailDuration: 'duration',
  heatingTemperature: 'temperature',
  heatingVoltage: 'voltage',
  humidity: 'humidity',
  pressure: 'atmospheric_pressure',
  rainAccumulation: 'precipitation',
  rainDuration: 'duration',
  rainIntensity: 'precipitation_intensity',
  referenceVoltage: 'voltage',
  supplyVoltage: 'voltage',
  temperature: 'temperature',
  voltage: 'voltage',
  windSpeedAverage: 'wind_speed',
  windSpeedMaximum: 'wind_speed',
  windSpeedMinimum: 'wind_speed',
}

/** What has a unit of temperature is one, whatever its key. */
function classOf(key: string, unit: string | null): { device_class?: string } {
  if (unit === null) return {}
  const known = numberClasses[key] ?? (/^°[CF]$/.test(unit) ? 'temperature' : undefined)
  return known ? { device_class: known } : {}
}

const diagnostic = new Set([
  'battery',
  'biasVoltage',
  'heatingTemperature',
  'heatingVoltage',
  'referenceVoltage',
  'supplyVoltage',
])

/** A mean of directions is no direction, and sums since a reset have no mean. */
const withoutStatistics = /^(heading$|windDirection|.*(Accumulation|Duration)$)/

export function number(key: string, unit: string | null): Component {
  // Without a unit, the class is what makes Home Assistant take it for a number.
  const hasStatistics = unit === null || !withoutStatistics.test(key)
  return {
    platform: 'sensor',
    name: toWords(key),
    ...classOf(key, unit),
    ...(diagnostic.has(key) ? { entity_category: 'diagnostic' as const } : {}),
    ...(unit === null ? {} : { unit_of_measurement: unit }),
    ...(hasStatistics ? { state_class: 'measurement' as const } : {}),
    value_template: `${decoded}{% set v = ${valueAt(key)} %}{{ v if v is number else '' }}`,
  }
}

/** The value at a path, such as `air.value` or `probes.0`; undefined where there is none. */
function valueAt(path: string): string {
  return path.split('.').reduce((outer, part) => {
    if (outer === '') return `d['${part}']`
    return /^\d+$/.test(part)
      ? `(${outer} | default([]))[${part}]`
      : `(${outer} | default({}))['${part}']`
  }, '')
}

/** A number of a sensor that measures at several places, and says at which. */
export function channelNumber(key: string, unit: string | null, channel: number): Component {
  const isHere = `d['channel'] == ${channel} and d['${key}'] is number`
  return {
    ...number(key, unit),
    name: `${toWords(key)} ${channel}`,
    value_template: `${decoded}{{ d['${key}'] if ${isHere} else '' }}`,
  }
}

const flags: Record<string, Pick<Component, 'device_class'>> = {
  batteryLow: { device_class: 'battery' },
  radioCommunicationError: { device_class: 'problem' },
  errorWithLastDownlink: { device_class: 'problem' },
}

/** A truth; undefined where it is none that people look at. */
export function flag(key: string): Component | undefined
export function flag(key: string, more: Partial<Component>): Component
export function flag(key: string, more?: Partial<Component>): Component | undefined {
  const kind = more ?? (flags[key] && { ...flags[key], entity_category: 'diagnostic' as const })
  return (
    kind && {
      platform: 'binary_sensor',
      name: toWords(key),
      ...kind,
      payload_on: 'ON',
      payload_off: 'OFF',
      value_template: `${decoded}{% set v = ${valueAt(key)} %}{{ ('ON' if v else 'OFF') if v is boolean else '' }}`,
    }
  )
}

interface TwoStates {
  name: string
  device_class?: string
  on: string
  off: string
}

/** The states of sensors, by their `event_type`. */
const twoStates: Record<string, TwoStates> = {
  DOOR_SENSOR: { name: 'Opening', device_class: 'opening', on: 'open', off: 'closed' },
  CONTACT_SENSOR: { name: 'Contact', device_class: 'opening', on: 'open', off: 'shorted' },
  WATER_SENSOR: { name: 'Water', device_class: 'moisture', on: 'present', off: 'not present' },
  TANK_LEVEL_SENSOR: { name: 'Tank full', on: 'full', off: 'empty' },
  ACCELERATION_MOVEMENT_SENSOR: {
    name: 'Movement',
    device_class: 'moving',
    on: 'started',
    off: 'stopped',
  },
}

interface Happening {
  name: string
  device_class?: string
  types: string[]
  /** A member of what was decoded that becomes an attribute. */
  more?: string
}

/** What happens and is over at once. */
const happenings: Record<string, Happening> = {
  PUSH_BUTTON: {
    name: 'Button',
    device_class: 'button',
    types: ['pressed', 'released', 'held', 'released after hold'],
    more: 'buttonId',
  },
  GLASS_BREAK_EVENT: { name: 'Glass break', types: ['broken'] },
}

/** What the messages of a kind say by their `state`. */
export function statesOf(event: string): Record<string, Component> {
  const isIt = `value_json.data.event_type == '${event}' and d['state'] is defined`
  const states = twoStates[event]
  if (states) {
    const { on, off, ...more } = states
    const value_template = `${decoded}{{ d['state'] if ${isIt} else '' }}`
    const payloads = { payload_on: on, payload_off: off }
    return { state: { platform: 'binary_sensor', ...more, ...payloads, value_template } }
  }
  const happening = happenings[event]
  if (!happening) return {}
  const { types, more, ...names } = happening
  const attribute = more === undefined ? '' : `, '${more}': d['${more}']`
  const payload = `{'event_type': d['state']${attribute}} | tojson`
  const value_template = `${decoded}{{ ${payload} if ${isIt} else '' }}`
  return { state: { platform: 'event', ...names, event_types: types, value_template } }
}

/** Told at once by a message of its own, and again by each supervisory message. */
export const tamper: Component = {
  platform: 'binary_sensor',
  name: 'Tamper',
  device_class: 'tamper',
  payload_on: 'open',
  payload_off: 'closed',
  value_template:
    `${decoded}{% if value_json.data.event_type == 'TAMPER' %}{{ d['state'] | default('') }}` +
    `{% elif d['tamperState'] is boolean %}{{ 'open' if d['tamperState'] else 'closed' }}{% endif %}`,
}

/** Where there is no fix, it stays where it was. */
export const gpsPosition: Component = {
  platform: 'device_tracker',
  name: 'Position',
  json_attributes_template:
    `${decoded}{% set p = d if d['latitude'] is number else this.attributes %}` +
    `{{ {'latitude': p['latitude'], 'longitude': p['longitude']} | tojson ` +
    `if p['latitude'] is number else '{}' }}`,
}

export const gpsMovement: Component = {
  platform: 'binary_sensor',
  name: 'Movement',
  device_class: 'moving',
  payload_on: 'started',
  payload_off: 'stopped',
  value_template:
    `${decoded}{{ 'started' if d['movementStarted'] == true ` +
    `else ('stopped' if d['movementStopped'] == true else '') }}`,
}

function signal(key: string, name: string, unit: string): Component {
  return {
    platform: 'sensor',
    name,
    device_class: 'signal_strength',
    entity_category: 'diagnostic',
    unit_of_measurement: unit,
    state_class: 'measurement',
    value_template: `{{ value_json.data.${key} if value_json.data.${key} is number else '' }}`,
  }
}

/** How the best gateway heard the uplink, of any device. */
export const linkComponents = {
  rssi: signal('rssi', 'RSSI', 'dBm'),
  snr: signal('snr', 'SNR', 'dB'),
}

/** `windSpeedAverage` is "Wind speed average". */
function toWords(key: string): string {
  const words = key.replace(/_/g, ' ').replace(/([a-z])([A-Z0-9])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}
