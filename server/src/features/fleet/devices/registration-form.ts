import type { FieldErrors } from '../../../http/errors.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'

/** The fields in which the networks' forms differ. Null and `''` mean absent. */
export interface FormValues {
  gatewayId?: number | null | undefined
  appRegion?: string | null | undefined
  frequencyPlan?: string | null | undefined
  consoleOnly?: boolean | null | undefined
}

/** The networks of the organization's named gateways, by the gateway's id. */
export type GatewayNetworks = ReadonlyMap<number, string>

/**
 * Checks the values by the network's form. A device of the console only needs none of them. Clients
 * send a gateway and a frequency plan in every batch item, where the contract requires them: when
 * the form has no such field, the gateway is ignored and the plan is stored.
 */
export function findFormFaults(
  network: Network | undefined,
  values: FormValues,
  gateways: GatewayNetworks,
): FieldErrors {
  const { gatewayId, appRegion, frequencyPlan } = values
  const errors: FieldErrors = {}
  const form = network?.forms.device
  const isRequired = (field: 'gatewayId' | 'appRegion' | 'frequencyPlan') =>
    form?.fields[field] === 'required' && !values.consoleOnly
  const plans = form?.frequencyPlans ?? []
  if (!appRegion && isRequired('appRegion')) {
    errors.appRegion = ['The app region field is required.']
  }
  if (frequencyPlan && plans.length > 0 && !plans.some(({ id }) => id === frequencyPlan)) {
    errors.frequencyPlan = ['The selected frequency plan is invalid.']
  } else if (!frequencyPlan && isRequired('frequencyPlan')) {
    errors.frequencyPlan = ['The frequency plan field is required.']
  }
  if (gatewayId === undefined || gatewayId === null) {
    if (isRequired('gatewayId')) errors.gatewayId = ['The gateway id field is required.']
  } else if (network && form?.fields.gatewayId) {
    const gatewayNetwork = gateways.get(gatewayId)
    const fits = gatewayNetwork && gatewayNetworksOf(network).includes(gatewayNetwork)
    if (!fits) errors.gatewayId = ['The selected gateway id is invalid.']
  }
  return errors
}

/** The networks whose gateways a device on this network may name. */
export function gatewayNetworksOf({ key, loraVariant, forms }: Network): string[] {
  if (!forms.device?.fields.gatewayId) return []
  return [key, ...(loraVariant === undefined ? [] : [loraVariant]), 'other']
}

/**
 * Chooses the network that registers the device. AWS IoT Core has another service for LoRa devices:
 * a gateway or a frequency plan marks such a device.
 */
export function chooseVariant(network: Network, values: FormValues): Network {
  const isLora = (values.gatewayId ?? undefined) !== undefined || Boolean(values.frequencyPlan)
  const variant =
    isLora && network.loraVariant !== undefined ? findNetwork(network.loraVariant) : undefined
  return variant ?? network
}

/** The values to store, and the network to store them under. */
export function keepFormValues(network: Network, values: FormValues) {
  return {
    network: chooseVariant(network, values),
    gatewayId: network.forms.device?.fields.gatewayId ? (values.gatewayId ?? null) : null,
    appRegion: values.appRegion || null,
    frequencyPlan: values.frequencyPlan || null,
    isConsoleOnly: values.consoleOnly ?? false,
  }
}
