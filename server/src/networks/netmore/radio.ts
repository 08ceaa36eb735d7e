// Version, activation, keys and class of a device at Netmore: CreateLoraDevice and PatchLoraDevice of
// its API. Which keys belong to which activation is that of LoRaWAN.
import { textOf } from '../answer-fields.ts'
import { isJoining, refuseMismatch } from '../device-radio.ts'
import type { JsonObject } from '../message-fields.ts'
import type { NetworkDevice } from '../network.ts'

/** The keys of a join, or the session of a device without one. */
export function activationOf(device: NetworkDevice): JsonObject {
  const { joinEui, appKey, radio } = device
  const key = appKey.toLowerCase()
  const networkKey = radio?.networkKey?.toLowerCase()
  if (!isJoining(device)) {
    const session = { devAddr: radio?.devAddr?.toLowerCase(), nwkSKey: networkKey, appSKey: key }
    return { loraVersion: 'V103', activationMethod: 'ABP', ...session }
  }
  const isOf11 = radio?.version === '1.1'
  return {
    loraVersion: isOf11 ? 'V11' : 'V103',
    activationMethod: 'OTAA',
    appEui: joinEui.toLowerCase(),
    appKey: key,
    ...(isOf11 && { nwkKey: networkKey }),
  }
}

/**
 * The members in which a device of Netmore differs. A 1.0.x version stays. Refuses a device for
 * another version or activation: it works as it is.
 */
export function findChanges(
  known: JsonObject,
  wanted: JsonObject,
  device: NetworkDevice,
): JsonObject {
  const { loraVersion: version, activationMethod: method } = known
  const isOf11 = version === undefined ? undefined : version === 'V11'
  const isOfJoin = method === undefined ? undefined : method !== 'ABP'
  refuseMismatch('Netmore', { isOf11, isOfJoin }, device)
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => (name !== 'loraVersion' || !version) && !isSame(known[name], value),
    ),
  )
}

function isSame(known: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'string') return known === wanted
  return textOf(known).toLowerCase() === wanted.toLowerCase()
}
