import { airTemperatureHumidity } from './air-temperature-humidity.ts'
import { contact } from './contact.ts'
import { doorWindow } from './door-window.ts'
import { downlinkAcknowledgement } from './downlink-acknowledgement.ts'
import { linkQuality } from './link-quality.ts'
import { pushButton } from './push-button.ts'
import { reset } from './reset.ts'
import type { Sensor, SensorFile } from './sensor.ts'
import { supervisory } from './supervisory.ts'
import { tamper } from './tamper.ts'
import { temperature } from './temperature.ts'
import { tilt } from './tilt.ts'
import { water } from './water.ts'

/** THE REGISTRY: every kind of message and every device type, one line per file. */
export const sensorFiles: readonly SensorFile[] = [
  reset,
  supervisory,
  tamper,
  doorWindow,
  pushButton,
  contact,
  water,
  temperature,
  tilt,
  airTemperatureHumidity,
  linkQuality,
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

/** `full_name` of a device type: part number and type name. */
export function fullName({ partNumber, typeName }: Sensor): string {
  return partNumber === '' ? typeName : `${partNumber} - ${typeName}`
}
