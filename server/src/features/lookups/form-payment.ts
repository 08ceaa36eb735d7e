import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { readPayment } from '../devices/registration-payment.ts'

/** `payment` of a registration form (service.md, "GET /configurations/"). */
export const formPayment = z
  .object({
    eligible: z.boolean(),
    subscriptions: z.boolean(),
    isOnTrial: z.union([z.string(), z.literal(false)]),
    isDemoAccount: z.boolean(),
    remainingDevices: z.int(),
  })
  .meta({ id: 'FormPayment' })

export async function readFormPayment(
  { db }: { db: Queryable },
  organizationId: number,
  now: Date,
): Promise<z.infer<typeof formPayment>> {
  const payment = await readPayment(db, organizationId, now)
  const rows = await db.query<{ remaining: number }>(
    'select greatest(device_limit - device_count, 0) as remaining from organizations where id = $1',
    [organizationId],
  )
  return {
    eligible: payment.plan !== false,
    subscriptions: payment.subscribed,
    isOnTrial: payment.isOnTrial,
    isDemoAccount: payment.isDemoAccount === 1,
    remainingDevices: rows[0]?.remaining ?? 0,
  }
}
