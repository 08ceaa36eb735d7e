// Version, activation, keys and class of a device at Netmore: CreateLoraDevice and PatchLoraDevice of
// its API. Which keys belong to which activation is that of LoRaWAN.
import { textOf } from '../answer-fields.ts'
import {
  isJoining,
  type KnownRadio,
  refuseMismatch,
  refuseOtherKeys,
  refuseOtherProfile,
} from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
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
  const { deviceClass: _settable, ...radio } = radioOf(known)
  refuseMismatch('Netmore', radio, device)
  refuseOtherProfile('Netmore', textOf(known.profId), device)
  refuseOtherKeys('Netmore', device, keysOf(known, wanted))
  // What the registration leaves open stays: the version within 1.0.x, the class, and the profile.
  const isOpen: Record<string, boolean> = {
    loraVersion: known.loraVersion !== undefined,
    class: !device.radio && known.class !== undefined,
    profId:
      (device.profile === undefined || !!device.isProfileOfType) && known.profId !== undefined,
    appEui: device.joinEui === anyJoinEui && textOf(known.appEui) !== '',
  }
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => {
      return value !== undefined && !isOpen[name] && !isSame(known[name], value)
    }),
  )
}

/** How Netmore has a device, as far as it says. */
export function radioOf(known: JsonObject): KnownRadio {
  const { loraVersion, activationMethod, class: letter, devAddr } = known
  return {
    ...(loraVersion !== undefined && { version: loraVersion === 'V11' ? '1.1' : '1.0' }),
    ...(activationMethod !== undefined && {
      activation: activationMethod === 'ABP' ? 'abp' : 'otaa',
    }),
    ...(letter !== undefined && { deviceClass: letter === 'C' ? 'C' : 'A' }),
    ...(activationMethod === 'ABP' && { devAddr: textOf(devAddr).toUpperCase() || undefined }),
  }
}

const keyNames = {
  appKey: 'AppKey',
  nwkKey: 'NwkKey',
  devAddr: 'device address',
  nwkSKey: 'NwkSKey',
  appSKey: 'AppSKey',
}

function keysOf(known: JsonObject, wanted: JsonObject) {
  const keys = Object.entries(keyNames).map(([member, name]) => {
    return [name, [textOf(known[member]), textOf(wanted[member])]] as const
  })
  return Object.fromEntries(keys)
}

function isSame(known: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'string') return known === wanted
  return textOf(known).toLowerCase() === wanted.toLowerCase()
}
