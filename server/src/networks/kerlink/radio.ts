// Activation, session and class of an end device, EndDeviceDto of the GMS REST API 3.2.6. It has no
// NwkKey, which a join of LoRaWAN 1.1 needs. Only the class can be changed (patchEndDevice).
import { textOf } from '../answer-fields.ts'
import { isJoining, refuseMismatch } from '../device-radio.ts'
import type { JsonObject } from '../message-fields.ts'
import type { NetworkDevice } from '../network.ts'

/** The keys of a join, or the session of a device without one. */
export function keysOf(device: NetworkDevice) {
  const { joinEui, appKey, radio } = device
  const key = appKey.toUpperCase()
  if (isJoining(device)) return { appEui: joinEui.toUpperCase(), appKey: key }
  return { devAddr: radio?.devAddr, nwkSKey: radio?.networkKey, appSKey: key }
}

/** Undefined leaves the class of a device as it is. */
export function classOf({ radio }: NetworkDevice): { classType: string } | undefined {
  return radio && { classType: radio.deviceClass }
}

/** Refuses a device that Wanesy activates in another way: it works as it is. */
export function checkActivation(found: JsonObject, device: NetworkDevice): void {
  const isOfJoin = (textOf(found.activation) || 'OTAA') === 'OTAA'
  refuseMismatch('Wanesy', { isOfJoin }, device)
}
