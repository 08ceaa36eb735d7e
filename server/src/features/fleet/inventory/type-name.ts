import { findDeviceType, fullName } from '../../../sensors/index.ts'

/** The type of a device, with the names of one of the organization's own. */
export interface TypeColumns {
  type_id: number
  custom_type_name: string | null
  custom_part_number: string | null
}

/** The name of a device's type; empty where the type is gone. */
export function typeName(columns: TypeColumns): string {
  const { type_id, custom_type_name: typeName, custom_part_number: partNumber } = columns
  if (typeName !== null) return fullName({ typeName, partNumber: partNumber ?? '' })
  const type = findDeviceType(type_id)
  return type ? fullName(type) : ''
}
