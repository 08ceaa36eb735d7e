import { actility } from './actility/definition.ts'
import { awsIotCore } from './aws_iot_core/definition.ts'
import { awsIotCoreLora } from './aws_iot_core_lora/definition.ts'
import { chirpstack } from './chirpstack/definition.ts'
import { everynet } from './everynet/definition.ts'
import { kerlink } from './kerlink/definition.ts'
import { loriot } from './loriot/definition.ts'
import { machineq } from './machineq/definition.ts'
import { netmore } from './netmore/definition.ts'
import type { Network } from './network.ts'
import { other } from './other/definition.ts'
import { senet } from './senet/definition.ts'
import { thethingsnetwork } from './thethingsnetwork/definition.ts'

/** Networks beyond the contract of the API: absent until an operator switches them on. */
export const optionalNetworks: readonly Network[] = [netmore]

const registry: Network[] = [
  machineq,
  senet,
  thethingsnetwork,
  loriot,
  awsIotCore,
  awsIotCoreLora,
  kerlink,
  actility,
  everynet,
  chirpstack,
  other,
]

/**
 * THE REGISTRY: the networks of the API, in the order of its contract, and what was switched on
 * behind them. A network is its folder and its line above; it loads its client library at the
 * first call, not at start-up.
 */
export const networks: readonly Network[] = registry

const byName = new Map<string, Network>()
const byId = new Map<number | undefined, Network>()
for (const network of networks) enterNames(network)

/**
 * Adds optional networks to the registry, by key, once, at start. Returns the keys that are of none.
 */
export function switchOnNetworks(keys: readonly string[]): string[] {
  return keys.filter((key) => {
    const network = optionalNetworks.find((one) => one.key === key)
    if (network && !registry.includes(network)) {
      registry.push(network)
      enterNames(network)
    }
    return network === undefined
  })
}

function enterNames(network: Network): void {
  const { key, alias = key } = network
  for (const name of [key, alias, `<${alias}>`]) byName.set(name, network)
  if (network.id !== undefined) byId.set(network.id, network)
}

/** By key or alias, the alias with or without the angle brackets that the contract prints. */
export function findNetwork(keyOrAlias: string): Network | undefined {
  return byName.get(keyOrAlias)
}

/** By `network` of POST /devices. */
export function findNetworkById(id: number): Network | undefined {
  return byId.get(id)
}
