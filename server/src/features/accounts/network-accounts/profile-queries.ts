import type { Queryable } from '../../../db/connect.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'

/** The profiles of an account, by the id of a device type. Empty when the account is gone. */
export async function readProfiles(
  db: Queryable,
  organizationId: number,
  accountId: number,
): Promise<Record<string, string>> {
  const [account] = await db.query<{ device_profiles: Record<string, string> }>(
    'select device_profiles from network_accounts where organization_id = $1 and id = $2',
    [organizationId, accountId],
  )
  return account?.device_profiles ?? {}
}

/**
 * The profiles of the account by which a device goes to its network: the organization's own, or the
 * operator's. Undefined where there is none.
 */
export async function readProfilesAt(
  db: Queryable,
  organizationId: number,
  { network, method }: { network: string; method: RegisterMethod },
): Promise<Record<string, string> | undefined> {
  const [account] = await db.query<{ device_profiles: Record<string, string> }>(
    `select device_profiles from network_accounts
     where network = $2 and register_method = $3
       and (organization_id = $1 or register_method = 'vendor')`,
    [organizationId, network, method],
  )
  return account?.device_profiles
}

export async function setProfiles(
  db: Queryable,
  organizationId: number,
  accountId: number,
  profiles: Readonly<Record<string, string>>,
): Promise<void> {
  await db.query(
    `update network_accounts set device_profiles = $3
     where organization_id = $1 and id = $2`,
    [organizationId, accountId, JSON.stringify(profiles)],
  )
}
