import { regions } from '../lora/regions.ts'

/** The fields of registrations: the API shows forms of them, and checks registrations by them. */
export interface NetworkForms {
  /** Absent if devices are not registered under the network's key. */
  device?: DeviceForm
  /** Absent if no gateways are registered. */
  gateway?: GatewayForm
}

export type Validation = 'required' | 'optional'

/**
 * The fields in which the device forms of networks differ. The network does not use a field that is
 * left out (`na`). Every network needs the others (name, DevEUI, key, type, ...).
 */
export interface DeviceForm {
  fields: { [name in 'joinEui' | 'gatewayId' | 'appRegion' | 'frequencyPlan']?: Validation }
  frequencyPlans?: readonly FrequencyPlan[]
}

/** A channel plan with the network's own id. */
export interface FrequencyPlan {
  id: string
  /** The plan that this one varies. */
  base_id?: string
  name: string
  /** MHz. */
  base_frequency: number
}

/** The fields of a gateway's registration form (docs/contract.txt, 4.21). */
export const gatewayFields = [
  'gatewayName',
  'gatewayIp',
  'description',
  'gatewayEui',
  'loriotGateway',
  'concentrator',
  'bus',
  'card',
  'brand',
  'region',
  'fleet',
  'visibility',
  'frequencyPlans',
  'zoneId',
  'model',
  'ismBand',
  'serialNumber',
] as const

export type GatewayFieldName = (typeof gatewayFields)[number]

export interface GatewayField {
  validation: Validation
  /** Value to label; text if there is no list. */
  values?: Readonly<Record<string, string>>
}

export interface GatewayForm {
  /** Says what the user needs to have ready. */
  description: string
  /** The network does not use a field that is left out. */
  fields: { [name in GatewayFieldName]?: GatewayField }
  /** Gateway models that the network names. */
  models?: readonly string[]
  zones?: readonly Zone[]
  frequencyPlans?: readonly FrequencyPlan[]
}

/** A cluster of a network, with the addresses of its servers. */
export interface Zone {
  id: string
  region: string
  ns_address: string
  as_address: string
  js_address: string
  is_address: string
}

/** The JoinEUI of a device whose owner names none. The networks ignore its value. */
export const anyJoinEui = '0000000000000000'

export const requiredField: GatewayField = { validation: 'required' }
export const optionalField: GatewayField = { validation: 'optional' }

/** The fields of every network that has gateways. */
export const commonGatewayFields = {
  gatewayName: requiredField,
  gatewayEui: requiredField,
  gatewayIp: optionalField,
  description: optionalField,
}

/** The choices of a select whose values are their own labels. */
export function namedByThemselves(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, value]))
}

export const regionValues = namedByThemselves(regions)
