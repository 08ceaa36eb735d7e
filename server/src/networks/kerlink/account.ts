import { isApiAddress, isHostName } from '../api-address.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at a Wanesy Management Center is made of: a user, and where its devices belong. */
export const accountFields: readonly AccountField[] = [
  {
    name: 'server',
    label: 'Server (https://instance.wanesy.com)',
    required: true,
    secret: false,
  },
  { name: 'login', label: 'Login', required: true, secret: false },
  { name: 'password', label: 'Password', required: true, secret: true },
  { name: 'cluster_id', label: 'Cluster ID', required: true, secret: false },
  { name: 'fleet_id', label: 'Fleet ID', required: false, secret: false },
  { name: 'brand_id', label: 'Brand ID', required: false, secret: false },
]

/** The account's values under our own names. */
export interface KerlinkAccount {
  /** `https://host/gms/application`. */
  base: string
  login: string
  password: string
  /** Of the devices. */
  clusterId: number
  /** Of the gateways that name none. */
  fleetId: number | undefined
  brandId: number | undefined
}

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  if (values.server && toBase(values.server) === undefined) {
    problems.server =
      'The server must be like https://instance.wanesy.com, or the name of the instance.'
  }
  for (const field of ['cluster_id', 'fleet_id', 'brand_id']) {
    const value = values[field]
    if (value && !/^\d{1,15}$/.test(value)) {
      problems[field] = `The ${field.replace('_id', ' ID')} must be a number.`
    }
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): KerlinkAccount {
  return {
    base: toBase(values.server ?? '') ?? '',
    login: values.login ?? '',
    password: values.password ?? '',
    clusterId: Number(values.cluster_id),
    fleetId: values.fleet_id ? Number(values.fleet_id) : undefined,
    brandId: values.brand_id ? Number(values.brand_id) : undefined,
  }
}

const apiPath = '/gms/application'

/** Takes `instance`, a host, an address, and that of the API as Wanesy prints it. */
function toBase(text: string): string | undefined {
  const isName = isHostName(text)
  const host = isName && !text.includes('.') ? `${text}.wanesy.com` : text
  const address = (isName ? `https://${host}` : text).replace(/\/gms\/application\/?$/, '')
  return isApiAddress(address) ? new URL(address).origin + apiPath : undefined
}
