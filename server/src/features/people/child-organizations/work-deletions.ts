import type { Database, Queryable } from '../../../db/connect.ts'
import { restAfter } from '../../../db/rest-after.ts'
import { deleteUplinks } from '../../../uplinks/store/retention-queries.ts'
import { removeAccountWithin } from '../../accounts/network-accounts/account-values.ts'
import { withdrawNow } from '../../accounts/network-accounts/callback-withdrawal.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { removeDevices } from '../../fleet/devices/device-writes.ts'
import { removeGateways } from '../../fleet/gateways/gateway-writes.ts'
import { lockRemaining } from '../../fleet/inventory/quota-queries.ts'
import * as queries from './deletion-queries.ts'
import * as doomed from './doomed-queries.ts'
import { deleteRows, listFilled, listTables, type StoredTable } from './table-queries.ts'

/** Devices, gateways or rows of one transaction, and organizations that have hardly any. */
const portionSize = 500
const mostOrganizations = 20
/** Milliseconds after which the work stops until the next run. */
const usualTime = 3000
/** How long networks are told, in milliseconds. What they have not heard by then stays there. */
const patience = 3600_000
/** Sessions at brokers that end at one time: the service keeps 20 of a tenant. */
const mostSessions = 10
const keptMilliseconds = 30 * 24 * 3600_000

/**
 * Goes on with the deletions of organizations, in turn and in portions. Each portion is one transaction,
 * which notes what is next: after a crash another process goes on there. After each it waits for as long
 * as that took, so that at least half of the time is left to others.
 */
export async function workDeletions(
  services: ProvisioningServices,
  { time = usualTime }: { time?: number } = {},
): Promise<void> {
  const { db, now, log } = services
  const end = performance.now() + time
  let open = await queries.listOpen(db)
  const all = open
  while (open.length > 0 && performance.now() < end) {
    const left: number[] = []
    for (const id of open) {
      const begun = performance.now()
      const mayHaveMore = await workPortion(services, id).catch((err) => {
        log.warn({ err, deletion: id }, 'the deletion of an organization does not go on')
        return false
      })
      if (mayHaveMore) left.push(id)
      await restAfter(begun)
    }
    open = left
  }
  for (const id of all) await queries.noteLeft(db, id)
  await queries.removeOld(db, new Date(now().getTime() - keptMilliseconds))
}

/** Does the next portion of a deletion. Returns whether there may be more to do at once. */
async function workPortion(services: ProvisioningServices, id: number): Promise<boolean> {
  const { db, now } = services
  const after: (() => Promise<void>)[] = []
  const mayHaveMore = await db.transaction(async (tx) => {
    const deletion = await queries.lock(tx, id, now())
    if (!deletion) return false
    const work = portions[deletion.state]
    return work(tx, services, deletion, (then) => after.push(then))
  })
  for (const then of after) await then()
  return mayHaveMore
}

type WorkPortion = (
  tx: Queryable,
  services: ProvisioningServices,
  deletion: queries.OpenDeletion,
  /** Adds what is to be done after the commit. */
  then: (work: () => Promise<void>) => void,
) => Promise<boolean>

const portions: Record<queries.DeletionState, WorkPortion> = {
  removing: remove,
  telling: waitForCalls,
  leaving: leaveAccounts,
  deleting: deleteStored,
  done: async () => false,
}

/** Deletes devices and gateways as a member does: the outbox has their networks told. */
async function remove(
  tx: Queryable,
  { now, provisioner }: ProvisioningServices,
  { id, place }: queries.OpenDeletion,
  then: (work: () => Promise<void>) => void,
): Promise<boolean> {
  let next = place
  for (let count = 0; count < mostOrganizations; count += 1) {
    const organizationId = await doomed.findNext(tx, id, next)
    if (organizationId === undefined) {
      const toldUntil = new Date(now().getTime() + patience)
      await queries.setState(tx, id, 'telling', { toldUntil })
      return true
    }
    next = organizationId
    if (await removeOf(tx, organizationId, now())) {
      then(async () => provisioner.wake())
      break
    }
    next += 1
  }
  await queries.setPlace(tx, id, next)
  return true
}

/** Returns whether the organization had any. */
async function removeOf(tx: Queryable, organizationId: number, now: Date): Promise<boolean> {
  await lockRemaining(tx, organizationId)
  const devices = await doomed.lockDevices(tx, organizationId, portionSize)
  await removeDevices(tx, organizationId, devices, now)
  if (devices.length > 0) return true
  const gateways = await doomed.lockGateways(tx, organizationId, portionSize)
  await removeGateways(tx, organizationId, gateways, now)
  return gateways.length > 0
}

async function waitForCalls(
  tx: Queryable,
  _services: ProvisioningServices,
  { id, is_late: isLate }: queries.OpenDeletion,
): Promise<boolean> {
  const calls = await doomed.countCalls(tx, id)
  if (calls > 0 && !isLate) return false
  await doomed.addLeft(tx, id, calls)
  await queries.setState(tx, id, 'leaving')
  return true
}

/** Removes accounts, one at a time: their callbacks and sessions are taken from the networks. */
async function leaveAccounts(
  tx: Queryable,
  services: ProvisioningServices,
  { id, is_late: isLate }: queries.OpenDeletion,
  then: (work: () => Promise<void>) => void,
): Promise<boolean> {
  const { callbacks, sessions } = await doomed.countLeaving(tx, id)
  const account = await doomed.findAccount(tx, id)
  if (account) {
    if (sessions >= mostSessions && !isLate) return false
    await removeAccountWithin(tx, services, account)
    if (!isLate) then(() => withdrawNow(services, account.id))
    return true
  }
  if (callbacks + sessions > 0 && !isLate) return false
  await doomed.addLeft(tx, id, callbacks + sessions)
  await queries.setState(tx, id, 'deleting')
  return true
}

/** Deletes what is stored of one organization after the other, the lowest ones first. */
async function deleteStored(
  tx: Queryable,
  { now, db }: ProvisioningServices,
  { id }: queries.OpenDeletion,
): Promise<boolean> {
  let most = portionSize
  for (let count = 0; count < mostOrganizations; count += 1) {
    const lowest = await doomed.findLowest(tx, id)
    if (lowest.isOver) {
      await queries.setState(tx, id, 'done', { finishedAt: now() })
      return false
    }
    // Those below it are of another deletion, which is not over.
    if (lowest.id === undefined) return false
    if (await deleteUplinks(tx, lowest.id, most)) return true
    for (const table of await listFilled(tx, await tablesOf(db), lowest.id)) {
      most -= await deleteRows(tx, table, lowest.id, most)
      if (most <= 0) return true
    }
    if (!(await doomed.deleteOrganization(tx, lowest.id))) return true
  }
  return true
}

const known = new WeakMap<Database, Promise<StoredTable[]>>()

/** The tables of a database, which do not change while the service runs. */
function tablesOf(db: Database): Promise<StoredTable[]> {
  const found = known.get(db) ?? listTables(db)
  known.set(db, found)
  found.catch(() => known.delete(db))
  return found
}
