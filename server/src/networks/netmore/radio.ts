// Version, activation, keys and class of a device at Netmore: CreateLoraDevice and PatchLoraDevice of
// its API. Which keys belong to which activation is that of LoRaWAN.
import { textOf } from '../answer-fields.ts'
import { describeJoin, isJoining } from '../device-radio.ts'
import type { JsonObject } from '../message-fields.ts'
import type { NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'

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
  const isOf11 = version === 'V11'
  const isOfJoin = method !== 'ABP'
  const faults = [
    ...(version === undefined || isOf11 === (device.radio?.version === '1.1')
      ? []
      : [`for LoRaWAN ${isOf11 ? '1.1' : '1.0.x'}`]),
    ...(method === undefined || isOfJoin === isJoining(device) ? [] : [describeJoin(isOfJoin)]),
  ]
  if (faults.length > 0) {
    const words = `${faults.join(' and ')}: register it so here, too`
    throw new NetworkError('refused', `Netmore has the device ${device.devEui} already, ${words}.`)
  }
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
