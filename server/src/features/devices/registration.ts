import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import type { Caller } from '../../http/endpoint.ts'
import { type FieldErrors, invalid } from '../../http/errors.ts'
import {
  hexadecimal,
  isHexadecimal,
  notHexadecimal,
  optionalBoolean,
  optionalText,
  requiredInteger,
  requiredText,
  textOfLength,
  wordOf,
} from '../../http/fields.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { regions } from '../../lora/regions.ts'
import { findNetworkById } from '../../networks/index.ts'
import { findLimitFault } from '../../networks/limits.ts'
import type { Network } from '../../networks/network.ts'
import { findDeviceType, firstCustomTypeId } from '../../sensors/index.ts'
import type { BillingServices } from '../billing/billing-provider.ts'
import { findUnpaid, paymentMissing } from '../billing/registration-payment.ts'
import { findMissing } from '../device-types/device-type-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { findNetworksOf } from '../inventory/gateway-queries.ts'
import { hasQuota, isTreeFull, reserveQuota } from '../inventory/quota-queries.ts'
import { noteHindrances } from '../provisioning/hindrances.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import type { ProvisioningServices } from '../provisioning/provisioner.ts'
import { findGroupFaults, groupIds, joinGroups } from './device-groups.ts'
import {
  chooseVariant,
  defaultJoinEuiOf,
  type FormValues,
  findFormFaults,
  type GatewayNetworks,
  keepFormValues,
} from './registration-form.ts'
import { isEuiTaken, setSealedKey } from './registration-queries.ts'

/** For endpoints that register devices. */
export interface RegistrationServices extends BillingServices, ProvisioningServices {}

/** What the contract has and nothing here needs. */
const unused = z.unknown().optional().meta({ description: 'Not used; anything is taken.' })

export const registerMethod = wordOf('register method', ['vendor', 'user_account'])

/** A registration as POST /devices takes it. */
export const registrationBody = z.object({
  network: requiredInteger('network'),
  gatewayName: optionalText('gateway name'),
  gatewayId: requiredInteger('gateway id').nullish(),
  deviceName: requiredText('device name'),
  deviceId: hexadecimal('device id', 16),
  deviceKey: textOfLength('device key', 32),
  deviceType: requiredInteger('device type'),
  appRegion: optionalText('app region'),
  frequencyPlan: optionalText('frequency plan'),
  joinEui: hexadecimal('join EUI', 16).nullish(),
  registerMethod,
  consoleOnly: optionalBoolean('console only'),
  groups: groupIds.nullish(),
  deviceGateway: unused,
  mfatoken: unused,
  action: wordOf('action', ['validate', 'confirm']),
})

type RegistrationBody = z.infer<typeof registrationBody>

/** A registration that passed every check. */
export interface Registration {
  deviceEui: string
  deviceKey: string
  joinEui: string
  name: string
  typeId: number
  network: Network
  registerMethod: 'vendor' | 'user_account'
  gatewayId: number | null
  appRegion: string | null
  frequencyPlan: string | null
  isConsoleOnly: boolean
}

/** One that is made by itself, with the groups that the device is put into. */
type GroupedRegistration = Registration & { groups: readonly number[] }

/** Checks what the fields' own form cannot tell; throws the 422 that names all that is wrong. */
export async function checkRegistration(
  db: Queryable,
  organizationId: number,
  body: RegistrationBody,
): Promise<GroupedRegistration> {
  const network = findNetworkById(body.network)
  const errors = await findFaults(db, organizationId, body)
  if (!network || Object.keys(errors).length > 0) throw invalid(errors)
  return {
    deviceEui: body.deviceId,
    deviceKey: body.deviceKey,
    joinEui: body.joinEui ?? defaultJoinEuiOf(network),
    name: body.deviceName,
    typeId: body.deviceType,
    registerMethod: body.registerMethod,
    groups: body.groups ?? [],
    ...keepFormValues(network, body),
  }
}

/** The same faults of a body that is not whole: of those of its fields that can be read. */
export function findFaultsIn(
  db: Queryable,
  organizationId: number,
  sent: Record<string, unknown>,
): Promise<FieldErrors> {
  return findFaults(db, organizationId, readFields(registrationBody, sent))
}

/** Those fields of an object that can be read by its schema. */
export function readFields<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  sent: Record<string, unknown>,
): Partial<z.infer<z.ZodObject<S>>> {
  const readable = Object.entries(schema.shape).flatMap(([name, field]) => {
    const result = z.safeParse(field, sent[name])
    return result.success ? [[name, result.data]] : []
  })
  return Object.fromEntries(readable)
}

async function findFaults(
  db: Queryable,
  organizationId: number,
  body: Partial<RegistrationBody>,
): Promise<FieldErrors> {
  const { network: networkId, deviceId } = body
  const network = networkId === undefined ? undefined : findNetworkById(networkId)
  const gateways = await findNetworksOf(db, organizationId, body.gatewayId ? [body.gatewayId] : [])
  const errors = findFieldFaults(network, body, gateways)
  if (networkId !== undefined && !network) errors.network = [networkUnknown]
  const missing = await findMissing(db, organizationId, [body.deviceType ?? 0])
  if (missing.size > 0) errors.deviceType = [typeUnknown]
  Object.assign(errors, await findGroupFaults(db, organizationId, body.groups ?? []))
  if (deviceId === undefined) return errors
  const place = {
    network: network && chooseVariant(network, body).key,
    registerMethod: body.registerMethod,
  }
  const eui = normalizeEui(deviceId)
  if (await isEuiTaken(db, organizationId, eui, place)) errors.deviceId = euiTaken
  else if (!(await hasQuota(db, organizationId))) errors.deviceId = [quotaSpent]
  return errors
}

/** Fields that could be read, each on its own. */
interface ReadFields extends FormValues {
  deviceName?: string | undefined
  deviceType?: number | undefined
  deviceKey?: string | undefined
}

/**
 * What is wrong with them by themselves, and beside the organization's gateways. Types that the
 * organization made are left to `findMissing`.
 */
export function findFieldFaults(
  network: Network | undefined,
  fields: ReadFields,
  gateways: GatewayNetworks,
): FieldErrors {
  const { deviceName, deviceType, deviceKey, appRegion } = fields
  const errors = findFormFaults(network, fields, gateways)
  const isCustom = deviceType !== undefined && deviceType >= firstCustomTypeId
  if (deviceType !== undefined && !isCustom && !findDeviceType(deviceType)) {
    errors.deviceType = [typeUnknown]
  }
  if (appRegion && !regions.some((region) => region === appRegion)) {
    errors.appRegion = ['The selected app region is invalid.']
  }
  const chosen = network && chooseVariant(network, fields)
  if (deviceKey !== undefined && chosen?.isLora && !isHexadecimal(deviceKey)) {
    errors.deviceKey = [notHexadecimal('device key')]
  }
  const isSent = chosen && deviceName !== undefined && !fields.consoleOnly
  const nameFault = isSent && findLimitFault(chosen, 'deviceName', 'device name', deviceName)
  if (nameFault) errors.deviceName = [nameFault]
  return errors
}

/** Once in an organization; once at the operator's account. */
const euiIndexes = ['devices_eui', 'devices_vendor_eui']
const euiTaken = ['The device id has already been taken.']
export const typeUnknown = 'The selected device type is invalid.'
export const networkUnknown = 'The selected network is invalid.'
export const quotaSpent = 'The device limit of your account has been reached.'

/**
 * Takes the device into the quota, the database and the outbox, all or nothing, and returns its
 * id. Throws the 422 when another registration took the EUI or the quota first, or when billing
 * must be set up before, or a group is gone.
 */
export async function registerDevice(
  { db, sealer, billing }: Pick<BillingServices, 'db' | 'sealer' | 'billing'>,
  caller: Caller,
  registration: GroupedRegistration,
  now: Date,
): Promise<number> {
  const { organizationId, userId } = caller
  try {
    return await db.transaction(async (tx) => {
      if (!(await reserveQuota(tx, organizationId))) {
        throw invalid({ deviceId: [quotaSpent] })
      }
      const missing = await findMissing(tx, organizationId, [registration.typeId])
      if (missing.size > 0) throw invalid({ deviceType: [typeUnknown] })
      const network = registration.network.key
      const unpaid = await findUnpaid(tx, billing, organizationId, [network], now)
      if (unpaid.has(network)) throw invalid({ payment: [paymentMissing] })
      const device = { ...registration, network, userId, createdAt: now }
      const id = await deviceQueries.insert(tx, organizationId, device)
      const sealed = sealer.seal(registration.deviceKey, deviceKeyContext(id))
      await setSealedKey(tx, organizationId, id, sealed)
      await joinGroups(tx, organizationId, { deviceId: id, groups: registration.groups }, now)
      if (!registration.isConsoleOnly) {
        const target = {
          kind: 'device' as const,
          id,
          eui: normalizeEui(registration.deviceEui),
          network,
          register_method: registration.registerMethod,
        }
        await outbox.enqueue(tx, organizationId, target, 'add', now)
        await noteHindrances(tx, organizationId, [target])
      }
      return id
    })
  } catch (error) {
    if (isTreeFull(error)) throw invalid({ deviceId: [quotaSpent] })
    const isTaken = euiIndexes.some((index) => isUniqueViolation(error, index))
    throw isTaken ? invalid({ deviceId: euiTaken }) : error
  }
}

/** Under what a device's key is sealed. */
export function deviceKeyContext(deviceId: number): string {
  return `devices.sealed_key:${deviceId}`
}
