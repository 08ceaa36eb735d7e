import { forms as actilityForms } from './actility/forms.ts'
import { forms as awsIotCoreForms } from './aws_iot_core/forms.ts'
import { forms as awsIotCoreLoraForms } from './aws_iot_core_lora/forms.ts'
import { chirpstack } from './chirpstack/adapter.ts'
import { forms as chirpstackForms } from './chirpstack/forms.ts'
import { forms as everynetForms } from './everynet/forms.ts'
import { forms as kerlinkForms } from './kerlink/forms.ts'
import { forms as loriotForms } from './loriot/forms.ts'
import { forms as machineqForms } from './machineq/forms.ts'
import type { Network } from './network.ts'
import { forms as otherForms } from './other/forms.ts'
import { forms as senetForms } from './senet/forms.ts'
import { forms as thethingsnetworkForms } from './thethingsnetwork/forms.ts'

/**
 * The networks of the API, in the order of its contract. A network gets its folder and its
 * `adapter` here; an adapter loads its client library at the first call, not at start-up.
 */
export const networks: readonly Network[] = [
  {
    key: 'machineq',
    alias: 'network_key_1',
    id: 2,
    name: 'Comcast machineQ',
    isLora: true,
    forms: machineqForms,
  },
  { key: 'senet', alias: 'network_key_2', id: 4, name: 'Senet', isLora: true, forms: senetForms },
  {
    key: 'thethingsnetwork',
    alias: 'network_key_3',
    id: 5,
    name: 'The Things Stack',
    isLora: true,
    forms: thethingsnetworkForms,
  },
  {
    key: 'loriot',
    alias: 'network_key_4',
    id: 6,
    name: 'LORIOT',
    isLora: true,
    forms: loriotForms,
  },
  {
    key: 'aws_iot_core',
    alias: 'network_key_5',
    id: 3,
    name: 'AWS IoT Core',
    isLora: false,
    forms: awsIotCoreForms,
    loraVariant: 'aws_iot_core_lora',
  },
  {
    key: 'aws_iot_core_lora',
    alias: 'network_key_5_lora',
    name: 'AWS IoT Core for LoRaWAN',
    isLora: true,
    forms: awsIotCoreLoraForms,
  },
  {
    key: 'kerlink',
    alias: 'network_key_6',
    id: 7,
    name: 'Kerlink Wanesy',
    isLora: true,
    forms: kerlinkForms,
  },
  {
    key: 'actility',
    alias: 'network_key_7',
    id: 8,
    name: 'Actility ThingPark',
    isLora: true,
    forms: actilityForms,
  },
  {
    key: 'everynet',
    alias: 'network_key_8',
    id: 9,
    name: 'Everynet',
    isLora: true,
    forms: everynetForms,
  },
  {
    key: 'chirpstack',
    alias: 'network_key_9',
    id: 10,
    name: 'ChirpStack v4',
    isLora: true,
    forms: chirpstackForms,
    adapter: chirpstack,
  },
  { key: 'other', alias: 'other', name: 'Other', isLora: false, forms: otherForms },
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
