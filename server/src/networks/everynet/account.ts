import { isApiAddress, isHostName, isOneWord } from '../api-address.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at Everynet is made of. */
export const accountFields: readonly AccountField[] = [
  { name: 'region', label: 'Region (eu, us, atc)', required: true, secret: false },
  { name: 'access_token', label: 'Access token of an API key', required: true, secret: true },
  { name: 'connection_id', label: 'ID of the HTTP connection', required: true, secret: false },
  {
    name: 'authorization',
    label: 'Authorization of the HTTP connection (only for devices of class C)',
    required: false,
    secret: true,
  },
  {
    name: 'server',
    label: 'Address of the API, where it is another one (https://host)',
    required: false,
    secret: false,
  },
]

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

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  const { region, access_token, connection_id, authorization, server } = values
  if (region && !isApiAddress(region) && !isHostName(region)) {
    problems.region = 'The region must be a name such as eu, or an address such as https://host.'
  }
  if (access_token && !isOneWord(access_token)) {
    problems.access_token = 'The access token must be one word without spaces or line breaks.'
  }
  if (connection_id && !/^[0-9a-f-]{1,64}$/i.test(connection_id)) {
    problems.connection_id = 'The connection ID must be like 5eb858c86c1837f2550ae2cb.'
  }
  // `Token 123` has a space in it.
  if (authorization && !/^[\x20-\x7e]+$/.test(authorization)) {
    problems.authorization = 'The authorization must be one line.'
  }
  if (server && !isApiAddress(server)) {
    problems.server = 'The server must be like https://host or http://host:port, without a path.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
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
