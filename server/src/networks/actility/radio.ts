// Join, keys, version and class of a device at ThingPark, device manager API 7.3, `DeviceLorawan`.
// Version and class belong to its device profile.
import { objectOf, textOf } from '../answer-fields.ts'
import { isJoining, refuseMismatch } from '../device-radio.ts'
import type { JsonObject } from '../message-fields.ts'
import type { NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'

/** What only a creation takes. */
export function activationOf(device: NetworkDevice) {
  if (isJoining(device)) return { activation: 'OTAA' }
  return { activation: 'ABP', nwAddress: device.radio?.devAddr }
}

/** A creation and a change take the same. The AppSKey is an XML document, here for all ports. */
export function keysOf(device: NetworkDevice) {
  const { joinEui, appKey, radio } = device
  const key = appKey.toUpperCase()
  if (!isJoining(device)) {
    const appKeys = `<AppSKeys><AppSKey Port="*">${key}</AppSKey></AppSKeys>`
    return { nwKey: radio?.networkKey, appKeys }
  }
  const later = radio?.version === '1.1' ? { nwkKey: radio.networkKey } : {}
  return { appEUI: joinEui.toUpperCase(), appKey: key, ...later }
}

/** `macMinorVersion` of LoRaWAN 1.1. */
const minorOf11 = 10

/**
 * Refuses a device of ThingPark that joins otherwise, has another address, or whose device profile
 * says something else: it would never be heard.
 */
export function checkRadio(found: JsonObject, device: NetworkDevice): void {
  const { radio, devEui } = device
  const isOfAbp = textOf(found.activation) === 'ABP'
  refuseMismatch('ThingPark', { isOfJoin: !isOfAbp }, device)
  const address = textOf(found.nwAddress).toUpperCase()
  if (isOfAbp && address !== radio?.devAddr) {
    const words = `with the device address ${address}, which cannot be changed there`
    throw refused(`ThingPark has the device ${devEui} already, ${words}.`)
  }
  if (!radio) return
  const { ID, macMinorVersion: minor, type } = objectOf(found.model)
  const is11 = minor === minorOf11
  const isOther = typeof minor === 'number' && is11 !== (radio.version === '1.1')
  const faults = [
    ...(isOther ? [`of LoRaWAN ${is11 ? '1.1' : '1.0.x'}`] : []),
    ...(radio.deviceClass === 'C' && type !== 'C' ? ['without class C'] : []),
  ]
  if (faults.length === 0) return
  throw refused(
    `The device profile ${textOf(ID)} of ThingPark is one ${faults.join(', and ')}: choose another one.`,
  )
}

function refused(words: string): NetworkError {
  return new NetworkError('refused', words)
}
