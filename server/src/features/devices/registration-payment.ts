import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { longTime, type Moment, momentOf } from '../../http/timestamps.ts'

/** What a registration would cost (service.md, "POST /devices", step 1). */
export const paymentRecord = z
  .object({
    demoDevice: z.boolean(),
    isDemoAccount: z.union([z.literal(0), z.literal(1)]),
    plan: z.literal(false),
    subscribed: z.boolean(),
    isOnTrial: z.union([z.string(), z.literal(false)]),
  })
  .meta({ id: 'Payment' })

export async function readPayment(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<z.infer<typeof paymentRecord>> {
  const rows = await db.query<{ is_demo_account: boolean; trial_ends_at: Moment | null }>(
    'select is_demo_account, trial_ends_at::timestamptz from organizations where id = $1',
    [organizationId],
  )
  const { is_demo_account: isDemo = false, trial_ends_at: trialEnd = null } = rows[0] ?? {}
  return {
    demoDevice: isDemo,
    isDemoAccount: isDemo ? 1 : 0,
    plan: false,
    subscribed: false,
    isOnTrial: trialEnd !== null && trialEnd > momentOf(now) ? longTime(trialEnd) : false,
  }
}
