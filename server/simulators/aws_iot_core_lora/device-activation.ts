// What CreateWirelessDevice takes as the activation of a device, and how it goes with the device
// profile: LoRaWANDevice and LoRaWANDeviceProfile of the AWS IoT Wireless API reference. The reference
// has the patterns; that a device has one activation, and one of its profile, is our reading.
import { objectOf } from '../../src/networks/answer-fields.ts'
import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer } from '../far-call.ts'
import { checkDigits, invalid, missing } from './refusals.ts'
import { deviceProfiles } from './store.ts'

/** By activation: the digits of its members, those of `SessionKeys` included. */
const activations: Record<string, { isOf11: boolean; isOfJoin: boolean; digits: Digits }> = {
  OtaaV1_0_x: { isOf11: false, isOfJoin: true, digits: { AppKey: 32, JoinEui: 16 } },
  OtaaV1_1: { isOf11: true, isOfJoin: true, digits: { AppKey: 32, NwkKey: 32, JoinEui: 16 } },
  AbpV1_0_x: { isOf11: false, isOfJoin: false, digits: { DevAddr: 8, NwkSKey: 32, AppSKey: 32 } },
  AbpV1_1: {
    isOf11: true,
    isOfJoin: false,
    digits: { DevAddr: 8, FNwkSIntKey: 32, SNwkSIntKey: 32, NwkSEncKey: 32, AppSKey: 32 },
  },
}

type Digits = Record<string, number>

export function findActivationFault(radio: JsonObject): FarAnswer | undefined {
  const [name, ...others] = Object.keys(activations).filter((each) => radio[each] !== undefined)
  const activation = activations[name ?? '']
  if (name === undefined || !activation || others.length > 0) {
    return invalid('LoRaWAN must have one of OtaaV1_0_x, OtaaV1_1, AbpV1_0_x and AbpV1_1.')
  }
  const sent = objectOf(radio[name])
  // LoRaWAN 1.0.x before 1.0.4 has the AppEui in place of the JoinEui.
  const JoinEui = name === 'OtaaV1_0_x' ? (sent.AppEui ?? sent.JoinEui) : sent.JoinEui
  const members: JsonObject = { ...sent, ...objectOf(sent.SessionKeys), JoinEui }
  for (const [member, count] of Object.entries(activation.digits)) {
    const fault = checkDigits(members[member], member, count)
    if (fault) return fault
  }
  const profile = deviceProfiles[String(radio.DeviceProfileId)]
  if (!profile) return missing('DeviceProfile')
  const isOf11 = profile.MacVersion === '1.1'
  if (isOf11 === activation.isOf11 && profile.SupportsJoin === activation.isOfJoin) return undefined
  return invalid(`${name} does not match the MacVersion or SupportsJoin of the device profile.`)
}

/** The address of a device without a join. */
export function devAddrOf(radio: JsonObject): string | undefined {
  const { DevAddr } = objectOf(radio.AbpV1_0_x ?? radio.AbpV1_1)
  return typeof DevAddr === 'string' ? DevAddr : undefined
}
