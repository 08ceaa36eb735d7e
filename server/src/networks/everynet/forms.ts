import { anyJoinEui, type NetworkForms } from '../forms.ts'

/**
 * Everynet: POST /devices takes a `band`, which follows from the region (ns.docs.everynet.io, data
 * API). Gateways are managed in a portal of its own, without an API.
 */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', appRegion: 'required' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
}
