import type { Database, Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { DownlinkRequest } from '../../networks/network-message.ts'
import type { NamingAccount } from '../fleet/inventory/named-device-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { expiryReason, isExpired } from './expiry.ts'
import { advance, noteHandOver } from './ledger.ts'
import { lockFreeQueue } from './queue-queries.ts'
import { type AskedDevice, findAskedDevice, findByQueueItem } from './report-queries.ts'

/**
 * Answers a network that keeps no queue and requests a device's next downlink. Returns undefined if
 * no waiting downlink fits. A repeated request for the same slot gets the same downlink again.
 */
export async function answerDownlinkRequest(
  { db, now }: { db: Database; now(): Date },
  account: NamingAccount,
  request: DownlinkRequest,
): Promise<Record<string, unknown> | undefined> {
  const device = await findAskedDevice(db, account, normalizeEui(request.devEui))
  if (!device) return undefined
  return db.transaction(async (tx) => {
    // The queue is claimed, for example by a cancel. The network requests again for the next slot.
    if (!(await lockFreeQueue(tx, { ...device, network: account.network }, now()))) return undefined
    const given = await give(tx, device, request, now())
    if (!given) return undefined
    const waiting = await downlinkQueries.listWaiting(tx, device.organization_id, device.device_id)
    const isMore = waiting.some(({ state, id }) => state === 'queued' && id !== given.id)
    const downlink = { fPort: given.f_port, payload: given.payload, confirmed: given.is_confirmed }
    return request.answer(downlink, isMore)
  })
}

async function give(
  tx: Queryable,
  { organization_id, device_id }: AskedDevice,
  { queueItemId, maximumLength }: DownlinkRequest,
  now: Date,
): Promise<downlinkQueries.StoredDownlink | undefined> {
  const given = await findByQueueItem(tx, organization_id, device_id, queueItemId)
  if (given) return given.state === 'handed_over' ? given : undefined
  const waiting = await downlinkQueries.listWaiting(tx, organization_id, device_id)
  const queued = waiting.filter(({ state }) => state === 'queued')
  for (const downlink of queued.filter((each) => isExpired(each, now))) {
    await advance(tx, downlink, 'expired', expiryReason)
  }
  const head = queued.find((each) => !isExpired(each, now))
  if (!head || head.payload.length > maximumLength) return undefined
  return (await noteHandOver(tx, head, queueItemId)) ? head : undefined
}
