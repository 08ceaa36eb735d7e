import type { Database } from '../../db/connect.ts'
import type { Signals } from '../../db/signals.ts'
import { isBrokerAwaited } from './subscription-queries.ts'

/** Told when an account names another broker, or is free to be followed. */
export const brokersTopic = 'brokers'

/** Told when something is known of the broker of an account. */
export function brokerTopic(accountId: number): string {
  return `broker ${accountId}`
}

/** How long a request waits for a broker, in milliseconds. */
const patience = 5_000

/** Waits until the account's broker is followed, or why it is not is known; not longer than that. */
export async function awaitBroker(
  { db, signals }: { db: Database; signals: Signals },
  accountId: number,
): Promise<void> {
  const look = async () => ((await isBrokerAwaited(db, accountId)) ? undefined : true)
  await signals.waitFor(brokerTopic(accountId), look, patience)
}
