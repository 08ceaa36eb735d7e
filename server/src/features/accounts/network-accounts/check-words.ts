import type { CheckedRight } from '../../../networks/capabilities.ts'
import type { Network } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'

/** What is found out about an account, in the order of the answer. */
export const checkNames = [
  'reachable',
  'credentials',
  'list_devices',
  'create_devices',
  'list_gateways',
  'create_gateways',
  'downlinks',
  'callback',
  'mqtt',
] as const

type CheckName = (typeof checkNames)[number]

export interface Check {
  name: CheckName
  /** Null where it cannot be found out now. */
  ok: boolean | null
  message: string
  what_to_do: string
  /** The fields of the account that may be wrong. */
  fields: string[]
}

/** What a right is for, for people. */
const purposes: Record<CheckedRight, string> = {
  list_devices: 'list devices',
  create_devices: 'create and change devices',
  list_gateways: 'list gateways',
  create_gateways: 'create and change gateways',
  downlinks: 'send downlinks',
  callback: 'enter the callback',
}

const nothing = { message: '', what_to_do: '', fields: [] }

/** Makes one check each. */
export const checkOf = {
  success: (name: CheckName, message = ''): Check => ({ ...nothing, name, ok: true, message }),
  unknown: (name: CheckName, message: string): Check => ({ ...nothing, name, ok: null, message }),
  missing: (name: CheckedRight, missing: readonly string[]): Check => ({
    name,
    ok: false,
    message: `The key lacks ${missing.join(', ')}.`,
    what_to_do: `Give the key ${missing.length === 1 ? 'this right' : 'these rights'} at the network: it needs them to ${purposes[name]}.`,
    fields: [],
  }),
  failure: (network: Network, name: CheckedRight, { kind, message }: NetworkError): Check => {
    if (kind === 'slow_down' || kind === 'not_yet') return checkOf.unknown(name, message)
    const what_to_do =
      kind === 'unreachable'
        ? 'Try again later.'
        : `Let the account ${purposes[name]} at the network.`
    return { name, ok: false, message, what_to_do, fields: fieldsIn(network, message) }
  },
  lostCallback: (message: string): Check => ({
    name: 'callback',
    ok: false,
    message,
    what_to_do: 'Save the account again: the service then enters the callback again.',
    fields: [],
  }),
  brokerFailure: ({ kind, message }: NetworkError): Check => ({
    name: 'mqtt',
    ok: false,
    message,
    what_to_do:
      kind === 'unauthorized'
        ? 'Correct the login at the MQTT broker.'
        : 'Correct the address of the MQTT broker, or see whether it is up.',
    fields: kind === 'unauthorized' ? ['mqtt_username', 'mqtt_password'] : ['mqtt_url'],
  }),
}

/** The first two checks, by the error of `check()`. A missing right is no fault of the two. */
export function judgeAccess(network: Network, fault: NetworkError | undefined): Check[] {
  const isOfAccount = fault && (fault.about === undefined || fault.about === 'account')
  if (!isOfAccount) return [checkOf.success('reachable'), checkOf.success('credentials')]
  const { kind, message } = fault
  const fields = fieldsIn(network, message)
  if (kind === 'slow_down') {
    return [checkOf.success('reachable'), checkOf.unknown('credentials', message)]
  }
  if (kind === 'unreachable' || / may not be called/.test(message)) {
    return [
      {
        name: 'reachable',
        ok: false,
        message,
        what_to_do: reachWords(network),
        fields: addressesOf(network),
      },
      checkOf.unknown('credentials', 'Not tried: the network does not answer.'),
    ]
  }
  const suspects = fields.length > 0 ? fields : secretsOf(network)
  const what_to_do = `Compare with the network: ${labelsOf(network, suspects)}.`
  const credentials = { name: 'credentials', ok: false, message, what_to_do, fields: suspects }
  return [checkOf.success('reachable'), credentials as Check]
}

const addresses = ['server', 'cluster', 'identity_server', 'region', 'mqtt_url']

function addressesOf({ accountFields }: Network): string[] {
  const names = accountFields.map(({ name }) => name)
  return addresses.filter((name) => names.includes(name)).slice(0, 1)
}

function reachWords(network: Network): string {
  const labels = labelsOf(network, addressesOf(network))
  return labels === ''
    ? 'Try again later: the address is fixed, so the network or the way to it is down.'
    : `See whether the network is up, and compare: ${labels}.`
}

function secretsOf({ accountFields }: Network): string[] {
  return accountFields
    .filter(({ name, secret }) => secret && name !== 'mqtt_password')
    .map(({ name }) => name)
}

/** The fields that a message names: networks' clients write them in brackets, `(api_key)`. */
function fieldsIn({ accountFields }: Network, message: string): string[] {
  const words = new Set(message.match(/[a-z][a-z_]+/g))
  return accountFields.map(({ name }) => name).filter((name) => words.has(name))
}

function labelsOf({ accountFields }: Network, names: readonly string[]): string {
  return accountFields
    .filter(({ name }) => names.includes(name))
    .map(({ label }) => label)
    .join(', ')
}

export function noAnswer(seconds: number): NetworkError {
  const details = { about: 'account' } as const
  return new NetworkError('unreachable', `There was no answer within ${seconds} seconds.`, details)
}
