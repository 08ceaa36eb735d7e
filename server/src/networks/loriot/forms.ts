import {
  anyJoinEui,
  commonGatewayFields,
  type NetworkForms,
  optionalField,
  requiredField,
} from '../forms.ts'

/**
 * LORIOT, network API 5.0: a gateway (POST /1/nwk/network/{id}/gateways) needs maker, model,
 * concentrator, bus and card as GET /1/nwk/gateway/models spells them; the card may be empty
 * (loriot/loriot-migration-tool). `loriotGateway` is the id of one that LORIOT has already.
 */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'optional' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
  gateway: {
    description:
      'Have the gateway EUI at hand, and its maker, model, concentrator and bus as LORIOT lists them.',
    fields: {
      ...commonGatewayFields,
      loriotGateway: optionalField,
      brand: requiredField,
      model: requiredField,
      concentrator: requiredField,
      bus: requiredField,
      card: optionalField,
    },
    models: ['evolution', 'istation', 'ibts_compact'],
  },
}
