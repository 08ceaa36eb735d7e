// The tokens of ThingPark's tunnel interface: SHA-256 over what is sent and the AS key.
// docs.thingpark.com, "Basic connection"; actility/thingpark-integrations docs/README.md 2.1.3.1;
// kpn-iot/lora-reference, php/classes/TokenVerifier.php. Proven by published messages: uplinks of
// 2016 and 2021, a downlink sent report and a location report of 2018 (signature.test.ts). Only
// Actility's documentation says that a notification is signed in the same way as a location.
import { createHash, timingSafeEqual } from 'node:crypto'
import { textOf } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { AccountValues } from '../network.ts'
import type { CallbackRequest } from '../network-message.ts'
import { readReport } from './messages.ts'

/** Hashed in this order, whatever the order of the query is. */
const signedParameters = ['LrnDevEui', 'LrnFPort', 'LrnInfos', 'AS_ID', 'Time']

const signedMembers: Record<string, readonly string[]> = {
  DevEUI_uplink: ['CustomerID', 'DevEUI', 'FPort', 'FCntUp', 'payload_hex'],
  DevEUI_downlink_Sent: ['CustomerID', 'DevEUI', 'FPort', 'FCntDn'],
  DevEUI_location: ['CustomerID', 'DevEUI'],
  DevEUI_notification: ['CustomerID', 'DevEUI'],
}

/**
 * What is wrong with the `Token` of a message, or undefined. IoT Flow, whose messages have no
 * wrapper, signs nothing: there the callback's secret is the only proof, unless a token is present. It is
 * as well for an account without an AS key.
 * The age of `Time` is not checked: ThingPark sends late what it could not deliver, a refused
 * message is lost, and a repeated one is stored once.
 */
export function checkSignature(
  { sentQuery, body }: CallbackRequest,
  { as_key = '' }: AccountValues,
): string | undefined {
  // Without the key of the account there is nothing to compare with.
  if (!isObject(body) || as_key === '') return undefined
  const parameters = readQuery(sentQuery)
  const token = parameters.get('Token')
  const { name, isWrapped, report } = readReport(body)
  // Only IoT Flow sends these.
  const isUnsigned = !isWrapped || name === 'DevEUI_downlink_Rejected'
  if (token === undefined) {
    return isUnsigned ? undefined : 'The message has no Token: security must be on for its AS.'
  }
  const members = signedMembers[name]
  if (!members) return undefined
  const signed = signQuery(parameters)
  // The DevEUI of a location is hashed in lower case, whatever the message has (TokenVerifier.php).
  const spellings = [report, { ...report, DevEUI: textOf(report.DevEUI).toLowerCase() }]
  const isRight = spellings.some((spelling) =>
    isEqual(token, hash(valuesOf(members, spelling) + signed + as_key.toLowerCase())),
  )
  return isRight ? undefined : 'The Token of the message is wrong: it was made with another AS key.'
}

/** The query of a message with its token, for a sender of such messages. */
export function signMessage(
  name: string,
  report: JsonObject,
  query: Record<string, string>,
  asKey: string,
): Record<string, string> {
  const signed = signQuery(new Map(Object.entries(query)))
  const values = valuesOf(signedMembers[name] ?? [], report)
  return { ...query, Token: hash(values + signed + asKey.toLowerCase()) }
}

/** Signs a call of the tunnel interface: its query as it is sent, but not encoded. */
export function signCall(query: Record<string, string>, asKey: string): string {
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return hash(text.join('&') + asKey.toLowerCase())
}

/** Keeps the `+` in `Time`, which a decoder of forms would turn into a space. */
function readQuery(sentQuery: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of sentQuery.split('&')) {
    const [name = '', ...value] = pair.split('=')
    parameters.set(decode(name), decode(value.join('=')))
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function signQuery(parameters: Map<string, string>): string {
  return signedParameters
    .filter((name) => parameters.has(name))
    .map((name) => `${name}=${parameters.get(name)}`)
    .join('&')
}

function valuesOf(members: readonly string[], report: JsonObject): string {
  return members
    .map((name) => {
      const value = textOf(report[name])
      return value === '' && name === 'FPort' ? '0' : value
    })
    .join('')
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function isEqual(token: string, expected: string): boolean {
  const [sent, right] = [Buffer.from(token.toLowerCase()), Buffer.from(expected)]
  return sent.length === right.length && timingSafeEqual(sent, right)
}
