import type { AccountValues } from '../network.ts'

/** The account's values under our own names. */
export interface MachineqAccount {
  /** `https://host`, without the path of the API. */
  api: string
  /** Of the server that gives tokens. */
  identity: string
  clientId: string
  clientSecret: string
  serviceProfile: string
  deviceProfile: string
  outputProfile?: string
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): MachineqAccount {
  const api = new URL(values.server || 'https://api.machineq.net').origin
  return {
    api,
    // `api.dev.machineq.net` has `identity.dev.machineq.net` (OlegZv/machineq, auth.py).
    identity: api.replace('://api.', '://identity.'),
    clientId: values.client_id ?? '',
    clientSecret: values.client_secret ?? '',
    serviceProfile: values.service_profile ?? '',
    deviceProfile: values.device_profile ?? '',
    ...(values.output_profile ? { outputProfile: values.output_profile } : {}),
  }
}
