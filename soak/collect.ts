import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '../server/src/db/connect.ts'
import type { Facts, StoredDownlink, StoredUplinks } from './facts.ts'
import { euiOf } from './fleet.ts'
import { numberOf, outcome } from './ledger.ts'
import { rotatedLog, type World } from './world.ts'

/** Everything that was accepted is done within this many milliseconds after the last day. */
const finishLimit = 300_000
const page = 20_000

type Stored = 'counter' | 'stored' | 'downlinks' | 'history' | 'registered' | 'alerts'
type Collected = Pick<Facts, Stored | 'waiting' | 'logLines' | 'errors'>

/** Lets the devices hear their last downlinks, waits until nothing waits, and reads what there is. */
export async function collectFacts(world: World): Promise<Collected> {
  const db = connect(world.database.url, { max: 2, statementTimeout: 600_000 })
  try {
    world.tell('waiting until everything that was accepted is done')
    const waiting = await untilFinished(world, db)
    const { failed } = world.network.counts
    if (failed === 0) acknowledgeAtNetwork(world)
    else waiting.push(`${failed} messages of the network were never taken`)
    world.tell('reading everything')
    await world.service.stop()
    return {
      ...{ waiting, counter: await readCounter(db), stored: await readUplinks(world, db) },
      downlinks: await readDownlinks(db),
      history: await readHistory(db),
      registered: await readRegistered(db),
      alerts: await readAlerts(db),
      ...readLog(world),
    }
  } finally {
    await db.close()
  }
}

/** The network tells how many of its messages were not taken: none, so each of them was. */
function acknowledgeAtNetwork({ plan, ledger }: World): void {
  for (const [number, found] of ledger.outcomes.entries()) {
    const isAtNetwork = number % plan.devices < plan.devicesAtNetwork
    if (isAtNetwork && found === outcome.sent) ledger.outcomes[number] = outcome.acknowledged
  }
}

async function untilFinished(world: World, db: Database): Promise<string[]> {
  const deadline = performance.now() + finishLimit
  for (;;) {
    await drainQueues(world)
    const waiting = await db.query<{ what: string; number: number }>(waitingNow)
    const left = waiting.filter(({ number }) => number > 0)
    if (left.length === 0) return []
    const told = left.map(({ what, number }) => `${number} ${what}`)
    if (performance.now() > deadline) return told
    await sleep(1_000)
  }
}

/** Devices send once more while the network holds downlinks for them. */
async function drainQueues({ plan, network }: World): Promise<void> {
  for (let device = 0; device < plan.devicesAtNetwork; device += 1) {
    const eui = euiOf(device)
    if ((network.findDevice(eui)?.queue.length ?? 0) > 0) await network.sendUplink(eui)
  }
  await network.settle()
}

const waitingNow = `
  select 'downlinks wait' as what, count(*)::int as number from downlinks
   where state in ('queued', 'handed_over')
  union all
  select 'events of webhooks wait', count(*)::int from webhook_deliveries where state = 'waiting'
  union all
  select 'uplinks are before webhooks', coalesce(sum(uplink_count - uplink_ordinal), 0)::int
    from webhooks join organization_counters using (organization_id)
   where 'uplink' = any(events)
  union all
  select 'calls to networks wait', count(*)::int from provisioning
  union all
  select 'uplinks are too old', count(*)::int
    from organizations
    join organization_counters as counter on counter.organization_id = organizations.id
    join uplinks on uplinks.organization_id = organizations.id and ordinal = counter.first_ordinal
   where received_at < now() - make_interval(days => uplink_retention_days)`

async function readCounter(db: Database): Promise<Facts['counter']> {
  const [counter] = await db.query<Facts['counter']>(
    `select uplink_count as uplinks, first_ordinal as "firstOrdinal" from organization_counters
     where organization_id = 1`,
  )
  return counter ?? { uplinks: 0, firstOrdinal: 1 }
}

async function readUplinks({ ledger }: World, db: Database): Promise<StoredUplinks> {
  const ordinals = new Uint32Array(ledger.outcomes.length)
  const twice: number[] = []
  let rows = 0
  for (let last = 0; ; ) {
    const read = await db.query<{ ordinal: number; payload: string }>(
      `select ordinal, encode(payload, 'hex') as payload from uplinks
       where organization_id = 1 and ordinal > $1 order by ordinal limit ${page}`,
      [last],
    )
    for (const { ordinal, payload } of read) {
      const number = numberOf(payload)
      if (number === undefined) continue
      if (ordinals[number]) twice.push(number)
      ordinals[number] = ordinal
    }
    rows += read.length
    last = read.at(-1)?.ordinal ?? last
    if (read.length < page) return { ordinals, twice, rows }
  }
}

function readDownlinks(db: Database): Promise<StoredDownlink[]> {
  return db.query<StoredDownlink>(
    `select downlinks.id, eui, encode(payload, 'hex') as bytes, state, last_error as error, attempts
     from downlinks join devices using (organization_id)
     where devices.id = downlinks.device_id order by downlinks.id`,
  )
}

async function readHistory(db: Database): Promise<number[]> {
  const entries = await db.query<{ id: number }>('select id from downlink_history order by id')
  return entries.map(({ id }) => id)
}

async function readRegistered(db: Database): Promise<string[]> {
  const devices = await db.query<{ eui: string }>(
    `select eui from devices where not is_console_only and register_status = 'active'`,
  )
  return devices.map(({ eui }) => eui)
}

async function readAlerts(db: Database): Promise<Facts['alerts']> {
  const [alerts] = await db.query<Facts['alerts']>(
    `select count(*) filter (where state = 'open')::int as open,
       count(*) filter (where state = 'closed')::int as closed from alerts`,
  )
  return alerts ?? { open: 0, closed: 0 }
}

const errorLevel = 50

function readLog({ service: { logFile } }: World): Pick<Facts, 'logLines' | 'errors'> {
  const lines = [logFile, rotatedLog(logFile)]
    .flatMap((file) => readIfThere(file).split('\n'))
    .filter((line) => line !== '')
  const errors = lines.filter(
    (line) =>
      Number(/^\{"level":(\d+)/.exec(line)?.[1]) >= errorLevel ||
      line.includes('"msg":"a server process ended"'),
  )
  return { logLines: lines.length, errors }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
