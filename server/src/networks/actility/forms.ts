import {
  anyJoinEui,
  commonGatewayFields,
  type NetworkForms,
  optionalField,
  regionValues,
  requiredField,
} from '../forms.ts'

/**
 * Actility ThingPark, network manager API 7.3: a base station needs `model.ID` (of GET
 * /partners/mine/bsProfiles) and its LRR-UUID, and is not operational before its RF region is set,
 * which follows from the ISM band; `smn` is the serial number. The LRR-UUID follows from the EUI, or
 * is given as the serial number (lrr-uuid.ts). A device's model is the account's.
 */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'optional' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
  gateway: {
    description:
      'Have the gateway EUI, the id of its base station profile at ThingPark and its ISM band at hand. An LRR-UUID that is not made of the EUI goes into the serial number.',
    fields: {
      ...commonGatewayFields,
      model: requiredField,
      ismBand: { validation: 'required', values: regionValues },
      serialNumber: optionalField,
    },
  },
}
