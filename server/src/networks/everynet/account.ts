import { isApiAddress } from '../account-fields.ts'
import type { AccountValues } from '../network.ts'

/** The account's values under our own names. */
export interface EverynetAccount {
  /** `https://host`, without the path of the API. */
  base: string
  /** Of the adapters, which take messages. */
  adapters: string
  accessToken: string
  connectionId: string
  /** What the connection sends and expects as `Authorization`. */
  authorization?: string
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): EverynetAccount {
  const base = baseOf(values.server || values.region || '')
  return {
    base,
    adapters: base.replace('://ns.', '://adapters.ns.'),
    accessToken: values.access_token ?? '',
    connectionId: values.connection_id ?? '',
    ...(values.authorization ? { authorization: values.authorization } : {}),
  }
}

/** A name without dots is one of Everynet's regions. */
function baseOf(region: string): string {
  if (isApiAddress(region)) return new URL(region).origin
  const host = region.toLowerCase()
  return `https://${host.includes('.') ? host : `ns.${host}.everynet.io`}`
}
