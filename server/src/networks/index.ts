import { actility } from './actility/definition.ts'
import { awsIotCore } from './aws_iot_core/definition.ts'
import { awsIotCoreLora } from './aws_iot_core_lora/definition.ts'
import { chirpstack } from './chirpstack/definition.ts'
import { everynet } from './everynet/definition.ts'
import { kerlink } from './kerlink/definition.ts'
import { loriot } from './loriot/definition.ts'
import { machineq } from './machineq/definition.ts'
import type { Network } from './network.ts'
import { other } from './other/definition.ts'
import { senet } from './senet/definition.ts'
import { thethingsnetwork } from './thethingsnetwork/definition.ts'

/**
 * THE REGISTRY: the networks of the API, in the order of its contract. A network is its folder and its
 * line here; it loads its client library at the first call, not at start-up.
 */
export const networks: readonly Network[] = [
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

const byName = new Map(
  networks.flatMap((network) => [
    [network.key, network] as const,
    [network.alias, network] as const,
    [`<${network.alias}>`, network] as const,
  ]),
)
const byId = new Map(networks.map((network) => [network.id, network]))

/** By key or alias, the alias with or without the angle brackets that the contract prints. */
export function findNetwork(keyOrAlias: string): Network | undefined {
  return byName.get(keyOrAlias)
}

/** By `network` of POST /devices. */
export function findNetworkById(id: number): Network | undefined {
  return byId.get(id)
}
