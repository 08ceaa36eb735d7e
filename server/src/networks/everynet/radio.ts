// Activation, session and class of a device at Everynet: `activation` OTAA or ABP, `dev_addr`,
// `nwkskey`, `appskey`, and `dev_class` A or C (class B follows by itself), as the management API v1.0
// describes them. It has no member for the second key of LoRaWAN 1.1.
import { textOf } from '../answer-fields.ts'
import { isJoining, type KnownRadio, refuseMismatch, refuseOtherKeys } from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import type { JsonObject } from '../message-fields.ts'
import type { NetworkDevice } from '../network.ts'

/** What a creation takes: the keys of a join, or the session of a device without one. */
export function activationOf(device: NetworkDevice): JsonObject {
  const { joinEui, appKey, radio } = device
  const dev_class = radio?.deviceClass ?? 'A'
  if (isJoining(device)) {
    const [app_eui, app_key] = [joinEui.toLowerCase(), appKey.toLowerCase()]
    return { activation: 'OTAA', dev_class, app_eui, app_key }
  }
  return { activation: 'ABP', dev_class, ...sessionOf(device) }
}

function sessionOf({ appKey, radio }: NetworkDevice) {
  return {
    dev_addr: radio?.devAddr?.toLowerCase(),
    nwkskey: radio?.networkKey?.toLowerCase(),
    appskey: appKey.toLowerCase(),
  }
}

/** How Everynet has a device. Its class is set from here if the registration says one. */
export function radioOf({ activation, dev_class, dev_addr }: JsonObject): KnownRadio {
  const [deviceClass, devAddr] = [textOf(dev_class), textOf(dev_addr).toUpperCase()]
  const isOfAbp = activation === 'ABP'
  return {
    activation: isOfAbp ? 'abp' : 'otaa',
    ...(deviceClass !== '' && { deviceClass: deviceClass === 'C' ? 'C' : 'A' }),
    ...(isOfAbp && devAddr !== '' && { devAddr }),
  }
}

/**
 * What changes in a device of Everynet. The same session is not sent again, since that could reset
 * its counters. Refuses a device of another activation: it works as it is.
 */
export function changesOf(found: JsonObject, device: NetworkDevice): JsonObject {
  const { deviceClass: _settable, ...known } = radioOf(found)
  refuseMismatch('Everynet', known, device)
  const { joinEui, appKey, radio } = device
  refuseOtherKeys('Everynet', device, {
    AppKey: [textOf(found.app_key), isJoining(device) ? appKey : undefined],
    'device address': [known.devAddr, radio?.devAddr],
    NwkSKey: [textOf(found.nwkskey), isJoining(device) ? undefined : radio?.networkKey],
    AppSKey: [textOf(found.appskey), isJoining(device) ? undefined : appKey],
  })
  const ofClass = radio ? { dev_class: radio.deviceClass } : {}
  if (isJoining(device)) {
    const app_eui = joinEui === anyJoinEui ? {} : { app_eui: joinEui.toLowerCase() }
    return { app_key: appKey.toLowerCase(), ...app_eui, ...ofClass }
  }
  const session = sessionOf(device)
  const isSame = Object.entries(session).every(
    ([name, value]) => value === undefined || textOf(found[name]).toLowerCase() === value,
  )
  return { ...(isSame ? {} : session), ...ofClass }
}
