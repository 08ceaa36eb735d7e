import { anyJoinEui, type NetworkForms } from '../forms.ts'

/** `ChannelPlan` of the Netmore Connect API; a device without one gets that of its profile. */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', frequencyPlan: 'optional' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [
      { id: 'EU868', name: 'Europe 863-870 MHz', base_frequency: 868 },
      { id: 'US915', name: 'United States 902-928 MHz', base_frequency: 915 },
      { id: 'AU915', name: 'Australia 915-928 MHz', base_frequency: 915 },
      { id: 'AS923_1', name: 'Asia 923 MHz, group 1', base_frequency: 923 },
      { id: 'AS923_2', name: 'Asia 923 MHz, group 2', base_frequency: 923 },
      { id: 'AS923_3', name: 'Asia 923 MHz, group 3', base_frequency: 923 },
      { id: 'AS923_4', name: 'Asia 923 MHz, group 4', base_frequency: 923 },
      { id: 'IN865', name: 'India 865-867 MHz', base_frequency: 865 },
    ],
  },
}
