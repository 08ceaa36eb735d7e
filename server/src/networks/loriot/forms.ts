import { anyJoinEui, commonGatewayFields, type NetworkForms, optionalField } from '../forms.ts'

/**
 * LORIOT, network API 5.0: a gateway (POST /1/nwk/network/{id}/gateways) needs maker, model,
 * concentrator, bus and card as GET /1/nwk/gateway/models spells them, and is taken for one with
 * Basics Station where none of them is given. `loriotGateway` is the id of one that LORIOT has
 * already.
 */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'optional' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
  gateway: {
    description:
      'Have the gateway EUI at hand. A gateway that runs Basics Station needs nothing else; of any other, the maker, model, concentrator and bus as LORIOT lists them.',
    fields: {
      ...commonGatewayFields,
      loriotGateway: optionalField,
      brand: optionalField,
      model: optionalField,
      concentrator: optionalField,
      bus: optionalField,
      card: optionalField,
    },
    models: ['evolution', 'istation', 'ibts_compact'],
  },
}
