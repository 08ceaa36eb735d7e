import { deviceInfo } from './frames/device-info.ts'
import { downlinkAcknowledgement } from './frames/downlink-acknowledgement.ts'
import { linkQuality } from './frames/link-quality.ts'
import { rateLimitExceeded } from './frames/rate-limit-exceeded.ts'
import { reset } from './frames/reset.ts'
import { serviceMessages } from './frames/service-messages.ts'
import { supervisory } from './frames/supervisory.ts'
import { tamper } from './frames/tamper.ts'
import type { DeviceType, Layout, Sensor } from './sensor.ts'
import { accelerationMovement } from './types/acceleration-movement.ts'
import { airTemperatureHumidity } from './types/air-temperature-humidity.ts'
import { ambientLight } from './types/ambient-light.ts'
import { compass } from './types/compass.ts'
import { contact } from './types/contact.ts'
import { currentLoop } from './types/current-loop.ts'
import { doorWindow } from './types/door-window.ts'
import { glassBreak } from './types/glass-break.ts'
import { gps } from './types/gps.ts'
import { highPrecisionTilt } from './types/high-precision-tilt.ts'
import { honeywell5800 } from './types/honeywell-5800.ts'
import { internalTemperature } from './types/internal-temperature.ts'
import { magnetometer } from './types/magnetometer.ts'
import { pushButton } from './types/push-button.ts'
import { tankLevel } from './types/tank-level.ts'
import { temperature } from './types/temperature.ts'
import { thermocouple } from './types/thermocouple.ts'
import { tilt } from './types/tilt.ts'
import { ultrasonicLevel } from './types/ultrasonic-level.ts'
import { vibration } from './types/vibration.ts'
import { voltage } from './types/voltage.ts'
import { water } from './types/water.ts'
import { weatherStation } from './types/weather-station.ts'

/** The frames that every sensor sends. */
const commonFrames: readonly Layout[] = [
  reset,
  supervisory,
  tamper,
  deviceInfo,
  linkQuality,
  rateLimitExceeded,
  serviceMessages,
  downlinkAcknowledgement,
]

/** THE REGISTRY: every sensor, one line per file. */
export const sensors: readonly Sensor[] = [
  doorWindow,
  glassBreak,
  pushButton,
  contact,
  water,
  temperature,
  tilt,
  ambientLight,
  tankLevel,
  airTemperatureHumidity,
  accelerationMovement,
  highPrecisionTilt,
  ultrasonicLevel,
  currentLoop,
  thermocouple,
  voltage,
  gps,
  honeywell5800,
  magnetometer,
  internalTemperature,
  compass,
  weatherStation,
  vibration,
]

/** Every kind of message that a built-in device type sends. */
export const layouts: readonly Layout[] = [...commonFrames, ...sensors]

/** The built-in device types, in the order of their ids. */
export const deviceTypes: readonly DeviceType[] = sensors
  .flatMap((sensor) => sensor.deviceTypes)
  .sort((one, other) => one.typeId - other.typeId)

const deviceTypesById = new Map(deviceTypes.map((deviceType) => [deviceType.typeId, deviceType]))

/** The built-in device type with this id. */
export function findDeviceType(typeId: number): DeviceType | undefined {
  return deviceTypesById.get(typeId)
}

/** The lowest id of a device type that an organization made. Built-in ids stay below. */
export const firstCustomTypeId = 100_000

/** `full_name` of a device type: part number and type name. */
export function fullName({
  partNumber,
  typeName,
}: Pick<DeviceType, 'partNumber' | 'typeName'>): string {
  return partNumber === '' ? typeName : `${partNumber} - ${typeName}`
}
