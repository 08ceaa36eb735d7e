import {
  commonGatewayFields,
  type FrequencyPlan,
  type NetworkForms,
  namedByThemselves,
} from '../forms.ts'

/** The bands of `awsRegions` by the names of the service's own regions. */
const bands = ['EU868', 'US915', 'AU915', 'AS923']

/**
 * AWS IoT Core for LoRaWAN: a gateway needs its EUI and `RfRegion` (CreateWirelessGateway of
 * @aws-sdk/client-iot-wireless).
 */
export const forms: NetworkForms = {
  gateway: {
    description: 'Have the gateway EUI at hand, and know the region in which the gateway stands.',
    fields: {
      ...commonGatewayFields,
      region: { validation: 'required', values: namedByThemselves(bands) },
    },
  },
}

/**
 * The bands that AWS supports (developer guide, "Consider selection of LoRa frequency bands"). Its
 * API names more (`SupportedRfRegion`), of which the guide says nothing.
 */
export const awsRegions: readonly FrequencyPlan[] = [
  { id: 'EU868', name: 'Europe 863-870 MHz', base_frequency: 868 },
  { id: 'US915', name: 'United States 902-928 MHz', base_frequency: 915 },
  { id: 'AU915', name: 'Australia 915-928 MHz', base_frequency: 915 },
  { id: 'AS923-1', name: 'Asia 923 MHz, group 1', base_frequency: 923 },
]
