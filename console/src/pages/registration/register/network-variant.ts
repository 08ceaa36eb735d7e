import { chosenAccount } from '../../../accounts/account-key.ts'
import type { Schemas } from '../../../api/generated.ts'
import { type FormValues, stillTaken } from './registration-form.ts'

type Network = Schemas['FleetNetwork']

/** A network, with the one of its LoRa devices if that is another. */
export interface NetworkPair {
  network: Network
  variant: Network | undefined
}

export function findPair(networks: readonly Network[], network: Network): NetworkPair {
  return { network, variant: networks.find(({ key }) => key === network.lora_variant) }
}

export function isConnected({ network, variant }: NetworkPair): boolean {
  return [network, variant].some((each) => (each?.register_methods.length ?? 0) > 0)
}

/** The network that registers the device. A frequency plan or a gateway marks a LoRa device. */
export function placeOf({ network, variant }: NetworkPair, values: FormValues): Network {
  const isLora = values.frequencyPlan !== null || values.gatewayId !== null
  return isLora && variant ? variant : network
}

/** What was typed, without what the network of the device does not take. */
export function fitTo({ accounts, capabilities }: Network, values: FormValues): FormValues {
  const { lorawan, deviceProfile } = stillTaken(capabilities, values)
  const { devAddr, networkKey } = values.lorawan
  return {
    ...values,
    account: chosenAccount(accounts, values.account),
    deviceProfile,
    lorawan: { ...lorawan, devAddr, networkKey },
  }
}
