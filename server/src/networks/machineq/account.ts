import { isApiAddress, isOneWord } from '../api-address.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at machineQ is made of. */
export const accountFields: readonly AccountField[] = [
  { name: 'client_id', label: 'Client ID', required: true, secret: false },
  { name: 'client_secret', label: 'Client secret', required: true, secret: true },
  { name: 'service_profile', label: 'Service profile ID', required: true, secret: false },
  { name: 'device_profile', label: 'Device profile ID', required: true, secret: false },
  { name: 'output_profile', label: 'Output profile ID', required: false, secret: false },
  { name: 'gateway_profile', label: 'Gateway profile ID', required: false, secret: false },
  {
    name: 'server',
    label: 'Address of the API, where it is another one (https://host)',
    required: false,
    secret: false,
  },
]

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

const ids = ['service_profile', 'device_profile', 'output_profile', 'gateway_profile'] as const

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  const { client_id, client_secret, server } = values
  if (client_id && !isOneWord(client_id)) {
    problems.client_id = 'The client ID must be one word without spaces or line breaks.'
  }
  if (client_secret && !isOneWord(client_secret)) {
    problems.client_secret = 'The client secret must be one word without spaces or line breaks.'
  }
  for (const field of ids) {
    const value = values[field]
    if (value && !/^[\w.:-]{1,128}$/.test(value)) {
      problems[field] = `The ${field.replace('_', ' ')} must be an ID of letters and digits.`
    }
  }
  if (server && !isApiAddress(server)) {
    problems.server = 'The server must be like https://host or http://host:port, without a path.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
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
