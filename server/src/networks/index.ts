import { chirpstack } from './chirpstack/adapter.ts'
import type { Network } from './network.ts'

/**
 * The networks of the API, in the order of its contract. A network gets its folder and its
 * `adapter` here; an adapter loads its client library at the first call, not at start-up.
 */
export const networks: readonly Network[] = [
  { key: 'machineq', alias: 'network_key_1', id: 2, name: 'Comcast machineQ', isLora: true },
  { key: 'senet', alias: 'network_key_2', id: 4, name: 'Senet', isLora: true },
  {
    key: 'thethingsnetwork',
    alias: 'network_key_3',
    id: 5,
    name: 'The Things Stack',
    isLora: true,
  },
  { key: 'loriot', alias: 'network_key_4', id: 6, name: 'LORIOT', isLora: true },
  { key: 'aws_iot_core', alias: 'network_key_5', id: 3, name: 'AWS IoT Core', isLora: false },
  {
    key: 'aws_iot_core_lora',
    alias: 'network_key_5_lora',
    name: 'AWS IoT Core for LoRaWAN',
    isLora: true,
  },
  { key: 'kerlink', alias: 'network_key_6', id: 7, name: 'Kerlink Wanesy', isLora: true },
  { key: 'actility', alias: 'network_key_7', id: 8, name: 'Actility ThingPark', isLora: true },
  { key: 'everynet', alias: 'network_key_8', id: 9, name: 'Everynet', isLora: true },
  {
    key: 'chirpstack',
    alias: 'network_key_9',
    id: 10,
    name: 'ChirpStack v4',
    isLora: true,
    adapter: chirpstack,
  },
  { key: 'other', alias: 'other', name: 'Other', isLora: false },
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
