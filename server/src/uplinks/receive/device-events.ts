import type { Database } from '../../db/connect.ts'
import { doTogether } from '../../db/together.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { scheduleChecks } from '../../features/downlinks/check-queries.ts'
import { isQueueChecked } from '../../features/downlinks/queue-checks.ts'
import { type EventSubject, type NetworkEvent, storeEvents } from './message-queries.ts'

/**
 * Stores an event of a device once; undefined when the account may not name such a device. The events
 * of an account that come during a transaction go together into its next one: after an outage of a
 * network, all of its devices join within a minute.
 */
export type StoreDeviceEvent = (
  account: SendingAccount,
  event: NetworkEvent,
) => Promise<EventSubject | undefined>

interface Item {
  account: SendingAccount
  event: NetworkEvent
}

export function createDeviceEvents(db: Database): StoreDeviceEvent {
  const store = doTogether<Item, EventSubject | undefined>(
    (items) => storeAll(db, items),
    ({ account }) => account.id,
  )
  return (account, event) => store({ account, event })
}

/**
 * Stores events of one account. A join also schedules a check of the queue, because the network may
 * have dropped the waiting downlinks.
 */
async function storeAll(
  db: Database,
  items: readonly Item[],
): Promise<(EventSubject | undefined)[]> {
  const [first] = items
  if (!first) return []
  const { account } = first
  const events = items.map(({ event }) => event)
  const areChecked = isQueueChecked(account.network)
  if (!areChecked || !events.some(isJoin)) return storeEvents(db, account, events)
  return db.transaction(async (tx) => {
    const subjects = await storeEvents(tx, account, events)
    const joined = subjects.flatMap((subject, at) =>
      subject?.is_new && events[at] && isJoin(events[at]) ? [subject] : [],
    )
    if (joined.length > 0) {
      const ids = new Set(joined.map(({ device_id }) => device_id))
      const organizations = new Set(joined.map(({ organization_id }) => organization_id))
      await scheduleChecks(tx, [...ids], 'join', [...organizations])
    }
    return subjects
  })
}

function isJoin({ kind }: NetworkEvent): boolean {
  return kind === 'join'
}
