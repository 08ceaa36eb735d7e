import { anyJoinEui, type NetworkForms } from '../forms.ts'

/** Senet: contract and device profile are the account's (docs.senetco.io, /ap/mgmt). */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', appRegion: 'optional' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
}
