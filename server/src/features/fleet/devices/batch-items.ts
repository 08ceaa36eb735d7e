import { z } from 'zod'
import {
  hexadecimal,
  optionalBoolean,
  optionalText,
  requiredInteger,
  requiredText,
  textOfLength,
} from '../../../http/fields.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import type { DeviceModel } from '../../../networks/device-model.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import { accountNameField, toMethod } from '../../accounts/connections/account-name.ts'
import { isObject, messagesOf, nameOrMore, openItem, type RefusedItem } from '../batches/batches.ts'
import { checkPlace, type Place, placeFields, toPlace } from '../inventory/places.ts'
import { type Tags, tagsField } from '../inventory/tags.ts'
import { groupIds } from './device-groups.ts'
import { completeRadio, radioField, toRadio } from './radio-settings.ts'
import {
  deviceProfile,
  findFieldFaults,
  networkUnknown,
  type Registration,
  readFields,
  registerMethod,
} from './registration.ts'
import { chooseVariant, type GatewayNetworks, keepFormValues } from './registration-form.ts'

/** One parsed item of POST /batch-device-requests. `eui` is normalized. */
export type BatchItem =
  | BatchCreation
  | BatchUpdate
  | { action: 'delete'; eui: string; sentEui: string }
  | RefusedItem

const deviceId = hexadecimal('device EUI', 16)
const deviceName = requiredText('device name')

const provisioningData = z.object({
  network: requiredText('network'),
  registerMethod,
  accountName: accountNameField.nullish(),
  deviceProfile,
  lorawan: radioField,
  deviceKey: textOfLength('device key', 32),
  deviceTypeId: requiredInteger('device type'),
  gatewayId: requiredInteger('gateway id').nullish(),
  joinEui: hexadecimal('join EUI', 16),
  appRegion: optionalText('app region'),
  frequencyPlan: optionalText('frequency plan'),
  consoleOnly: optionalBoolean('console only'),
})

const variants = {
  // Absent provisioning data is read as an empty object, so that each missing field is named.
  create: z.object({
    deviceName,
    deviceId,
    tags: tagsField.nullish(),
    ...placeFields,
    provisioningData: z.preprocess(
      (sent) => sent ?? {},
      z
        .object(provisioningData.shape, { error: 'The provisioning data must be an object.' })
        .meta({ id: 'ProvisioningData' }),
    ),
  }),
  update: z
    .object({
      deviceId,
      deviceName: deviceName.optional(),
      groups: groupIds.nullish(),
      tags: tagsField.optional(),
      ...placeFields,
    })
    .refine(...nameOrMore('deviceName', 'device name'))
    .superRefine(checkPlace),
  delete: z.object({ deviceId }),
}

/** The members that items may have, for all actions. */
export const itemVariants = Object.values(variants)

export interface BatchCreation {
  action: 'create'
  eui: string
  registration: Registration
}

/** Undefined `groups` leave the device in its groups. */
export interface BatchUpdate {
  action: 'update'
  eui: string
  sentEui: string
  name: string | undefined
  groups: number[] | undefined
  tags: Tags | undefined
  place: Place | null | undefined
}

/** The ids of the gateways that items name, as far as they can be read. */
export function namedGateways(sent: readonly unknown[]): number[] {
  const { gatewayId } = provisioningData.shape
  return sent.flatMap((item) => {
    const data = isObject(item) ? item.provisioningData : undefined
    return (isObject(data) && gatewayId.safeParse(data.gatewayId).data) || []
  })
}

/** The ids of the device types that items name, as far as they can be read. */
export function namedTypes(sent: readonly unknown[]): number[] {
  const { deviceTypeId } = provisioningData.shape
  return sent.flatMap((item) => {
    const data = isObject(item) ? item.provisioningData : undefined
    return (isObject(data) && deviceTypeId.safeParse(data.deviceTypeId).data) || []
  })
}

/** What is known of the gateways and device types that items name, by their ids. */
export interface KnownThings {
  gateways: GatewayNetworks
  models: ReadonlyMap<number, DeviceModel>
}

/**
 * Reads an item, or returns all faults that the item itself and the organization's gateways and models
 * show.
 */
export function readItem(sent: unknown, known: KnownThings): BatchItem {
  const item = openItem(sent)
  switch (item.action) {
    case 'none':
      return item
    case 'create':
      return readCreation(item.fields, known)
    case 'update': {
      const { data, error } = variants.update.safeParse(item.fields)
      if (!data) return refuse(error)
      const groups = data.groups ?? undefined
      const { deviceName: name, tags } = data
      return { action: 'update', ...euiOf(data), name, groups, tags, place: toPlace(data) }
    }
    case 'delete': {
      const { data, error } = variants.delete.safeParse(item.fields)
      return data ? { action: 'delete', ...euiOf(data) } : refuse(error)
    }
  }
}

function readCreation(sent: Record<string, unknown>, { gateways, models }: KnownThings): BatchItem {
  const { data, error } = variants.create.safeParse(sent)
  const { name, place, ...fields } = data
    ? { name: data.deviceName, place: data, ...data.provisioningData }
    : readSingly(sent)
  const network = fields.network === undefined ? undefined : findDeviceNetwork(fields.network)
  const model = models.get(fields.deviceTypeId ?? 0)
  const unreadable = new Set(error?.issues.map(({ path }) => path.at(-1)))
  const read = { ...fields, ...place, deviceName: name, deviceType: fields.deviceTypeId }
  const faults = Object.entries(findFieldFaults(network, read, gateways, model)).flatMap(
    ([field, messages]) => (unreadable.has(field) ? [] : messages),
  )
  if (fields.network !== undefined && !network) faults.unshift(networkUnknown)
  if (!data || !network || faults.length > 0) return refuse(error, faults)
  const provisioning = data.provisioningData
  return {
    action: 'create',
    eui: normalizeEui(data.deviceId),
    registration: {
      deviceEui: data.deviceId,
      deviceKey: provisioning.deviceKey,
      joinEui: provisioning.joinEui,
      name: data.deviceName,
      typeId: provisioning.deviceTypeId,
      registerMethod: toMethod(provisioning.registerMethod, provisioning.accountName),
      groups: [],
      tags: data.tags ?? undefined,
      place: toPlace(data) ?? undefined,
      networkProfile: provisioning.deviceProfile || undefined,
      radio: toRadio(
        completeRadio(provisioning.lorawan, model, chooseVariant(network, provisioning)),
      ),
      ...keepFormValues(network, provisioning),
    },
  }
}

/** The fields of a creation that can be read although others cannot. */
function readSingly(sent: Record<string, unknown>) {
  const { deviceName: name, ...place } = readFields(variants.create, sent)
  return isObject(sent.provisioningData)
    ? { name, place, ...readFields(provisioningData, sent.provisioningData) }
    : { name, place }
}

/** By key or alias. Devices are registered only on networks with an id. */
function findDeviceNetwork(key: string): Network | undefined {
  const network = findNetwork(key)
  return network?.id === undefined ? undefined : network
}

function euiOf({ deviceId }: { deviceId: string }) {
  return { eui: normalizeEui(deviceId), sentEui: deviceId }
}

function refuse(error: z.ZodError | undefined, faults: readonly string[] = []): RefusedItem {
  return { action: 'none', errors: [...messagesOf(error), ...faults] }
}
