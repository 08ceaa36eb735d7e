import type { RequestParts } from '../../../api/client.ts'
import type { DeviceRecord } from '../use-device.ts'
import type { Choice } from './settings-form.tsx'

export interface FormValues {
  name: string
  /** An id, as fields hold it. */
  type: string
  groups: string[]
  key: string
}

export function valuesOf(device: DeviceRecord): FormValues {
  return {
    name: device.device_name,
    type: String(device.device_type.id),
    groups: device.groups.map(({ id }) => String(id)),
    key: '',
  }
}

interface Choices {
  types: readonly Choice[]
  groups: readonly Choice[]
}

/** What differs from the device, and how the page shows it meanwhile; undefined for nothing. */
export function toChange(device: DeviceRecord, values: FormValues, { types, groups }: Choices) {
  const body: RequestParts<'PATCH /devices/{device_id}'>['body'] = {}
  const shown: Partial<DeviceRecord> = {}
  if (values.name !== device.device_name) {
    body.device_name = values.name
    shown.device_name = values.name
  }
  if (values.type !== String(device.device_type.id)) {
    body.deviceType = Number(values.type)
    const label = types.find(({ value }) => value === values.type)?.label ?? ''
    shown.device_type = { id: Number(values.type), name: label }
  }
  if (values.groups.join() !== valuesOf(device).groups.join()) {
    body.groups = values.groups.map(Number)
    shown.groups = groups
      .filter(({ value }) => values.groups.includes(value))
      .map(({ value, label }) => ({ id: Number(value), name: label.split(' / ').at(-1) ?? '' }))
  }
  // Labels print keys with separators; the API takes only digits.
  const key = values.key.replace(/[\s:-]/g, '')
  if (key) body.deviceKey = key
  return Object.keys(body).length > 0 ? { body, shown } : undefined
}
