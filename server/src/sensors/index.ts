import { accelerationMovement } from './acceleration-movement.ts'
import { airTemperatureHumidity } from './air-temperature-humidity.ts'
import { ambientLight } from './ambient-light.ts'
import { compass } from './compass.ts'
import { contact } from './contact.ts'
import { currentLoop } from './current-loop.ts'
import { deviceInfo } from './device-info.ts'
import { doorWindow } from './door-window.ts'
import { downlinkAcknowledgement } from './downlink-acknowledgement.ts'
import { glassBreak } from './glass-break.ts'
import { gps } from './gps.ts'
import { highPrecisionTilt } from './high-precision-tilt.ts'
import { honeywell5800 } from './honeywell-5800.ts'
import { internalTemperature } from './internal-temperature.ts'
import { linkQuality } from './link-quality.ts'
import { magnetometer } from './magnetometer.ts'
import { pushButton } from './push-button.ts'
import { rateLimit } from './rate-limit.ts'
import { reset } from './reset.ts'
import type { Sensor, SensorFile } from './sensor.ts'
import { serviceMessages } from './service-messages.ts'
import { supervisory } from './supervisory.ts'
import { tamper } from './tamper.ts'
import { tankLevel } from './tank-level.ts'
import { temperature } from './temperature.ts'
import { thermocouple } from './thermocouple.ts'
import { tilt } from './tilt.ts'
import { ultrasonicLevel } from './ultrasonic-level.ts'
import { vibration } from './vibration.ts'
import { vibrationSpectrum } from './vibration-spectrum.ts'
import { voltage } from './voltage.ts'
import { water } from './water.ts'
import { weatherStation } from './weather-station.ts'

/** THE REGISTRY: every kind of message and every device type, one line per file. */
export const sensorFiles: readonly SensorFile[] = [
  reset,
  supervisory,
  tamper,
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
  vibrationSpectrum,
  deviceInfo,
  linkQuality,
  rateLimit,
  serviceMessages,
  downlinkAcknowledgement,
]

/** The built-in device types, in the order of their ids. */
export const deviceTypes: readonly Sensor[] = sensorFiles
  .flatMap((file) => file.deviceTypes)
  .sort((one, other) => one.typeId - other.typeId)

const deviceTypesById = new Map(deviceTypes.map((sensor) => [sensor.typeId, sensor]))

/** The built-in device type with this id, if there is one. */
export function findDeviceType(typeId: number): Sensor | undefined {
  return deviceTypesById.get(typeId)
}

/** Where the ids of the types that organizations make begin: those built in stay far below. */
export const firstCustomTypeId = 100_000

/** `full_name` of a device type: part number and type name. */
export function fullName({
  partNumber,
  typeName,
}: Pick<Sensor, 'partNumber' | 'typeName'>): string {
  return partNumber === '' ? typeName : `${partNumber} - ${typeName}`
}
