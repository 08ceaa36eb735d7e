import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../server/src/db/connect.ts'
import { type Replicated, startReplicated } from '../server/test/replicated.ts'
import { until } from '../server/test/until.ts'
import type { Bench } from './bench.ts'
import { type FailoverLoad, startUplinks } from './failover-load.ts'
import { type Figure, format, type Proof, type Result, tellStatuses } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import { startService } from './service.ts'

/** How the primary is lost, and what its standby has by then. */
interface Loss {
  name: string
  isSynchronous: boolean
  /** Stands still with all its connections open, in place of ending. */
  isSilent?: boolean
  /** Milliseconds for which the standby has received nothing. */
  lag?: number
}

const losses: readonly Loss[] = [
  { name: 'killed, synchronous', isSynchronous: true },
  { name: 'killed, asynchronous', isSynchronous: false },
  { name: 'killed, asynchronous, the standby 1 s behind', isSynchronous: false, lag: 1000 },
  { name: 'silent, synchronous', isSynchronous: true, isSilent: true },
]

const devices = 1000
/** Uplinks in a second, and seconds of them before and after the loss. */
const rate = 100
const seconds = 3

interface Round {
  /** Milliseconds from the loss to the first acknowledgement of what was sent after it. */
  ours: number
  /** To the first commit of a client that knows the standby, and asks it again and again. */
  bare: number
  lost: number
  acknowledged: number
  refused: string
  unanswered: number
  longest: number
}

/** The loss of a primary under load, and the promotion of its standby right after it. */
export async function measureFailover(bench: Bench): Promise<Result> {
  const figures: Figure[] = []
  const proofs: Proof[] = []
  for (const loss of losses) {
    const rounds: Round[] = []
    for (let left = bench.settings.rounds; left > 0; left -= 1) {
      bench.progress(`the primary is ${loss.name}`)
      rounds.push(await lose(bench, loss))
    }
    figures.push(toFigure(loss, rounds))
    if (loss.isSynchronous) proofs.push(proveStored(loss, rounds))
  }
  return { figures, proofs }
}

async function lose({ settings }: Bench, loss: Loss): Promise<Round> {
  const { scratch } = settings
  await using end = new AsyncDisposableStack()
  const t = { after: (work: () => Promise<void>) => end.defer(work) }
  const { isSynchronous } = loss
  const pair = await startReplicated(t, { isSynchronous, fsync: 'on', scratch })
  await pair.primary.run('create table probe (number bigint)')
  const dataDir = await mkdtemp(join(scratch, 'lora-fleet-failover-'))
  end.defer(() => rm(dataDir, { recursive: true, force: true }))
  const service = await startService({
    ...{ databaseUrl: pair.url, dataDir },
    env: { LOG_LEVEL: 'silent' },
  })
  end.defer(() => service.stop())
  const callback = await connectNetwork(service)
  const db = connect(pair.url)
  end.defer(() => db.close())
  await registerDevices(db, devices)
  const load = startUplinks(service.target, callback, { rate, devices })
  end.defer(() => load.end())
  await sleep(seconds * 1000)
  const times = await promoteAfter(pair, loss, load)
  await sleep(seconds * 1000)
  await load.end()
  return { ...times, ...(await compare(pair, load)) }
}

async function promoteAfter(
  { primary, standby }: Replicated,
  { isSilent, lag }: Loss,
  load: FailoverLoad,
): Promise<{ ours: number; bare: number }> {
  const senders = lag
    ? await primary.run<{ pid: number }>('select pid from pg_stat_replication')
    : []
  for (const { pid } of senders) process.kill(pid, 'SIGSTOP')
  await sleep(lag ?? 0)
  const lostAt = performance.now()
  const gone = isSilent ? primary.freeze() : primary.kill()
  // What was not sent by now is lost with the machine.
  for (const { pid } of senders) process.kill(pid, 'SIGKILL')
  await gone
  const goneAt = performance.now()
  const isWritten = () =>
    standby.run('insert into probe values (1)').then(
      () => true,
      () => false,
    )
  const promoted = standby.run('select pg_promote()')
  await until(isWritten)
  const bare = performance.now() - lostAt
  await promoted
  let first: number | undefined
  await until(() => {
    first = load.acknowledged.find(({ since }) => since > goneAt)?.at
    return first !== undefined
  })
  return { ours: (first ?? 0) - lostAt, bare }
}

async function compare({ url }: Replicated, load: FailoverLoad) {
  const db = connect(url)
  try {
    const rows = await db.query<{ key: string }>('select deduplication_key as key from uplinks')
    const stored = new Set(rows.map(({ key }) => key))
    const { acknowledged, unanswered, longest } = load
    const lost = acknowledged.filter(({ key }) => !stored.has(key)).length
    const refused = tellStatuses(load.refused) ?? '0'
    return { lost, acknowledged: acknowledged.length, refused, unanswered, longest }
  } finally {
    await db.close()
  }
}

function toFigure({ name }: Loss, rounds: readonly Round[]): Figure {
  const each = (value: (round: Round) => number) => rounds.map((round) => format(value(round)))
  const list = (value: (round: Round) => number) => each(value).join(', ')
  return {
    name: `primary ${name}: until the next acknowledgement`,
    ours: `${list(({ ours }) => ours)} ms`,
    baseline: `${list(({ bare }) => bare)} ms (a commit on the standby)`,
    ratios: rounds.map(({ ours, bare }) => ours / bare),
    notes:
      `of ${rate} uplinks/s: acknowledged and lost ${rounds.map(({ lost }) => lost).join(', ')}; ` +
      `refused ${rounds.map(({ refused }) => refused).join(', ')}, ` +
      `without an answer ${rounds.map(({ unanswered }) => unanswered).join(', ')}; ` +
      `an acknowledged one waited at most ${list(({ longest }) => longest)} ms`,
  }
}

function proveStored({ name }: Loss, rounds: readonly Round[]): Proof {
  const lost = rounds.reduce((sum, round) => sum + round.lost, 0)
  const acknowledged = rounds.reduce((sum, round) => sum + round.acknowledged, 0)
  return {
    claim: `primary ${name}: the standby has every acknowledged uplink`,
    isTrue: lost === 0,
    details: `${lost} of ${acknowledged} lost`,
  }
}
