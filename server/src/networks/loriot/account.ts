import { isApiAddress } from '../account-fields.ts'
import type { AccountValues } from '../network.ts'

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

/** Takes values without faults. */
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
