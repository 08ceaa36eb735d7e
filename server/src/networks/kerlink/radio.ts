// Activation, session and class of an end device, EndDeviceDto of the GMS REST API 3.2.6. It has no
// NwkKey, which a join of LoRaWAN 1.1 needs. Only the class can be changed (patchEndDevice).
import { textOf } from '../answer-fields.ts'
import { isJoining, type KnownRadio, refuseMismatch, refuseOtherKeys } from '../device-radio.ts'
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

/** How Wanesy has a device. Its class is set from here if the registration says one. */
export function radioOf(found: JsonObject): KnownRadio {
  const [version, address] = [textOf(found.macVersion), textOf(found.devAddr).toUpperCase()]
  const deviceClass = textOf(found.classType)
  const isOfJoin = (textOf(found.activation) || 'OTAA') === 'OTAA'
  return {
    ...(version !== '' && { version: version.startsWith('1.1') ? '1.1' : '1.0' }),
    activation: isOfJoin ? 'otaa' : 'abp',
    ...(deviceClass !== '' && { deviceClass: deviceClass === 'C' ? 'C' : 'A' }),
    ...(!isOfJoin && address !== '' && { devAddr: address }),
  }
}

/** Refuses a device that Wanesy has for another version or activation, or with other keys. */
export function checkRadio(found: JsonObject, device: NetworkDevice): void {
  const { deviceClass: _settable, ...known } = radioOf(found)
  refuseMismatch('Wanesy', known, device)
  const { appKey, radio } = device
  refuseOtherKeys(
    'Wanesy',
    device,
    isJoining(device)
      ? { AppKey: [textOf(found.appKey), appKey] }
      : {
          'device address': [known.devAddr, radio?.devAddr],
          NwkSKey: [textOf(found.nwkSKey), radio?.networkKey],
          AppSKey: [textOf(found.appSKey), appKey],
        },
  )
}
