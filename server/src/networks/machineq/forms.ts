import { anyJoinEui, type NetworkForms } from '../forms.ts'

/**
 * Comcast machineQ: the service and device profile of the account say all but the device's own
 * identity (OlegZv/machineq, shared models: POST /devices). Its regions are North American.
 */
export const forms: NetworkForms = {
  device: {
    fields: { joinEui: 'optional', appRegion: 'optional' },
    joinEuis: [anyJoinEui],
    frequencyPlans: [],
  },
}
