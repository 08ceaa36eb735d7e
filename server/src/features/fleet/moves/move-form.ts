import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { FieldErrors } from '../../../http/errors.ts'
import { optionalText, requiredInteger, textOfLength } from '../../../http/fields.ts'
import { findNetwork, findNetworkById } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { accountNameField, toMethod } from '../../accounts/connections/account-name.ts'
import { findUnpaid, paymentMissing } from '../../people/billing/registration-payment.ts'
import {
  euiTaken,
  findFieldFaults,
  networkUnknown,
  type RegistrationServices,
  registerMethod,
} from '../devices/registration.ts'
import { chooseVariant, keepFormValues } from '../devices/registration-form.ts'
import { findTakenAtOperator } from '../devices/taken-device-queries.ts'
import { findNetworksOf } from '../inventory/gateway-queries.ts'
import type { MovingDevice } from './move-queries.ts'

/** In hours. */
const [usualTime, longestTime] = [24, 720]

/** Where a device moves to. The fields are those of POST /devices. */
export const moveTarget = {
  network: requiredInteger('network'),
  registerMethod,
  accountName: accountNameField.nullish(),
  appRegion: optionalText('app region').describe('The one of the device if left out.'),
  frequencyPlan: optionalText('frequency plan'),
  gatewayId: requiredInteger('gateway id').nullish(),
  hours: requiredInteger('hours')
    .min(1, 'The hours must be at least 1.')
    .max(longestTime, `The hours may not be greater than ${longestTime}.`)
    .nullish()
    .describe(`How long the new network may take to hear the device; ${usualTime} if left out.`),
}

export const moveBody = z.object({
  ...moveTarget,
  deviceKey: textOfLength('device key', 32)
    .nullish()
    .describe('Where the stored key is not known, or is not the one in the device.'),
})

export type MoveBody = z.infer<typeof moveBody>

/** Returns what hinders the move of a locked device, by field. */
export async function findMoveFaults(
  tx: Queryable,
  { billingPlans }: Pick<RegistrationServices, 'billingPlans'>,
  organizationId: number,
  { device, body, now }: { device: MovingDevice; body: MoveBody; now: Date },
): Promise<FieldErrors> {
  const network = findNetworkById(body.network)
  if (!network) return { network: [networkUnknown] }
  const values = formValuesOf(device, body)
  const target = chooseVariant(network, values)
  const method = toMethod(body.registerMethod, body.accountName)
  if (target.key === device.network && method === device.register_method) {
    return { network: ['The device is at this network already.'] }
  }
  if (device.has_radio && target.key !== device.network) {
    return { network: [keepsItsRadio] }
  }
  if (device.register_status === 'pending') {
    return { network: ['The device is not at its network yet: it can move as soon as it is.'] }
  }
  const gateways = await findNetworksOf(tx, organizationId, body.gatewayId ? [body.gatewayId] : [])
  const deviceKey = body.deviceKey ?? undefined
  const errors = findFieldFaults(
    network,
    { ...values, ...accountOf(body), deviceKey, deviceName: device.name },
    gateways,
  )
  if (deviceKey === undefined && needsKey(device, target)) {
    errors.deviceKey = ['The device key field is required: the stored one is not known to fit.']
  }
  const place = { network: target.key, eui: device.eui }
  const isTaken =
    body.registerMethod === 'vendor' &&
    (await findTakenAtOperator(tx, organizationId, [place], 'move')).length > 0
  if (isTaken) errors.network = euiTaken
  const unpaid = await findUnpaid(tx, billingPlans, organizationId, [target.key], now)
  if (unpaid.size > 0) errors.payment = [paymentMissing]
  return errors
}

const keepsItsRadio =
  'The device has LoRaWAN settings of its own, which do not move to another network: register it there again.'

/** Whether the stored key is missing, or may be none of LoRaWAN. */
function needsKey(device: MovingDevice, target: Network): boolean {
  if (target.capabilities.registration === 'by_hand') return false
  const isOfLora = findNetwork(device.network)?.isLora ?? false
  return !device.has_key || (target.isLora && !isOfLora)
}

/** The values with which a device is created at its new network, and when the move is given up. */
export function readTarget(device: MovingDevice, body: MoveBody, now: Date) {
  const network = findNetworkById(body.network)
  if (!network) throw new Error(`there is no network ${body.network}`)
  const { isConsoleOnly: _, ...kept } = keepFormValues(network, formValuesOf(device, body))
  const expiresAt = new Date(now.getTime() + (body.hours ?? usualTime) * 3_600_000)
  return { ...kept, expiresAt }
}

function accountOf({ registerMethod, accountName }: MoveBody) {
  return { registerMethod, accountName }
}

function formValuesOf(device: MovingDevice, body: MoveBody) {
  return {
    gatewayId: body.gatewayId,
    frequencyPlan: body.frequencyPlan,
    appRegion: body.appRegion || device.app_region,
  }
}
