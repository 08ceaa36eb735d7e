import type { CoreServices } from '../../core-services.ts'
import type { DownlinkServices } from '../../downlinks/downlink-services.ts'
import { createTenantTurns, type TenantTurns } from '../../fleet/jobs/tenant-turns.ts'
import { announce } from '../events/announce.ts'
import { act } from './act.ts'
import type { AlertMessages } from './alert-messages.ts'
import { writeDigests } from './digests.ts'
import { lookAtStates } from './look-at-states.ts'
import { passQuiet } from './pass-quiet.ts'
import { mostUplinks, readNews } from './read-news.ts'
import { store } from './reading-queries.ts'
import type { StoredRule } from './rule-queries.ts'
import * as ruleQueries from './rule-queries.ts'
import { tellChannels } from './tell-channels.ts'
import { tellNews } from './telling-queries.ts'
import {
  type ClaimedWatch,
  ClaimLost,
  claim,
  listDue,
  noteTold,
  release,
  settle,
  whileClaimed,
} from './watch-queries.ts'

type Services = Pick<CoreServices, 'db' | 'now' | 'presence' | 'publicUrl'>

/** Between two looks at the states of things. */
const lookMilliseconds = 60_000
/** Where no rule is left; a new one makes the next look at once. */
const idleMilliseconds = 24 * 60 * 60 * 1000
/** Portions of uplinks in one turn of an organization. */
const mostPortions = 20

/** What a turn came to. */
interface Turn {
  changes: number
  /** That were written: of digests, and of channels. */
  messages: number
  /** That wait to be handed over. */
  downlinks: number
}

/** Does what is to be done now for the rules of one organization. Holds no connection in between. */
async function watchOrganization(services: Services, organizationId: number): Promise<Turn> {
  const { db, now, presence } = services
  const turn: Turn = { changes: 0, messages: 0, downlinks: 0 }
  const watch = await claim(db, organizationId, { now: now(), presence })
  if (!watch) return turn
  try {
    const rules = await ruleQueries.listActive(db, organizationId)
    await tell(services, watch, turn)
    await readUplinks(services, watch, rules, turn)
    await settle(db, watch, await look(services, watch, rules, turn))
  } catch (error) {
    if (error instanceof ClaimLost) return turn
    await release(db, watch).catch(() => undefined)
    throw error
  }
  return turn
}

/** Writes the messages of channels, when what was found has gathered, and with each look. */
async function tell({ db, now, publicUrl }: Services, watch: ClaimedWatch, turn: Turn) {
  const at = now()
  const times = [watch.next_look_at, watch.next_tell_at].flatMap((time) => time ?? [])
  if (times.every((time) => Date.parse(time) > at.getTime())) return
  await whileClaimed(db, watch, watch.uplink_ordinal, async (tx) => {
    await noteTold(tx, watch)
    turn.messages += await tellChannels(tx, watch.organization_id, { now: at, publicUrl })
  })
}

/** Goes through the uplinks behind the cursor, a portion in each transaction. */
async function readUplinks(
  { db, now }: Services,
  watch: ClaimedWatch,
  rules: readonly StoredRule[],
  turn: Turn,
): Promise<void> {
  const { organization_id: organizationId, uplink_count: end } = watch
  if (!watch.reads_uplinks) return
  for (let portion = 0; portion < mostPortions && watch.uplink_ordinal < end; portion += 1) {
    const upTo = Math.min(end, watch.uplink_ordinal + mostUplinks)
    const at = now()
    const range = { after: watch.uplink_ordinal, upTo, now: at }
    const { moved, ended } = await readNews(db, organizationId, rules, range)
    await whileClaimed(db, watch, upTo, async (tx) => {
      if (moved.length + ended.length === 0) return
      await store(tx, organizationId, { moved, ended, now: at })
      turn.downlinks += await act(tx, organizationId, rules, at)
      while (await tellNews(tx, organizationId, at)) {}
    })
    watch.uplink_ordinal = upTo
    turn.changes += moved.length
  }
}

/**
 * Looks at the states of things if it is time, and writes the digests that are due. Returns when the
 * next look is.
 */
async function look(
  { db, now, publicUrl }: Services,
  watch: ClaimedWatch,
  rules: readonly StoredRule[],
  turn: Turn,
): Promise<Date> {
  const at = now()
  if (Date.parse(watch.next_look_at) > at.getTime()) return new Date(watch.next_look_at)
  const { organization_id: organizationId } = watch
  const hasMore = await whileClaimed(db, watch, watch.uplink_ordinal, async (tx) => {
    const found = await lookAtStates(tx, organizationId, rules, at)
    turn.downlinks += await act(tx, organizationId, rules, at)
    const hasUntold = await tellNews(tx, organizationId, at)
    turn.changes += found.changes
    turn.messages += await writeDigests(tx, organizationId, { now: at, publicUrl })
    return found.hasMore || hasUntold
  })
  if (hasMore) return at
  return new Date(at.getTime() + (rules.length === 0 ? idleMilliseconds : lookMilliseconds))
}

export interface AlertServices extends CoreServices {
  /** Looks after the rules of all organizations in the background. */
  alertWatcher: TenantTurns
  alertMessages: AlertMessages
}

export type WatchServices = Pick<
  CoreServices,
  'db' | 'now' | 'log' | 'presence' | 'signals' | 'publicUrl'
>

/** Organizations at once in this process: they share the database with the requests. */
const parallelism = 3
/** A turn takes less than the list of all that are due. */
const freshMilliseconds = 1000

/**
 * Tenants take turns, with one organization of each at a time: a million uplinks
 * of one never hold up the alerts of another.
 */
export function createAlertWatcher(
  services: WatchServices,
  messages: Pick<AlertMessages, 'wake'>,
  downlinks: Pick<DownlinkServices['downlinkSender'], 'wake'>,
): TenantTurns {
  // The claim ends by itself, and the next look does it again.
  const reportFailure = (err: unknown) =>
    services.log.warn({ err }, 'the alerts of an organization could not be looked after')
  return createTenantTurns({
    list: async () => {
      await passQuiet(services.db, services.now()).catch(reportFailure)
      return listDue(services.db, services.now())
    },
    keyOf: ({ tenant_id }) => tenant_id,
    parallelism,
    freshFor: freshMilliseconds,
    mayBegin: () => true,
    async work({ organization_id: organizationId }) {
      const turn = await watchOrganization(services, organizationId)
      if (turn.changes > 0) announce(services, organizationId, { kind: 'alert' })
      if (turn.messages > 0) messages.wake()
      if (turn.downlinks > 0) downlinks.wake()
      return true
    },
    reportFailure,
  })
}
