import { awsRegions } from '../aws_iot_core_lora/forms.ts'
import { anyJoinEui, type NetworkForms } from '../forms.ts'

/**
 * AWS IoT Core: a thing has a name and needs nothing else (CreateThing). With a gateway or a
 * frequency plan the device is one of AWS IoT Core for LoRaWAN.
 */
export const forms: NetworkForms = {
  device: {
    fields: {
      joinEui: 'optional',
      gatewayId: 'optional',
      appRegion: 'optional',
      frequencyPlan: 'optional',
    },
    joinEuis: [anyJoinEui],
    frequencyPlans: awsRegions,
  },
}
