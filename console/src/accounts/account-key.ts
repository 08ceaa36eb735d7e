import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'

type Account = Schemas['FleetNetwork']['accounts'][number]

/**
 * Names an account of a network in the console: `user_account` is the organization's first one,
 * `user_account:north` one that has a name, `vendor` the operator's.
 */
export type AccountKey = 'vendor' | 'user_account' | `user_account:${string}`

type Named = Pick<Account, 'account_name'> & { register_method: string }

export function keyOfAccount({ register_method: method, account_name: name }: Named): AccountKey {
  if (method === 'vendor') return 'vendor'
  return name ? `user_account:${name}` : 'user_account'
}

/** The key of an address of the console; undefined if it is none. */
export function readAccountKey(text: string): AccountKey | undefined {
  return /^(vendor|user_account(:[a-z0-9][a-z0-9-]{0,31})?)$/.test(text)
    ? (text as AccountKey)
    : undefined
}

function partsOf(key: AccountKey) {
  const [, name] = key.split(':')
  return { method: key === 'vendor' ? ('vendor' as const) : ('user_account' as const), name }
}

/** As queries and most bodies of the API name it. */
export function accountInQuery(key: AccountKey) {
  const { method, name } = partsOf(key)
  return { register_method: method, ...(name !== undefined && { account_name: name }) }
}

/** As bodies that register or move devices name it. */
export function accountInBody(key: AccountKey) {
  const { method, name } = partsOf(key)
  return { registerMethod: method, ...(name !== undefined && { accountName: name }) }
}

export function labelOfAccount(key: AccountKey): string {
  if (key === 'vendor') return t("Operator's account")
  return partsOf(key).name ?? t('Own account')
}

/** The accounts by which something can be registered, as choices. */
export function accountChoices(accounts: readonly Named[]) {
  return accounts.map((account) => {
    const value = keyOfAccount(account)
    return { value, label: labelOfAccount(value) }
  })
}

/** The account of a choice, or else the first one that there is. */
export function chosenAccount(accounts: readonly Named[], wanted: AccountKey | null): AccountKey {
  const keys = accounts.map(keyOfAccount)
  const [first = 'user_account'] = keys
  return wanted !== null && keys.includes(wanted) ? wanted : first
}
