import type { AccountValues } from '../network.ts'

export interface SenetAccount {
  server: URL
  apiKey: string
}

const usualServer = 'https://api.senetco.io'

/** Takes values without faults. */
export function readAccount(values: AccountValues): SenetAccount {
  return { server: new URL(values.server || usualServer), apiKey: values.api_key ?? '' }
}
