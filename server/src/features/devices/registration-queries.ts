import type { Queryable } from '../../db/connect.ts'

export async function isEuiTaken(db: Queryable, eui: string): Promise<boolean> {
  const rows = await db.query('select id from devices where eui = $1 and deleted_at is null', [eui])
  return rows.length > 0
}

export async function setSealedKey(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  sealedKey: Buffer,
): Promise<void> {
  await tx.query('update devices set sealed_key = $3 where organization_id = $1 and id = $2', [
    organizationId,
    deviceId,
    sealedKey,
  ])
}
