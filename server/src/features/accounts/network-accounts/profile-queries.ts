import type { Queryable } from '../../../db/connect.ts'

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
