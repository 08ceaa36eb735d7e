import type { FilePlace } from '../../lora/device-file/place.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { type DevicePlace, nameOf } from './source-device.ts'

/** A gateway as the source has it. */
export interface SourceGateway {
  /** 16 upper-case digits, or as the source has it where it is none. */
  eui: string
  /** Of a file, as a spreadsheet numbers it; undefined elsewhere. */
  row: number | undefined
  name: string
  description: string | undefined
  position: FilePlace | undefined
  tags: Readonly<Record<string, string>>
  /** Where the gateway is to be registered, as far as the source itself says so. */
  place: Pick<DevicePlace, 'network' | 'accountName'>
  /** Further members of POST /gateways, such as `region` and `frequency_plan`. */
  fields: Readonly<Record<string, string>>
  /** Why the gateway cannot be taken over at all. */
  fault: string | undefined
}

export function makeGateway(
  eui: string,
  facts: Partial<Omit<SourceGateway, 'eui'>> = {},
): SourceGateway {
  const normalized = normalizeEui(eui.replace(/[\s:.-]/g, ''))
  return {
    eui: normalized,
    row: facts.row,
    name: nameOf(facts) || normalized,
    description: facts.description?.trim() || undefined,
    position: facts.position,
    tags: facts.tags ?? {},
    place: facts.place ?? {},
    fields: facts.fields ?? {},
    fault: facts.fault,
  }
}

/** Networks say 0, 0 of a gateway whose place nobody has entered. */
export function toPosition(lat: unknown, lng: unknown): FilePlace | undefined {
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return isOnEarth && (lat !== 0 || lng !== 0) ? { latitude: lat, longitude: lng } : undefined
}
