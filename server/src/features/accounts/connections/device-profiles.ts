import type { DeviceModel } from '../../../networks/device-model.ts'
import type { Network } from '../../../networks/network.ts'
import type { TypeOrigin } from '../../fleet/device-types/type-origin.ts'

/** Returns what is wrong with a chosen device profile at the network, or undefined. */
export function findProfileFault(
  { name, profileField, accountFields }: Network,
  profile: string | null | undefined,
): string | undefined {
  if (!profile) return undefined
  if (profileField === undefined) {
    return `${name} has no device profiles that could be chosen here.`
  }
  const field = accountFields.find((each) => each.name === profileField)
  return field?.check?.(profile, {})
}

/** The model that a type was made of, with how it speaks; undefined where that is not known. */
export function modelOf(origin: TypeOrigin | null | undefined): DeviceModel | undefined {
  if (!origin?.profile) return undefined
  const { vendor, model, firmware_version: firmware, profile } = origin
  return {
    vendor,
    model,
    firmware,
    region: profile.region,
    macVersion: profile.mac_version,
    regionalParameters: profile.regional_parameters,
    activation: profile.activation,
    deviceClass: profile.device_class,
    supportsClassB: profile.supports_class_b,
    details: profile.details,
  }
}
