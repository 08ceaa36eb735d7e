import { isApiAddress, isHostName } from '../account-fields.ts'
import type { AccountValues } from '../network.ts'

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

/** Takes values without faults. */
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

/** Takes the name of an instance, a host, an address, or the API's address as Wanesy shows it. */
export function toBase(text: string): string | undefined {
  const isName = isHostName(text)
  const host = isName && !text.includes('.') ? `${text}.wanesy.com` : text
  const address = (isName ? `https://${host}` : text).replace(/\/gms\/application\/?$/, '')
  return isApiAddress(address) ? new URL(address).origin + apiPath : undefined
}
