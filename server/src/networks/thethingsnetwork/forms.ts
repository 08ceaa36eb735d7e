import { anyJoinEui, commonGatewayFields, type NetworkForms, type Zone } from '../forms.ts'
import { frequencyPlans } from './frequency-plans.ts'

/**
 * The clusters of The Things Network. Users and gateways of all of them are kept by the identity
 * server in eu1 (thethingsindustries.com/docs/the-things-stack/concepts/ttn).
 */
const zones: readonly Zone[] = [
  zoneOf('eu1', 'Europe 1'),
  zoneOf('nam1', 'North America 1'),
  zoneOf('au1', 'Australia 1'),
]

function zoneOf(id: string, region: string): Zone {
  const address = `${id}.cloud.thethings.network`
  return {
    id,
    region,
    ns_address: address,
    as_address: address,
    js_address: address,
    is_address: 'eu1.cloud.thethings.network',
  }
}

/**
 * The Things Stack v3: the network server takes no device and the gateway server no gateway
 * without a frequency plan (api/ttn/lorawan/v3, `frequency_plan_id`, `frequency_plan_ids`).
 */
export const forms: NetworkForms = {
  device: {
    fields: {
      joinEui: 'optional',
      gatewayId: 'optional',
      appRegion: 'optional',
      frequencyPlan: 'required',
    },
    joinEuis: [anyJoinEui],
    frequencyPlans,
  },
  gateway: {
    description:
      'Have the gateway EUI at hand. Choose the zone that your account is in, and the frequency plan of the place where the gateway stands.',
    fields: {
      ...commonGatewayFields,
      frequencyPlans: {
        validation: 'required',
        values: Object.fromEntries(frequencyPlans.map(({ id, name }) => [id, name])),
      },
      zoneId: {
        validation: 'required',
        values: Object.fromEntries(zones.map(({ id, region }) => [id, region])),
      },
    },
    zones,
    frequencyPlans,
  },
}
