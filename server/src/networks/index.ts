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

/** Networks beyond the contract of the API. The operator switches them on. */
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
 * THE REGISTRY: the networks of the API, in the order of its contract, then those that were
 * switched on. No client library is loaded here: a network loads its own at the first call.
 */
export const networks: readonly Network[] = registry

const byName = new Map<string, Network>()
const byId = new Map<number | undefined, Network>()
for (const network of networks) enterNames(network)

/** Adds optional networks to the registry, at start. Returns the keys of no such network. */
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

/**
 * Finds a network by its key or alias, which may be in angle brackets, as the contract prints it.
 */
export function findNetwork(keyOrAlias: string): Network | undefined {
  return byName.get(keyOrAlias)
}

/** Finds a network by `network` of POST /devices. */
export function findNetworkById(id: number): Network | undefined {
  return byId.get(id)
}
