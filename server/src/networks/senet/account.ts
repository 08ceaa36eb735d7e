import { isApiAddress, isOneWord } from '../api-address.ts'
import type { AccountField, AccountValues } from '../network.ts'

/**
 * What an account at Senet is made of. The portal asks for contract and device profile when devices
 * are registered there; the API does not.
 */
export const accountFields: readonly AccountField[] = [
  { name: 'api_key', label: 'API key', required: true, secret: true },
  { name: 'contract', label: 'Contract', required: true, secret: false },
  { name: 'device_profile', label: 'Device profile', required: true, secret: false },
  {
    name: 'server',
    label: 'Address of the API, where it is another one',
    required: false,
    secret: false,
  },
]

export interface SenetAccount {
  server: URL
  apiKey: string
}

const usualServer = 'https://api.senetco.io'

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  if (values.api_key && !isOneWord(values.api_key)) {
    problems.api_key = 'The API key must be one word without spaces or line breaks.'
  }
  if (values.server && !isApiAddress(values.server)) {
    problems.server = 'The server must be like https://host or http://host:port, without a path.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): SenetAccount {
  return { server: new URL(values.server || usualServer), apiKey: values.api_key ?? '' }
}
