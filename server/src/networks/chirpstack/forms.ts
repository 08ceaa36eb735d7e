import { anyJoinEui, commonGatewayFields, type NetworkForms, regionValues } from '../forms.ts'

/**
 * ChirpStack v4, api/proto/api/device.proto and gateway.proto: the region of a device follows from
 * the account's device profile, that of a gateway from the bridge it is connected to, so both are
 * for the records only.
 */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', gatewayId: 'optional', appRegion: 'optional' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
  gateway: {
    description:
      'Have the gateway EUI at hand. The gateway itself is connected to the gateway bridge of your ChirpStack.',
    fields: { ...commonGatewayFields, region: { validation: 'optional', values: regionValues } },
  },
}
