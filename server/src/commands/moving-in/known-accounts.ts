import { accountNameField } from '../../features/accounts/connections/account-name.ts'
import { findNetwork } from '../../networks/index.ts'
import { WrongUse } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import type { DevicePlace } from './source-device.ts'

/** One of the organization's own accounts at networks, without its secrets. */
export interface KnownAccount {
  network: string
  /** Undefined for the first one at its network. */
  name: string | undefined
  fields: Record<string, string>
}

interface ListedAccount {
  network: string
  register_method: string
  /** Of accounts beyond the first. */
  account_name?: string | null
  account: Record<string, string> | null
}

export async function readAccounts(service: ServiceApi): Promise<KnownAccount[]> {
  const { data }: { data: ListedAccount[] } = await service.call('GET', '/network-accounts')
  return data.flatMap(({ network, register_method, account_name, account: fields }) =>
    fields && register_method === 'user_account'
      ? { network, name: account_name || undefined, fields }
      : [],
  )
}

/** Of a place without `accountName`, the first account at its network. */
export function findAccount(
  accounts: readonly KnownAccount[],
  { network = '', accountName }: DevicePlace,
): KnownAccount | undefined {
  const key = findNetwork(network)?.key ?? network
  return accounts.find((each) => each.network === key && each.name === accountName)
}

/** The fields of the account. @throws WrongUse where there is none. */
export async function readAccount(
  service: ServiceApi,
  place: DevicePlace,
): Promise<Record<string, string>> {
  const account = findAccount(await readAccounts(service), place)
  if (account) return account.fields
  throw new WrongUse(
    `${noAccountAt(place)}: connect one, or name the source by its options, and connect by --connect.`,
  )
}

export function noAccountAt({ network = '', accountName }: DevicePlace): string {
  const named = accountName === undefined ? '' : ` "${accountName}"`
  return `The organization has no account${named} at ${network}`
}

/** The name of `--account`. @throws WrongUse */
export function readAccountName(
  word: string | undefined,
  isVendor: boolean | undefined,
): { accountName?: string } {
  if (!word) return {}
  if (isVendor) throw new WrongUse('--account is for accounts of the organization, not --vendor.')
  const { data, error } = accountNameField.safeParse(word)
  if (data === undefined) throw new WrongUse(`--account: ${error?.issues[0]?.message}`)
  return { accountName: data }
}

/** Requests to the reconciliation of the account that a place names. */
export function reconciliationOf({ network = '', accountName }: DevicePlace) {
  const path = `/network-accounts/${encodeURIComponent(network)}/reconcile`
  const named = accountName === undefined ? {} : { account_name: accountName }
  return {
    path,
    named,
    pagePath: (page: number) => `${path}?${new URLSearchParams({ ...named, page: `${page}` })}`,
  }
}
