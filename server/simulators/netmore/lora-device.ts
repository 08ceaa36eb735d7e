// What Netmore takes as a `loraDevice`: the members and sets of values of CreateLoraDevice and
// PatchLoraDevice. The API marks the keys as required by circumstances; which ones belong to which
// activation is that of LoRaWAN.
import type { JsonObject } from '../../src/networks/message-fields.ts'

const sets: Record<string, readonly string[]> = {
  class: ['A', 'B', 'C'],
  loraVersion: ['V100', 'V101', 'V102', 'V103', 'V104', 'V11'],
  activationMethod: ['OTAA', 'ABP'],
}

/** By activation, and version if it matters: the keys and their numbers of digits. */
const keys: Record<string, Record<string, number>> = {
  'OTAA V10': { appEui: 16, appKey: 32 },
  'OTAA V11': { appEui: 16, appKey: 32, nwkKey: 32 },
  'ABP V10': { devAddr: 8, nwkSKey: 32, appSKey: 32 },
  'ABP V11': { devAddr: 8, appSKey: 32, fNwkSIntKey: 32, sNwkSIntKey: 32, nwkSEncKey: 32 },
}

/** What is wrong with a device as a whole; undefined if nothing is. */
export function findLoraFault(radio: JsonObject): string | undefined {
  if (!isHexadecimal(radio.devEui, 16)) return 'loraDevice.devEui is not valid'
  for (const [name, set] of Object.entries(sets)) {
    const value = radio[name]
    if (value === undefined) return `loraDevice.${name} is required`
    if (!set.includes(String(value))) return `loraDevice.${name} is not valid`
  }
  const version = radio.loraVersion === 'V11' ? 'V11' : 'V10'
  const own = keys[`${radio.activationMethod} ${version}`] ?? {}
  const wrong = Object.keys(own).find((name) => !isHexadecimal(radio[name], own[name] ?? 0))
  if (wrong) return `loraDevice.${wrong} is not valid`
  if (radio.provisioned === true && typeof radio.profId !== 'number') {
    return 'loraDevice.profId is required for a provisioned device'
  }
  return undefined
}

function isHexadecimal(value: unknown, digits: number): boolean {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/i.test(value)
}
