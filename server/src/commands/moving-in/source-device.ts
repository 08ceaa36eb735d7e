import { toOneLine } from '../../http/fields.ts'
import type { FilePlace } from '../../lora/device-file/place.ts'
import { normalizeEui } from '../../lora/eui.ts'

/** A device as the source has it. */
export interface SourceDevice {
  /** 16 upper-case digits, or as the source has it where it is none. */
  eui: string
  /** Of a file, as a spreadsheet numbers it; undefined elsewhere. */
  row: number | undefined
  name: string
  /** 16 digits; undefined where the source has none. */
  joinEui: string | undefined
  /** AppKey, 32 digits; undefined where the source does not tell it. */
  key: string | undefined
  /** NwkKey of LoRaWAN 1.1. */
  networkKey: string | undefined
  /** Names of the groups from the top down; empty for none. */
  group: readonly string[]
  /** What the source calls the kind of the device: the name of its device profile or model. */
  profile: string | undefined
  notes: string | undefined
  tags: Readonly<Record<string, string>>
  position: FilePlace | undefined
  /** What its codec gets as `input.variables`; empty for none. */
  variables: Readonly<Record<string, string>>
  /** Where the device is to be registered, as far as the source itself says so. */
  place: DevicePlace
  /** Why the device cannot be taken over at all. */
  fault: string | undefined
  /** Why it can stay at its network, but not register again: no OTAA, LoRaWAN 1.1, or a wrong key. */
  isOnlyAdopted: string | undefined
}

/** Members of `provisioningData` in POST /batch-device-requests. */
export interface DevicePlace {
  network?: string
  registerMethod?: string
  /** Of an account of the organization beyond the first at the network. */
  accountName?: string
  /** An id of the network. */
  deviceProfile?: string
  gatewayId?: number
  appRegion?: string
  frequencyPlan?: string
  consoleOnly?: boolean
}

export function makeDevice(
  eui: string,
  facts: Partial<Omit<SourceDevice, 'eui'>> = {},
): SourceDevice {
  const normalized = normalizeEui(eui.replace(/[\s:.-]/g, ''))
  return {
    eui: normalized,
    row: facts.row,
    name: nameOf(facts) || normalized,
    joinEui: facts.joinEui?.toUpperCase() || undefined,
    key: facts.key?.toUpperCase() || undefined,
    networkKey: facts.networkKey?.toUpperCase() || undefined,
    group: facts.row === undefined ? (facts.group ?? []).map(toOneLine) : (facts.group ?? []),
    profile: facts.profile || undefined,
    notes: facts.notes || undefined,
    tags: facts.tags ?? {},
    position: facts.position,
    variables: facts.variables ?? {},
    place: facts.place ?? {},
    fault: facts.fault,
    isOnlyAdopted: facts.isOnlyAdopted,
  }
}

/** A network has names that are none here. In the row of a file they are refused, as in the console. */
export function nameOf({ name = '', row }: { name?: string; row?: number | undefined }): string {
  return row === undefined ? toOneLine(name.trim()) : name.trim()
}
