import { isApiAddress, isHostName, isOneWord } from '../api-address.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at a LORIOT server is made of. */
export const accountFields: readonly AccountField[] = [
  {
    name: 'server',
    label: 'Server (eu1, or https://host)',
    required: true,
    secret: false,
  },
  { name: 'api_key', label: 'API key', required: true, secret: true },
  { name: 'application_id', label: 'Application ID (APPID)', required: true, secret: false },
  { name: 'application_token', label: 'Application token', required: false, secret: true },
  { name: 'network_id', label: 'Network ID of the gateways', required: false, secret: false },
]

/** The account's values under our own names. */
export interface LoriotAccount {
  /** `https://host`. */
  base: string
  apiKey: string
  /** 8 upper-case digits. */
  applicationId: string
  /** Allows downlinks. */
  applicationToken?: string
  /** Upper-case digits; without one, the account's only network is meant. */
  networkId?: string
}

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  const { server, application_id, network_id } = values
  if (server && !isApiAddress(server) && !isHostName(server)) {
    problems.server = 'The server must be a name such as eu1, or an address such as https://host.'
  }
  for (const field of ['api_key', 'application_token']) {
    const value = values[field]
    if (value && !isOneWord(value)) {
      const name = field === 'api_key' ? 'API key' : 'application token'
      problems[field] = `The ${name} must be one word without spaces or line breaks.`
    }
  }
  if (application_id && !/^[0-9a-f]{8}$/i.test(application_id)) {
    problems.application_id = 'The application ID must be 8 hexadecimal digits, like BE7A2562.'
  }
  if (network_id && !/^[0-9a-f]{1,16}$/i.test(network_id)) {
    problems.network_id = 'The network ID must be hexadecimal digits, like A0000001.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): LoriotAccount {
  return {
    base: baseOf(values.server ?? ''),
    apiKey: values.api_key ?? '',
    applicationId: (values.application_id ?? '').toUpperCase(),
    ...(values.application_token ? { applicationToken: values.application_token } : {}),
    ...(values.network_id ? { networkId: values.network_id.toUpperCase() } : {}),
  }
}

/** A name without dots is that of one of LORIOT's own servers. */
function baseOf(server: string): string {
  if (isApiAddress(server)) return server
  const host = server.toLowerCase()
  return `https://${host.includes('.') ? host : `${host}.loriot.io`}`
}
