import { findNetwork, optionalNetworks } from '../../../networks/index.ts'
import type { AccountValues } from '../../../networks/network.ts'
import { operatorOrganization } from '../connections/account-name.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { type ConnectionServices, openValues } from '../connections/connections.ts'
import { checkAtNetwork, readValues, saveAccount } from './account-values.ts'

/** An account of the operator, for organizations without an account of their own. */
interface VendorAccount {
  network: string
  values: AccountValues
}

/** Reads accounts by network from JSON; each mistake reads on after the setting's name. */
export function readVendorAccounts(
  text: string,
): { accounts: VendorAccount[] } | { mistakes: string[] } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { mistakes: ['is not valid JSON.'] }
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { mistakes: ['must be an object of accounts by network.'] }
  }
  const accounts: VendorAccount[] = []
  const mistakes: string[] = []
  for (const [name, sent] of Object.entries(json)) {
    const network = findNetwork(name) ?? optionalNetworks.find(({ key }) => key === name)
    if (!network || typeof sent !== 'object' || sent === null) {
      mistakes.push(`names ${name}, which is no network that has accounts.`)
      continue
    }
    const { values, errors } = readValues(network, sent as Record<string, unknown>, {})
    accounts.push({ network: network.key, values })
    mistakes.push(...Object.values(errors).map(([words]) => `is wrong at ${network.key}: ${words}`))
  }
  return mistakes.length > 0 ? { mistakes } : { accounts }
}

/**
 * Sets the operator's accounts from the settings; accounts at other networks stay. An unchanged
 * account keeps its connection, without a call to its network.
 */
export async function applyVendorAccounts(
  services: ConnectionServices,
  accounts: readonly VendorAccount[],
): Promise<void> {
  const { db, sealer, log } = services
  for (const { network: key, values } of accounts) {
    const network = findNetwork(key)
    if (!network) continue
    const known = await accountQueries.find(db, operatorOrganization, key, 'vendor')
    if (known && isSame(openValues(known, sealer), values)) continue
    const target = {
      organizationId: operatorOrganization,
      network: key,
      registerMethod: 'vendor',
    } as const
    const accountId = await saveAccount(services, target, network, values)
    log.info({ network: key }, 'vendor account set from the settings')
    await checkAtNetwork(services, accountId)
  }
}

function isSame(one: AccountValues, other: AccountValues): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}
