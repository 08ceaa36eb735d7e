import { simulatedKeys, startSimulator } from '../server/simulators/index.ts'
import { networks } from '../server/src/networks/index.ts'
import type { Bench } from './bench.ts'
import { captureUplink } from './captured-uplink.ts'
import { type Comparison, ratesFigure } from './compare.ts'
import { compareWithEcho, type Echo, withEcho } from './echo.ts'
import type { Figure, Proof, Result } from './figures.ts'
import {
  analyzeDevices,
  connectAccount,
  connectNetwork,
  insertDevices,
  makeFleet,
  registerDevices,
} from './fleet.ts'
import type { Load } from './generator.ts'
import { type Service, startService } from './service.ts'
import type { SendingAccount } from './uplink-message.ts'

/** Devices of each organization, unless said otherwise. */
const devices = 1000
const connections = 256
/** The first half of all EUIs that the generator sends. */
const euiPrefix = '00aa00be'

type Senders = Pick<Load, 'path' | 'headers' | 'uplinksOf' | 'template' | 'accounts'>

/** Ingest of the messages of each network, for an organization with only that network. */
export function measureNetworks(bench: Bench): Promise<Result> {
  return measureAll(bench, async (compare) => {
    const keys = networks.map(({ key }) => key).filter((key) => simulatedKeys.includes(key))
    for (const key of keys) await compare(`ingest from ${key}`, await connectSimulated(bench, key))
  })
}

/** Ingest of one organization with few and many devices, and of many organizations. */
export function measureFleets(bench: Bench): Promise<Result> {
  const { isQuick } = bench.settings
  const large = isQuick ? 10_000 : 100_000
  const many = isQuick ? 100 : 1000
  return measureAll(bench, async (compare) => {
    for (const count of [devices, large]) {
      const fleet = await makeFleet(bench, euiPrefix)
      await registerDevices(bench.db, count, fleet)
      const callback = await connectNetwork(bench.service, fleet.headers)
      await compare(`ingest, ${count} devices of one organization`, {
        ...{ ...callback, uplinksOf: count },
      })
    }
    bench.progress(`making ${many} organizations`)
    const senders = await connectMany(bench, { organizations: many, devices: large / many })
    await compare(`ingest, ${large} devices of ${many} organizations`, senders)
  })
}

/** Ingest by 1, 2 and 4 processes that share the port. */
export function measureWorkers(bench: Bench): Promise<Result> {
  return measureAll(bench, async (compare) => {
    const fleet = await makeFleet(bench, euiPrefix)
    await registerDevices(bench.db, devices, fleet)
    const callback = await connectNetwork(bench.service, fleet.headers)
    for (const workers of [1, 2, 4]) {
      const { databaseUrl } = bench
      const env = { WORKERS: String(workers) }
      const service = await startService({ databaseUrl, dataDir: bench.dataDir, env })
      try {
        const senders = { ...callback, uplinksOf: devices }
        await compare(`ingest, ${workers} processes`, senders, service)
      } finally {
        await service.stop()
      }
    }
  })
}

/** Compares senders, one after the other, and proves that all of their uplinks are stored. */
async function measureAll(
  bench: Bench,
  work: (
    compare: (name: string, senders: Senders, service?: Service) => Promise<void>,
  ) => Promise<void>,
): Promise<Result> {
  const figures: Figure[] = []
  const sent = { acknowledged: 0, refused: 0 }
  const before = await countRows(bench)
  await withEcho(async (echo: Echo) => {
    await work(async (name, senders, service) => {
      const load = { ...senders, connections }
      const comparison = await compareWithEcho(bench, echo, load, {
        name,
        ...(service ? { service } : {}),
      })
      figures.push(figureOf(name, comparison, service !== undefined))
      sent.acknowledged += comparison.acknowledged
      sent.refused += comparison.refused
    })
  })
  return { figures, proofs: [await proveAll(bench, before, sent)] }
}

/** The CPU of a service with several processes is not known: its probe is in one of them. */
function figureOf(name: string, comparison: Comparison, isShared: boolean): Figure {
  const figure = ratesFigure(name, 'echo', comparison)
  return isShared ? { ...figure, notes: figure.notes.replace(/CPU per answer.*?; /, '') } : figure
}

async function connectSimulated(bench: Bench, network: string): Promise<Senders> {
  const simulator = await startSimulator(network)
  try {
    const { suffix, contentType, template } = await captureUplink(simulator)
    const fleet = await makeFleet(bench, euiPrefix)
    await registerDevices(bench.db, devices, { ...fleet, network })
    const account = { network, account: simulator.account, suffix }
    const { path, headers } = await connectAccount(bench.service, account, fleet.headers)
    const sent = { ...headers, 'content-type': contentType }
    return { path, headers: sent, uplinksOf: devices, template }
  } finally {
    await simulator.close()
  }
}

/** Organizations, each a tenant with so many devices and an account. `prepare` is called for each. */
export async function connectMany(
  bench: Pick<Bench, 'db' | 'service'>,
  { organizations, devices: each }: { organizations: number; devices: number },
  prepare: (headers: Record<string, string>) => Promise<unknown> = async () => undefined,
): Promise<Senders> {
  const accounts: SendingAccount[] = []
  let first: Pick<Load, 'path' | 'headers'> | undefined
  for (let number = 0; number < organizations; number += 1) {
    const fleet = await makeFleet(bench, euiPrefix)
    await insertDevices(bench.db, each, fleet)
    const callback = await connectNetwork(bench.service, fleet.headers)
    await prepare(fleet.headers)
    first ??= callback
    accounts.push(readAccount(callback))
  }
  await analyzeDevices(bench.db)
  if (!first) throw new Error('there are no organizations')
  return { ...first, uplinksOf: each, accounts }
}

function readAccount({ path, headers }: Pick<Load, 'path' | 'headers'>): SendingAccount {
  const [header, secret] = Object.entries(headers).find(([name]) => name !== 'content-type') ?? []
  if (!header || !secret) throw new Error('the callback has no secret')
  return { path, header, secret }
}

async function countRows({ db }: Bench): Promise<number> {
  const [row] = await db.query<{ rows: number }>('select count(*) as rows from uplinks')
  return row?.rows ?? 0
}

async function proveAll(
  bench: Bench,
  before: number,
  { acknowledged, refused }: { acknowledged: number; refused: number },
): Promise<Proof> {
  const stored = (await countRows(bench)) - before
  const [wrong] = await bench.db.query<{ organizations: number }>(
    `select count(*) as organizations from organization_counters as counters
     left join (
       select organization_id, count(*) as uplinks, max(ordinal) as last
       from uplinks group by organization_id
     ) as counted using (organization_id)
     where counters.uplink_count <> coalesce(counted.uplinks, 0)
       or counters.uplink_count <> coalesce(counted.last, 0)`,
  )
  return {
    claim: 'every acknowledged uplink of every organization is stored once, without gaps',
    isTrue: refused === 0 && stored === acknowledged && wrong?.organizations === 0,
    details:
      `acknowledged ${acknowledged}, refused ${refused}, stored ${stored},` +
      ` ${wrong?.organizations} organizations wrong`,
  }
}
