import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '../server/src/db/connect.ts'
import { runCommand } from '../server/test/command.ts'
import { databaseUrl } from '../server/test/server.ts'
import { countWrong, readStored } from '../server/test/stored-uplinks.ts'
import { readSubject } from './clients.ts'
import type { Facts, ReceivedEvent, StoredDevice, StoredDownlink, StoredUplink } from './facts.ts'
import type { Entry } from './history.ts'
import type { Recorder } from './requests.ts'
import type { World } from './world.ts'

/** Everything that was accepted is done within this many milliseconds after the last fault. */
const finishLimit = 180_000

/** Waits until nothing waits any more, and reads what there is. */
export async function collectFacts(
  world: World,
  {
    recorder,
    silence,
    tell,
  }: { recorder: Recorder; silence(): Promise<void>; tell(text: string): void },
): Promise<Facts> {
  const db = connect(world.database.url)
  try {
    tell('waiting until everything that was accepted is done')
    const waiting = await untilFinished(db)
    tell('reading everything once more')
    await readAll(world, recorder)
    await silence()
    // What came meanwhile is done, too.
    const unfinished = waiting.length > 0 ? waiting : await untilFinished(db)
    const ends = await Promise.all(world.processes.map((each) => each.stop()))
    ends.forEach((end, process) => {
      if (end?.code !== 0) unfinished.push(`process ${process} ends with ${JSON.stringify(end)}`)
    })
    const { quarantined } = await readStored(db)
    const facts = {
      ...{ entries: recorder.entries, episodes: recorder.episodes, unfinished, quarantined },
      uplinks: await readUplinks(db),
      wrongCounters: await countWrong(db),
      devices: await readDevices(db),
      downlinks: await readDownlinks(db),
      atNetworks: readNetworks(world),
      received: readReceived(world),
    }
    tell('backing up, restoring, and comparing')
    return { ...facts, restoreDifferences: await restoreElsewhere(world, db) }
  } finally {
    await db.close()
  }
}

/**
 * Returns what still waits at the limit. Nothing waits when two looks, a second apart, find no work and
 * as many uplinks: one that the network sent late has work of its own.
 */
async function untilFinished(db: Database): Promise<string[]> {
  const deadline = performance.now() + finishLimit
  let before: number | undefined
  for (;;) {
    const [now] = await db.query<{ uplinks: number }>(
      'select sum(uplink_count)::int as uplinks from organization_counters',
    )
    const waiting = await db.query<{ what: string; number: number }>(waitingNow)
    const left = waiting.filter(({ number }) => number > 0)
    if (left.length === 0 && now?.uplinks === before) return []
    before = left.length === 0 ? now?.uplinks : undefined
    if (performance.now() > deadline) {
      return [
        ...left.map(({ what, number }) => `${number} ${what}`),
        ...(left.length === 0 ? ['uplinks still come'] : []),
        ...(await describeWaiting(db)),
      ]
    }
    await sleep(1000)
  }
}

/** The downlinks and moves that wait, with what is known of them. */
async function describeWaiting(db: Database): Promise<string[]> {
  const waiting = await db.query<{ text: string }>(
    `select format('downlink %s waits: device %s is %s%s; %s attempts, %s; queue due at %s, claimed until %s by a %s process; account %s, paused until %s',
       encode(payload, 'hex'), eui, devices.register_status,
       case when deleted_at is null then '' else ' and deleted' end, attempts,
       coalesce(last_error, 'no error'), queues.next_attempt_at, queues.claimed_until,
       case when processes.id is null then 'dead' else 'living' end, accounts.status, accounts.paused_until) as text
     from downlinks
     join devices on devices.id = downlinks.device_id
     left join downlink_queues as queues on queues.device_id = downlinks.device_id
     left join processes on processes.id = queues.claimed_by and processes.alive_until > now()
     left join network_accounts as accounts on accounts.organization_id = devices.organization_id
       and accounts.network = queues.network
     where state = 'queued'
     union all
     select format('move of %s is %s: %s', eui, state, message)
     from device_moves join devices using (organization_id)
     where devices.id = device_moves.device_id and finished_at is null
     limit 10`,
  )
  return waiting.map(({ text }) => text)
}

const waitingNow = `
  select 'downlinks wait' as what, count(*)::int as number from downlinks where state = 'queued'
  union all
  select 'devices are pending', count(*)::int from devices
   where deleted_at is null and register_status = 'pending'
  union all
  select 'calls to networks wait', count(*)::int from provisioning
  union all
  select 'moves go on', count(*)::int from device_moves where finished_at is null
  union all
  select 'events of webhooks wait', count(*)::int from webhook_deliveries where state = 'waiting'
  union all
  select 'uplinks are before webhooks', coalesce(sum(uplink_count - uplink_ordinal), 0)::int
    from webhooks join organization_counters using (organization_id)
   where 'uplink' = any(events)`

/** Reads every subject of the history at each process in turn, as the last reads of it. */
async function readAll({ members, processes }: World, recorder: Recorder): Promise<void> {
  const subjects = new Map<string, Entry>()
  for (const entry of recorder.entries) {
    const isRead = entry.operation === 'read' || entry.outcome !== 'done'
    if (!isRead && isReadable(entry)) subjects.set(entry.subject, entry)
    if (entry.operation === 'uplink' && !isRead) subjects.set(`uplinks ${entry.subject}`, entry)
  }
  let turn = 0
  for (const [subject, { organization }] of subjects) {
    const member = members.find(({ organizationId }) => organizationId === organization)
    const process = turn++ % processes.length
    if (member) await readSubject({ recorder, process }, { name: 'last look', member }, subject)
  }
}

function isReadable({ operation }: Entry): boolean {
  return ['register', 'delete', 'group', 'webhook', 'alert'].includes(operation)
}

function readUplinks(db: Database): Promise<StoredUplink[]> {
  return db.query<StoredUplink>(
    `select organization_id::int as organization, eui, uplinks.deduplication_key as key,
       ordinal::int, device_ordinal::int as "deviceOrdinal"
     from uplinks join devices using (organization_id)
     where devices.id = uplinks.device_id order by organization_id, ordinal`,
  )
}

function readDevices(db: Database): Promise<StoredDevice[]> {
  return db.query<StoredDevice>(
    `select organization_id::int as organization, eui, network, register_status as status,
       other_network is not null as "isMoving"
     from devices where deleted_at is null order by organization_id, id`,
  )
}

function readDownlinks(db: Database): Promise<StoredDownlink[]> {
  return db.query<StoredDownlink>(
    `select downlinks.id::int, organization_id::int as organization, eui,
       encode(payload, 'hex') as bytes, state, last_error as error
     from downlinks join devices using (organization_id)
     where devices.id = downlinks.device_id order by downlinks.id`,
  )
}

function readNetworks({ networks }: World): Facts['atNetworks'] {
  return networks.flatMap(({ organization, key, simulator }) =>
    simulator.deviceEuis().map((eui) => ({
      ...{ organization, network: key, eui: eui.toUpperCase() },
      queue: simulator.findDevice(eui)?.queue ?? [],
    })),
  )
}

function readReceived({ members }: World): ReceivedEvent[] {
  return members.flatMap(({ organizationId, receiver }) =>
    receiver.received.map(({ id, body, text }) => ({
      ...{ organization: organizationId, id, text, type: body.type },
      ...{ eui: body.data.device_id ?? '', ordinal: body.data.ordinal },
    })),
  )
}

/** Backs up the database and restores it into another one; returns the tables that differ. */
async function restoreElsewhere({ database }: World, db: Database): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lora-faults-backup-'))
  const name = 'restored'
  await database.run(`create database ${name}`)
  const url = databaseUrl(database.url, name)
  const key = { SECRET_KEY: 'an invented key of more than 32 characters', DATA_DIR: folder }
  const backup = join(folder, 'backup')
  try {
    for (const [word, address] of [
      ['backup', database.url],
      ['restore', url],
    ] as const) {
      const { code, errors } = await runCommand([word, backup], { ...key, DATABASE_URL: address })
      if (code !== 0) return [`${word} ended with ${code}: ${errors}`]
    }
    const restored = connect(url)
    try {
      return await compareTables(db, restored)
    } finally {
      await restored.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Who lives, and when the schema was made there: a backup holds neither. */
const leftOut = ['processes', 'schema_migrations']

async function compareTables(db: Database, restored: Database): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  )
  const differences: string[] = []
  for (const { name } of tables.filter((table) => !leftOut.includes(table.name))) {
    const text = `select count(*)::int as rows, md5(coalesce(string_agg(row::text, ',' order by
      row::text collate "C"), '')) as hash from "${name}" row`
    const [ours] = await db.query<{ rows: number; hash: string }>(text)
    const [theirs] = await restored.query<{ rows: number; hash: string }>(text)
    if (ours?.hash !== theirs?.hash) {
      differences.push(`${name}: ${ours?.rows} rows, restored ${theirs?.rows}`)
    }
  }
  return differences
}
