import { regions } from '../lora/regions.ts'

/**
 * What registering at a network asks for. The same definition makes the registration form that the
 * API shows and is what a registration is checked against.
 */
export interface NetworkForms {
  /** Absent where devices are not registered under the network's key. */
  device?: DeviceForm
  /** Absent where no gateways are registered. */
  gateway?: GatewayForm
}

export type Validation = 'required' | 'optional'

/**
 * The fields in which the networks' device forms differ; one that is left out is of no use to the
 * network (`na`). All else (name, DevEUI, key, type, ...) every network needs.
 */
export interface DeviceForm {
  fields: { [name in 'joinEui' | 'gatewayId' | 'appRegion' | 'frequencyPlan']?: Validation }
  frequencyPlans?: readonly FrequencyPlan[]
}

/** A channel plan under the network's own id. */
export interface FrequencyPlan {
  id: string
  /** The plan of which this one is a variant. */
  base_id?: string
  name: string
  /** MHz. */
  base_frequency: number
}

/** The fields of service.md, "GET /configurations", gateway form. */
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
  /** Value to label; text where there is no list. */
  values?: Readonly<Record<string, string>>
}

export interface GatewayForm {
  /** What to have at hand, for people. */
  description: string
  /** A field that is left out is of no use to the network. */
  fields: { [name in GatewayFieldName]?: GatewayField }
  /** Gateway models that the network names. */
  models?: readonly string[]
  zones?: readonly Zone[]
  frequencyPlans?: readonly FrequencyPlan[]
}

/** A cluster of a network, and the servers that a device or gateway in it is told of. */
export interface Zone {
  id: string
  region: string
  ns_address: string
  as_address: string
  js_address: string
  is_address: string
}

/** The JoinEUI of a device whose owner names none: these networks do not look at it. */
export const anyJoinEui = '0000000000000000'

export const requiredField: GatewayField = { validation: 'required' }
export const optionalField: GatewayField = { validation: 'optional' }

/** What every network that takes gateways asks for. */
export const commonGatewayFields = {
  gatewayName: requiredField,
  gatewayEui: requiredField,
  gatewayIp: optionalField,
  description: optionalField,
}

/** For a select of which each value is its own label. */
export function namedByThemselves(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, value]))
}

export const regionValues = namedByThemselves(regions)
