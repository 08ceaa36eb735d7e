import { isApiAddress, isOneWord } from '../api-address.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at a ThingPark platform is made of: a service account and an application server. */
export const accountFields: readonly AccountField[] = [
  { name: 'server', label: 'Server (community.thingpark.io)', required: true, secret: false },
  { name: 'client_id', label: 'Client ID', required: true, secret: false },
  { name: 'client_secret', label: 'Client secret', required: true, secret: true },
  { name: 'as_id', label: 'AS ID', required: true, secret: false },
  {
    name: 'as_key',
    label: 'Tunnel interface authentication key (AS key)',
    required: true,
    secret: true,
  },
  { name: 'device_model_id', label: 'Device profile ID', required: true, secret: false },
  {
    name: 'base_station_model_id',
    label: 'Base station profile ID',
    required: false,
    secret: false,
  },
]

/** The account's values under our own names. */
export interface ActilityAccount {
  /** `https://host`, without a path. */
  server: string
  clientId: string
  clientSecret: string
  asId: string
  /** 32 lower-case digits: so they are hashed, whatever case ThingPark shows. */
  asKey: string
  deviceModelId: string
  baseStationModelId: string | undefined
}

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  const check = (field: string, isRight: (value: string) => boolean, problem: string) => {
    const value = values[field]
    if (value && !isRight(value)) problems[field] = problem
  }
  check(
    'server',
    (value) => toAddress(value) !== undefined,
    'The server must be like community.thingpark.io or https://host, without a path.',
  )
  for (const field of ['client_id', 'client_secret', 'device_model_id', 'base_station_model_id']) {
    const words = field.replaceAll('_', ' ').replace(/\bid\b/, 'ID')
    check(field, isOneWord, `The ${words} must be one word without spaces.`)
  }
  // Network manager API 7.3, AS_ID of POST /v2/downlink.
  check(
    'as_id',
    (value) => /^[0-9A-Za-z\-._]{1,255}$/.test(value),
    'The AS ID may contain letters, digits, dashes, dots and underscores only.',
  )
  check(
    'as_key',
    (value) => /^[0-9a-f]{32}$/i.test(value),
    'The AS key must be 32 hexadecimal characters.',
  )
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): ActilityAccount {
  return {
    server: toAddress(values.server ?? '') ?? '',
    clientId: values.client_id ?? '',
    clientSecret: values.client_secret ?? '',
    asId: values.as_id ?? '',
    asKey: (values.as_key ?? '').toLowerCase(),
    deviceModelId: values.device_model_id ?? '',
    baseStationModelId: values.base_station_model_id || undefined,
  }
}

/** A bare host is spoken to by HTTPS. */
function toAddress(text: string): string | undefined {
  const address = text.includes('://') ? text : `https://${text}`
  return isApiAddress(address) ? new URL(address).origin : undefined
}
