import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
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
} from '../../../http/fields.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { regions } from '../../../lora/regions.ts'
import { findLimitFault } from '../../../networks/capabilities.ts'
import type { DeviceModel } from '../../../networks/device-model.ts'
import type { DeviceRadio } from '../../../networks/device-radio.ts'
import { anyJoinEui } from '../../../networks/forms.ts'
import { findNetworkById } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { findDeviceType, firstCustomTypeId } from '../../../sensors/index.ts'
import {
  accountNameField,
  findAccountNameFault,
  toMethod,
  type WireMethod,
} from '../../accounts/connections/account-name.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import { findProfileFault, modelOf } from '../../accounts/connections/device-profiles.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import type { BillingServices } from '../../people/billing/plans.ts'
import { findMissing, findOrigins } from '../device-types/device-type-queries.ts'
import { findNetworksOf } from '../inventory/gateway-queries.ts'
import {
  findPlaceFaults,
  type Place,
  type PlaceFields,
  placeFields,
  toPlace,
} from '../inventory/places.ts'
import { readRemaining } from '../inventory/quota-queries.ts'
import { type Tags, tagsField } from '../inventory/tags.ts'
import { findGroupFaults, groupIds } from './device-groups.ts'
import { completeRadio, findRadioFaults, radioField, toRadio } from './radio-settings.ts'
import {
  chooseVariant,
  type FormValues,
  findFormFaults,
  type GatewayNetworks,
  keepFormValues,
} from './registration-form.ts'
import { findTakenDevices } from './taken-device-queries.ts'

/** What endpoints that register devices need. */
export interface RegistrationServices extends BillingServices, ProvisioningServices {}

/** A field of the contract that the service does not use. */
const unused = z.unknown().optional().meta({ description: 'Not used; anything is taken.' })

export const registerMethod = wordOf('register method', ['vendor', 'user_account'])

/** Of the device itself; without it the account says the profile. */
export const deviceProfile = optionalText('device profile').describe(
  "The network's own id of the device profile that the device gets there; that of the account if left out.",
)

/** The body of POST /devices. */
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
  deviceProfile,
  lorawan: radioField,
  registerMethod,
  accountName: accountNameField.nullish(),
  consoleOnly: optionalBoolean('console only'),
  groups: groupIds.nullish(),
  tags: tagsField.nullish(),
  ...placeFields,
  deviceGateway: unused,
  mfatoken: unused,
  action: wordOf('action', ['validate', 'confirm']),
})

type RegistrationBody = z.infer<typeof registrationBody>

/** A registration that passed every check. */
export interface Registration {
  deviceEui: string
  /** Undefined when a device is adopted from its network without its key. */
  deviceKey: string | undefined
  joinEui: string
  name: string
  typeId: number
  network: Network
  registerMethod: RegisterMethod
  gatewayId: number | null
  appRegion: string | null
  frequencyPlan: string | null
  /** The network's own id of its profile; undefined for that of the account. */
  networkProfile?: string | undefined
  /** Undefined for LoRaWAN 1.0.x and class A with a join. */
  radio?: DeviceRadio | undefined
  /** The model of the device's type, where it was made of one. */
  model?: DeviceModel | undefined
  isConsoleOnly: boolean
  groups: readonly number[]
  tags?: Tags | undefined
  place?: Place | undefined
}

/** Checks what the schema cannot; throws the 422 with all faults. */
export async function checkRegistration(
  db: Queryable,
  organizationId: number,
  body: RegistrationBody,
): Promise<Registration> {
  const network = findNetworkById(body.network)
  const model = await readModel(db, organizationId, body.deviceType)
  const errors = await findFaults(db, organizationId, body, model)
  if (!network || Object.keys(errors).length > 0) throw invalid(errors)
  return {
    deviceEui: body.deviceId,
    deviceKey: body.deviceKey,
    joinEui: body.joinEui ?? anyJoinEui,
    name: body.deviceName,
    typeId: body.deviceType,
    registerMethod: toMethod(body.registerMethod, body.accountName),
    groups: body.groups ?? [],
    tags: body.tags ?? undefined,
    place: toPlace(body) ?? undefined,
    networkProfile: body.deviceProfile || undefined,
    radio: toRadio(
      completeRadio(body.lorawan, sentModel(body, model), chooseVariant(network, body)),
    ),
    model,
    ...keepFormValues(network, body),
  }
}

/** No network asks what a device speaks that is only in the console. */
function sentModel(
  { consoleOnly }: Pick<FormValues, 'consoleOnly'>,
  model: DeviceModel | undefined,
) {
  return consoleOnly ? undefined : model
}

/** The model that a type of the organization was made of. */
async function readModel(db: Queryable, organizationId: number, typeId: number | undefined) {
  const models = await findModels(db, organizationId, typeId === undefined ? [] : [typeId])
  return typeId === undefined ? undefined : models.get(typeId)
}

/** The models that types of the organization were made of, by the ids of the types. */
export async function findModels(
  db: Queryable,
  organizationId: number,
  typeIds: readonly number[],
): Promise<ReadonlyMap<number, DeviceModel>> {
  const origins = await findOrigins(db, organizationId, typeIds)
  return new Map(
    origins.flatMap(({ id, catalogue }): [number, DeviceModel][] => {
      const model = modelOf(catalogue)
      return model ? [[id, model]] : []
    }),
  )
}

/** Finds the same faults in a body that breaks the schema, from its readable fields. */
export async function findFaultsIn(
  db: Queryable,
  organizationId: number,
  sent: Record<string, unknown>,
): Promise<FieldErrors> {
  const body = readFields(registrationBody, sent)
  const model = await readModel(db, organizationId, body.deviceType)
  return findFaults(db, organizationId, body, model)
}

/** Returns the fields of an object that its schema accepts, each checked alone. */
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
  model: DeviceModel | undefined,
): Promise<FieldErrors> {
  const { network: networkId, deviceId } = body
  const network = networkId === undefined ? undefined : findNetworkById(networkId)
  const gateways = await findNetworksOf(db, organizationId, body.gatewayId ? [body.gatewayId] : [])
  const errors = findFieldFaults(network, body, gateways, model)
  if (networkId !== undefined && !network) errors.network = [networkUnknown]
  const missing = await findMissing(db, organizationId, [body.deviceType ?? 0])
  if (missing.size > 0) errors.deviceType = [typeUnknown]
  Object.assign(errors, await findGroupFaults(db, organizationId, body.groups ?? []))
  if (deviceId === undefined) return errors
  const account = {
    organization_id: organizationId,
    network: network && chooseVariant(network, body).key,
    register_method: body.registerMethod,
  }
  const taken = await findTakenDevices(db, account, [normalizeEui(deviceId)])
  if (taken.size > 0) errors.deviceId = euiTaken
  else if ((await readRemaining(db, organizationId)) <= 0) errors.deviceId = [quotaSpent]
  return errors
}

/** Fields that were readable, each checked alone. */
interface ReadFields extends FormValues, PlaceFields {
  deviceName?: string | undefined
  deviceType?: number | undefined
  deviceKey?: string | undefined
  registerMethod?: WireMethod | undefined
  accountName?: string | null | undefined
  deviceProfile?: string | null | undefined
  lorawan?: z.infer<typeof radioField>
}

/**
 * Checks the fields themselves and against the organization's gateways. `findMissing` checks custom
 * device types.
 */
export function findFieldFaults(
  network: Network | undefined,
  fields: ReadFields,
  gateways: GatewayNetworks,
  model?: DeviceModel,
): FieldErrors {
  const { deviceName, deviceType, deviceKey, appRegion } = fields
  const errors: FieldErrors = {
    ...findFormFaults(network, fields, gateways),
    ...findAccountNameFault(fields.registerMethod, fields.accountName),
    ...findPlaceFaults(fields),
  }
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
  Object.assign(errors, findRadioFaults(chosen, fields.lorawan, sentModel(fields, model)))
  const profileFault = chosen && findProfileFault(chosen, fields.deviceProfile)
  if (profileFault) errors.deviceProfile = [profileFault]
  const isSent = chosen && deviceName !== undefined && !fields.consoleOnly
  const nameFault = isSent && findLimitFault(chosen, 'deviceName', 'device name', deviceName)
  if (nameFault) errors.deviceName = [nameFault]
  return errors
}

export const euiTaken = ['The device id has already been taken.']
export const typeUnknown = 'The selected device type is invalid.'
export const networkUnknown = 'The selected network is invalid.'
export const quotaSpent = 'The device limit of your account has been reached.'
