import {
  anyJoinEui,
  commonGatewayFields,
  type NetworkForms,
  optionalField,
  regionValues,
} from '../forms.ts'

/**
 * Kerlink Wanesy Management Center, GMS REST API 3.2.6: an end device needs `rfRegion`, a gateway
 * (GatewayDto) `visibility` and `region`; `fleet` and `brand` are ids, looked up where a name is given.
 */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'required' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
  gateway: {
    description:
      'Have the gateway EUI at hand. Fleet and brand are ids or names of your Wanesy; without them those of your account are used.',
    fields: {
      ...commonGatewayFields,
      region: { validation: 'required', values: regionValues },
      visibility: { validation: 'required', values: { PRIVATE: 'Private', PUBLIC: 'Public' } },
      fleet: optionalField,
      brand: optionalField,
    },
  },
}
