import { commonGatewayFields, type NetworkForms, regionValues } from '../forms.ts'

/** A gateway that no network is told of: it posts what it hears to an address of its own. */
export const forms: NetworkForms = {
  gateway: {
    description:
      'Any gateway with a network server of its own that posts JSON (MultiTech, Milesight, Tektelic). Register it, then enter its address and token as the destination of its uplinks.',
    fields: { ...commonGatewayFields, region: { validation: 'optional', values: regionValues } },
  },
}
