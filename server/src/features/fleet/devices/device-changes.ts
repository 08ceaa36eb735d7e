import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { FieldErrors } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import {
  isHexadecimal,
  notHexadecimal,
  optionalLines,
  requiredInteger,
  requiredText,
  textOfLength,
} from '../../../http/fields.ts'
import { findLimitFault } from '../../../networks/capabilities.ts'
import { findNetwork, networks } from '../../../networks/index.ts'
import { findDeviceType, firstCustomTypeId } from '../../../sensors/index.ts'
import { lockOrFindMissing } from '../device-types/device-type-queries.ts'
import type { StoredDevice } from '../inventory/device-queries.ts'
import { findNetworksOf } from '../inventory/gateway-queries.ts'
import { checkPlace, placeFields } from '../inventory/places.ts'
import { tagsField } from '../inventory/tags.ts'
import { groupIds } from './device-groups.ts'
import { typeUnknown } from './registration.ts'
import { gatewayNetworksOf } from './registration-form.ts'

const longestNotes = 5000

/** The body of PATCH /devices/{device_id}; the name is required when nothing else is given. */
export const deviceChanges = z
  .object(
    withExamples(
      {
        device_name: requiredText('device name').optional(),
        deviceType: requiredInteger('device type').optional(),
        deviceKey: textOfLength('device key', 32).optional(),
        extra_notes: optionalLines('extra notes', longestNotes),
        gatewayId: requiredInteger('gateway id').nullish(),
        groups: groupIds.optional().describe('The whole list.'),
        tags: tagsField.optional().describe('All tags: those that are left out go.'),
        ...placeFields,
      },
      { device_name: 'Back door' },
    ),
  )
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    path: ['device_name'],
    error: 'The device name field is required.',
  })
  .superRefine(checkPlace)

export type DeviceChanges = z.infer<typeof deviceChanges>

/** Checks the changes against the device, its network, and the organization's types and gateways. */
export async function findChangeFaults(
  tx: Queryable,
  organizationId: number,
  device: StoredDevice,
  { device_name: name, deviceType, deviceKey, gatewayId }: DeviceChanges,
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  const network = findNetwork(device.network)
  if (deviceType !== undefined) {
    const missing = await lockOrFindMissing(tx, organizationId, [deviceType])
    const isKnown =
      deviceType >= firstCustomTypeId ? missing.size === 0 : findDeviceType(deviceType)
    if (!isKnown) errors.deviceType = [typeUnknown]
  }
  if (deviceKey !== undefined && network?.isLora && !isHexadecimal(deviceKey)) {
    errors.deviceKey = [notHexadecimal('device key')]
  }
  const nameFault = name === undefined ? undefined : findNameFault(device, name)
  if (nameFault) errors.device_name = [nameFault]
  const fault = await findGatewayFault(tx, organizationId, device, gatewayId)
  if (fault !== undefined) errors.gatewayId = [fault]
  return errors
}

/** Checks a new name against the limits of the device's network. */
export function findNameFault(
  device: { network: string; is_console_only: boolean },
  name: string,
): string | undefined {
  const network = device.is_console_only ? undefined : findNetwork(device.network)
  return network && findLimitFault(network, 'deviceName', 'device name', name)
}

/**
 * A network whose form has no gateway takes none. On a network with a LoRa variant, a gateway would
 * move the device to that variant, which takes a new registration.
 */
async function findGatewayFault(
  tx: Queryable,
  organizationId: number,
  device: StoredDevice,
  gatewayId: number | null | undefined,
): Promise<string | undefined> {
  const network = findNetwork(device.network)
  // A LoRa variant uses the form of its main network.
  const form = networks.find(({ loraVariant }) => loraVariant === device.network) ?? network
  if (gatewayId === undefined || !form) return undefined
  if (gatewayId === null) {
    const isRequired = form.forms.device?.fields.gatewayId === 'required'
    return isRequired && !device.is_console_only ? 'The gateway id field is required.' : undefined
  }
  const isOther = network?.loraVariant !== undefined && !device.is_console_only
  if (!form.forms.device?.fields.gatewayId || isOther) {
    return `A device at ${network?.name ?? device.network} takes no gateway.`
  }
  const found = await findNetworksOf(tx, organizationId, [gatewayId])
  const fits = gatewayNetworksOf(form).includes(found.get(gatewayId) ?? '')
  return fits ? undefined : 'The selected gateway id is invalid.'
}
