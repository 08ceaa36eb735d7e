import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { withExamples } from '../../http/examples.ts'
import { longTime, type Moment, momentOf } from '../../http/timestamps.ts'
import { remainingDevices } from '../inventory/quota-queries.ts'
import type { BillingProvider } from './billing-provider.ts'

/** How an organization stands with its payments, as far as registering devices goes. */
export interface PaymentStanding {
  isDemo: boolean
  /** Undefined when no trial is running. */
  trialEnd: Moment | undefined
  isSubscribed: boolean
  /** What is left of the quota. */
  remainingDevices: number
}

export async function readStanding(
  db: Queryable,
  billing: BillingProvider,
  organizationId: number,
  now: Date,
): Promise<PaymentStanding> {
  const rows = await db.query<{
    is_demo_account: boolean
    trial_ends_at: Moment | null
    remaining: number
  }>(
    `select is_demo_account, trial_ends_at::timestamptz as trial_ends_at,
       greatest(${remainingDevices}, 0) as remaining
     from organizations where id = $1`,
    [organizationId],
  )
  const trialEnd = rows[0]?.trial_ends_at ?? undefined
  return {
    isDemo: rows[0]?.is_demo_account ?? false,
    trialEnd: trialEnd !== undefined && trialEnd > momentOf(now) ? trialEnd : undefined,
    isSubscribed: await billing.isSubscribed(db, organizationId),
    remainingDevices: rows[0]?.remaining ?? 0,
  }
}

/** `isOnTrial` wherever the contract has it. */
export function trialWords({ trialEnd }: PaymentStanding): string | false {
  return trialEnd === undefined ? false : longTime(trialEnd)
}

/** Whether billing must be set up before a device is registered on the network. */
export function isPaymentDue(
  billing: BillingProvider,
  network: string,
  standing: PaymentStanding,
): boolean {
  if (standing.isDemo || standing.isSubscribed || standing.trialEnd !== undefined) return false
  return billing.offerFor(network) !== undefined
}

/** `payment` of a registration form (service.md, "GET /configurations/"). */
export const formPayment = z
  .object(
    withExamples(
      {
        eligible: z.boolean(),
        subscriptions: z.boolean(),
        isOnTrial: z.union([z.string(), z.literal(false)]),
        isDemoAccount: z.boolean(),
        remainingDevices: z.int(),
      },
      {
        eligible: false,
        subscriptions: false,
        isOnTrial: false,
        isDemoAccount: false,
        remainingDevices: 988,
      },
    ),
  )
  .meta({ id: 'FormPayment' })

/** `network` is a network key. */
export async function readFormPayment(
  { db, billing }: { db: Queryable; billing: BillingProvider },
  organizationId: number,
  network: string,
  now: Date,
): Promise<z.infer<typeof formPayment>> {
  const standing = await readStanding(db, billing, organizationId, now)
  return {
    eligible: billing.offerFor(network) !== undefined,
    subscriptions: standing.isSubscribed,
    isOnTrial: trialWords(standing),
    isDemoAccount: standing.isDemo,
    remainingDevices: standing.remainingDevices,
  }
}
