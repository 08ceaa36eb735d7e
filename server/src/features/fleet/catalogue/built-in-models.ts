import { sensors } from '../../../sensors/index.ts'
import type { DeviceType, Sensor } from '../../../sensors/sensor.ts'
import { type IndexedModel, type ShownModel, toSearched } from './catalogue-record.ts'

/** The models that the service decodes itself, by the vendor who sells them. */

const radioBridge = 'Radio Bridge'
const multiTech = 'MultiTech'

export interface BuiltInModel extends IndexedModel {
  typeId: number
}

export const builtInModels: readonly BuiltInModel[] = sensors.flatMap((sensor) =>
  sensor.deviceTypes.flatMap((type) => toModels(sensor, type)),
)

/** MultiTech sells the sensors under part numbers of its own. */
function toModels(sensor: Sensor, type: DeviceType): BuiltInModel[] {
  const all = [type.partNumber, ...(type.otherPartNumbers ?? [])].filter(Boolean)
  const isMultiTech = (part: string) => part.startsWith('RBS3010')
  const own = all.filter((part) => !isMultiTech(part))
  const theirs = all.filter(isMultiTech)
  return [
    ...(own.length > 0 || theirs.length === 0
      ? [toModel(sensor, type, { vendor: radioBridge, partNumbers: own })]
      : []),
    ...(theirs.length > 0
      ? [toModel(sensor, type, { vendor: multiTech, partNumbers: theirs })]
      : []),
  ]
}

function toModel(
  { messages }: Sensor,
  { typeId, typeName }: DeviceType,
  { vendor, partNumbers }: { vendor: string; partNumbers: string[] },
): BuiltInModel {
  const values = messages.flatMap(({ measurements }) => measurements.map(({ label }) => label))
  const shown: ShownModel = {
    vendor,
    model: typeName,
    part_number: partNumbers[0] ?? '',
    part_numbers: partNumbers,
    description: [...new Set(values)].join(', ') || null,
    hardware_versions: [],
    firmware_versions: [],
    regions: [],
    picture: null,
    data_sheet: null,
    product_page: null,
    has_codec: true,
  }
  const key = `${vendor.toLowerCase().replace(' ', '-')}.${typeId}`
  return { key, shown, ...toSearched(key, shown), profileIds: [], revision: '', typeId }
}
