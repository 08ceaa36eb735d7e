import type { Database, Queryable } from '../../db/connect.ts'
import { formFor } from '../../db/distribution/form-for.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import { isSame, storedAs } from './key-queries.ts'
import { findStoredMessages } from './stored-message-queries.ts'

/** The amount above the limit, and the organization with the most bytes in its tenant. */
export interface Excess {
  organization_id: number
  /** 0 or less when only the bytes exceed the limit. */
  messages: number
  bytes: number
}

/**
 * Returns the tenants with more in their quarantines than allowed, among the tenants of these
 * organizations, or among all.
 */
export function findOverfull(
  db: Queryable,
  most: { messages: number; bytes: number },
  organizationIds: readonly number[] | undefined,
): Promise<Excess[]> {
  return db.query<Excess>(
    // Apart, since the counters may be on other machines (docs/scaling.md).
    `with owned as materialized (
       select id, tenant_id from organizations
       where tenant_id in (
         select asked.tenant_id from organizations as asked
         where $1::bigint[] is null or asked.id = any($1)
       )
     ), filled as materialized (
       select organization_id, quarantine_count, quarantine_bytes from organization_counters
       where organization_id in (select id from owned)
     )
     select (array_agg(filled.organization_id
         order by filled.quarantine_bytes desc, filled.organization_id))[1] as organization_id,
       sum(filled.quarantine_count)::bigint - $2 as messages,
       sum(filled.quarantine_bytes)::bigint - $3 as bytes
     from owned
     join filled on filled.organization_id = owned.id
     group by owned.tenant_id
     having sum(filled.quarantine_count) > $2 or sum(filled.quarantine_bytes) > $3`,
    [organizationIds ?? null, most.messages, most.bytes],
  )
}

/**
 * `unknown_device`: the device is not registered. `not_storable`: no row can hold the values of the
 * message.
 */
export type QuarantineReason = 'unknown_device' | 'not_storable'

export interface QuarantinedMessage {
  organization_id: number
  network_account_id: number
  reason: QuarantineReason
  detail: string
  device_eui: string
  deduplication_key: string
  message: Buffer
  /** For an unknown device, the text of `writeUplink`: JSON, so every character is storable. */
  uplink: string | undefined
}

/**
 * Stores and counts each message once, even if it is sent again. Returns the number of new
 * messages. It locks the counters in the same order as all other writers. The messages travel as
 * bytes, one after the other: as hexadecimal in JSON they kept both sides busy for longer than all
 * other work.
 */
export async function quarantine(
  db: Queryable,
  messages: readonly QuarantinedMessage[],
): Promise<number> {
  let end = 1
  const starts = messages.map(({ message: { length } }) => {
    end += length
    return end - length
  })
  const [kept] = await db.query<{ count: number }>(await formFor(db, keeping), [
    Buffer.concat(messages.map(({ message }) => message)),
    numberArray(starts),
    numberArray(messages.map(({ message }) => message.length)),
    numberArray(messages.map((message) => message.organization_id)),
    numberArray(messages.map((message) => message.network_account_id)),
    textArray(messages.map((message) => message.reason)),
    textArray(messages.map((message) => message.detail)),
    textArray(messages.map((message) => message.device_eui)),
    textArray(messages.map((message) => message.deduplication_key)),
    textArray(messages.map((message) => message.uplink)),
  ])
  return kept?.count ?? 0
}

/** The counted bytes of a quarantined message. */
const bytesOfRow = 'octet_length(message) + coalesce(octet_length(uplink), 0)'

/**
 * Returns a statement that removes the messages whose organizations and ids `which` selects, updates
 * the counters, and returns the number of removed messages (`count`). `which` runs once, and its ids
 * are looked up one by one: where statistics count no row, because they were made while many were
 * being inserted, the planner would run a subquery for each message again (17,000 messages: over
 * 30 s), or compare each message with each chosen one (2 s).
 */
function removal(which: string) {
  return lockingForms(`with chosen (organization_id, id) as materialized (${which}),
     gone as (
       delete from quarantined_messages as messages
       where messages.organization_id = any(array(select distinct organization_id from chosen))
         and messages.id = any(array(select id from chosen))
       returning messages.organization_id, ${bytesOfRow} as bytes
     ),
     ${counting('gone', '-')}
     select count(*) from gone`)
}

/**
 * Returns SQL that adds the messages of an earlier part of the statement to the counters, or
 * subtracts them. All writers lock the counters in the same order.
 */
function counting(part: 'kept' | 'gone', sign: '+' | '-', organizations?: string): string {
  // For Citus, which asks only their machines.
  const within = organizations
    ? `and organization_counters.organization_id = any(${organizations}::bigint[])`
    : ''
  return `locked as (
       select organization_id
       from organization_counters
       where organization_id in (select organization_id from ${part}) ${within}
       order by organization_id
       for update
     ), counts as (
       select ${part}.organization_id, count(*) as messages, sum(${part}.bytes) as bytes
       from ${part}
       join locked on locked.organization_id = ${part}.organization_id
       group by ${part}.organization_id
     ), counted as (
       update organization_counters
       set quarantine_count = organization_counters.quarantine_count ${sign} counts.messages,
         quarantine_bytes = organization_counters.quarantine_bytes ${sign} counts.bytes
       from counts
       where organization_counters.organization_id = counts.organization_id ${within}
     )`
}

/**
 * Citus has no locks of rows on several machines at once. Writers who wait for each other are then
 * found by the server, and one is repeated.
 */
function lockingForms(statement: string) {
  return { whole: statement, spread: statement.replace(/\n\s*for update\n/, '\n') }
}

const keeping = lockingForms(
  `with kept as (
       insert into quarantined_messages (
         organization_id, network_account_id, reason, detail, device_eui, deduplication_key, message,
         uplink
       )
       select organization_id, network_account_id, reason, detail, device_eui, deduplication_key,
         substring($1::bytea from start for length), uplink
       from unnest(
         $2::integer[], $3::integer[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
         $8::text[], $9::text[], $10::text[]
       ) as incoming (
         start, length, organization_id, network_account_id, reason, detail, device_eui,
         deduplication_key, uplink
       )
       order by network_account_id, device_eui, deduplication_key
       on conflict do nothing
       returning organization_id, ${bytesOfRow} as bytes
     ),
     ${counting('kept', '+', '$4')}
     select count(*) from kept`,
)

const removalOfOld = removal(
  `select organization_id, id from quarantined_messages
   where received_at < $1 order by received_at limit $2`,
)

/** The most rows of one statement, so that none holds its locks for long. */
const mostRemoved = 5000

const removalOfOldest = removal(
  `select $1::bigint, id
   from (
     select id, row_number() over oldest as number, sum(bytes) over oldest - bytes as before
     from (
       select id, ${bytesOfRow} as bytes
       from quarantined_messages
       where organization_id = $1 and not is_released
       order by id
       limit ${mostRemoved}
     ) as first_ones
     window oldest as (order by id)
   ) as numbered
   where number <= $2 or before < $3`,
)

const removalOfStored = removal(
  `select kept.organization_id, kept.id
   from quarantined_messages as kept
   join network_accounts as accounts on accounts.id = kept.network_account_id
   cross join lateral (
     select devices.id, devices.organization_id from devices
     where accounts.register_method <> 'vendor'
       and devices.organization_id = accounts.organization_id and devices.eui = kept.device_eui
       and devices.network = accounts.network and devices.deleted_at is null
     union all
     select devices.id, devices.organization_id from devices
     where accounts.register_method = 'vendor' and devices.register_method = 'vendor'
       and devices.network = accounts.network and devices.eui = kept.device_eui
       and devices.deleted_at is null
   ) as devices
   cross join lateral (
     select devices.organization_id, devices.id as device_id, kept.deduplication_key as key,
       (kept.uplink::json ->> 'receivedAt')::timestamptz as time,
       kept.uplink::json ->> 'isDatedHere' is not null as is_dated_here
   ) as incoming
   cross join lateral ${storedAs}
   where (kept.organization_id, kept.id) in (select * from unnest($1::bigint[], $2::bigint[]))
     and ${isSame}`,
)

const removalOfChosen = removal(`select * from unnest($1::bigint[], $2::bigint[])`)

const removalOfEui = removal(
  `select organization_id, id from quarantined_messages
   where organization_id = $1 and network_account_id = $2 and device_eui = $3
   order by id limit ${mostRemoved}`,
)

/** Removes the messages of an EUI. One call may not remove all of them. */
export function removeEui(
  db: Queryable,
  organizationId: number,
  accountId: number,
  eui: string,
): Promise<number> {
  return remove(db, removalOfEui, [organizationId, accountId, eui])
}

/**
 * Removes at most `limit` messages that were received before `before`. Returns how many it removed.
 */
export function removeOld(db: Queryable, before: Date, limit: number): Promise<number> {
  return remove(db, removalOfOld, [before, limit])
}

/**
 * Removes the oldest messages of an organization until the given number and bytes are removed. One
 * call may not remove all of them.
 */
export function removeOldest(db: Queryable, { organization_id, messages, bytes }: Excess) {
  return remove(db, removalOfOldest, [organization_id, messages, bytes])
}

interface MessageKey {
  organization_id: number
  id: number
}

/** Removes messages that are stored as uplinks of a device now. */
export async function removeStored(
  tx: Queryable,
  messages: readonly MessageKey[],
): Promise<number> {
  const removeThese = (forms: typeof removalOfStored, chosen: readonly MessageKey[]) =>
    remove(tx, forms, [
      chosen.map(({ organization_id }) => organization_id),
      chosen.map(({ id }) => id),
    ])
  const removing = await formFor(tx, {
    whole: () => removeThese(removalOfStored, messages),
    spread: async () => removeThese(removalOfChosen, await findStoredMessages(tx, messages)),
  })
  return removing()
}

async function remove(
  db: Queryable,
  forms: ReturnType<typeof removal>,
  values: readonly unknown[],
): Promise<number> {
  const [removed] = await db.query<{ count: number }>(await formFor(db, forms), values)
  return removed?.count ?? 0
}

/**
 * Runs a statement that counts in one of its parts. Citus locks the shards of such a statement, and the
 * rows only then: it would wait for a writer that has the counter and waits for the shard. So on Citus
 * the counters are locked before.
 */
export async function afterCounters<T>(
  db: Queryable | Database,
  organizationIds: readonly number[],
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const lockAndWork = async (tx: Queryable) => {
    for (const id of organizationIds.toSorted((one, other) => one - other)) {
      await tx.query(
        'select organization_id from organization_counters where organization_id = $1 for update',
        [id],
      )
    }
    return work(tx)
  }
  const run = await formFor(db, {
    whole: () => work(db),
    spread: () => ('transaction' in db ? db.transaction(lockAndWork) : lockAndWork(db)),
  })
  return run()
}
