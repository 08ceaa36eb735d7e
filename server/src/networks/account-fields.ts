import type { AccountField, AccountValues, FieldCheck } from './network.ts'

interface AccountForm {
  accountFields: readonly AccountField[]
  checkedFirst?: readonly string[]
}

/** Returns what is wrong with an account's values, by field name. */
export function findAccountFaults(form: AccountForm, values: AccountValues): AccountValues {
  const { accountFields, checkedFirst = [] } = form
  const first = checkedFirst.flatMap((name) => accountFields.filter((one) => one.name === name))
  const faults: AccountValues = {}
  for (const field of new Set([...first, ...accountFields])) {
    const fault = findFault(field, values)
    if (fault !== undefined) faults[field.name] = fault
  }
  return faults
}

function findFault(
  { name, check, neededBy }: AccountField,
  values: AccountValues,
): string | undefined {
  const value = values[name]
  if (value) return check?.(value, values)
  return neededBy && values[neededBy.field] ? neededBy.problem : undefined
}

/** Makes a check of a pattern or a function, and the message for a value that fails. */
export function checkBy(rule: RegExp | ((value: string) => boolean), problem: string): FieldCheck {
  const isRight = rule instanceof RegExp ? (value: string) => rule.test(value) : rule
  return (value) => (isRight(value) ? undefined : problem)
}

/** A secret with a line break would fail in a header, and be in the error's message. */
export function checkOneWord(label: string): FieldCheck {
  return checkBy(isOneWord, `The ${label} must be one word without spaces or line breaks.`)
}

/** The secret key of an API. */
export const apiKeyField: AccountField = {
  name: 'api_key',
  label: 'API key',
  required: true,
  secret: true,
  check: checkOneWord('API key'),
}

/** The server of an API that has a usual address. */
export const otherServerField: AccountField = {
  name: 'server',
  label: 'Address of the API, where it is another one',
  check: checkBy(
    isApiAddress,
    'The server must be like https://host or http://host:port, without a path.',
  ),
}

/** The login at an MQTT broker. MQTT 3.1.1 has no password without a user name (3.1.2.9). */
export const brokerLoginFields: readonly AccountField[] = [
  {
    name: 'mqtt_username',
    label: 'MQTT user name',
    neededBy: {
      field: 'mqtt_password',
      problem: 'The MQTT user name is required with an MQTT password.',
    },
  },
  { name: 'mqtt_password', label: 'MQTT password', secret: true },
]

export function readBrokerLogin({
  mqtt_username: username,
  mqtt_password: password,
}: AccountValues) {
  if (!username) return {}
  return password ? { username, password } : { username }
}

/**
 * Whether `text` is the address of an API: `https://host` or `http://host:port`, without a path.
 */
export function isApiAddress(text: string): boolean {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false
  return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
}

/** Whether `text` can be a name in the DNS: `eu1`, `iot.example.test`. */
export function isHostName(text: string): boolean {
  return text.length < 254 && /^[a-z0-9]([a-z0-9-]{0,62}\.)*[a-z0-9-]{0,62}[a-z0-9]$/i.test(text)
}

/** Whether `text` can be sent in a header. */
export function isOneWord(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
