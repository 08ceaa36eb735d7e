// Join, keys, version and class of a device at ThingPark, device manager API 7.3, `DeviceLorawan`.
// Version and class belong to its device profile.
import { objectOf, textOf } from '../answer-fields.ts'
import {
  findMismatch,
  isJoining,
  type KnownRadio,
  refuseMismatch,
  refuseOtherKeys,
} from '../device-radio.ts'
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
  const known = radioOf(found)
  refuseMismatch('ThingPark', { activation: known.activation }, device)
  if (!isJoining(device) && known.devAddr !== undefined && known.devAddr !== radio?.devAddr) {
    const words = `with the device address ${known.devAddr}, which cannot be changed there; here it is registered with ${radio?.devAddr}`
    throw refused(`ThingPark has the device ${devEui} already, ${words}.`)
  }
  const mismatch = findMismatch(known, device)
  if (!mismatch) return
  throw refused(
    `The device profile ${textOf(objectOf(found.model).ID)} of ThingPark is one ${mismatch.there}, and the device is registered ${mismatch.here}: choose another one.`,
  )
}

/** How ThingPark has a device; its list leaves the class out. */
export function radioOf({ activation, nwAddress, model }: JsonObject): KnownRadio {
  const { macMinorVersion: minor, type } = objectOf(model)
  const isOfAbp = textOf(activation) === 'ABP'
  const devAddr = textOf(nwAddress).toUpperCase()
  return {
    ...(typeof minor === 'number' && { version: minor === minorOf11 ? '1.1' : '1.0' }),
    activation: isOfAbp ? 'abp' : 'otaa',
    ...(textOf(type) !== '' && { deviceClass: type === 'C' ? 'C' : 'A' }),
    ...(isOfAbp && devAddr !== '' && { devAddr }),
  }
}

/** Refuses a new registration if ThingPark shows another key. */
export function refuseKeys(found: JsonObject, device: NetworkDevice): void {
  const wanted: JsonObject = keysOf(device)
  const pair = (name: string) => [textOf(found[name]), textOf(wanted[name])] as const
  refuseOtherKeys('ThingPark', device, {
    AppKey: pair('appKey'),
    NwkKey: pair('nwkKey'),
    NwkSKey: pair('nwKey'),
  })
}

function refused(words: string): NetworkError {
  return new NetworkError('refused', words)
}
