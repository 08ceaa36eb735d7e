import { mkdtemp } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import pino from 'pino'
import { connect } from '../server/src/db/connect.ts'
import { hasCluster, removeEmbedded, startEmbedded } from '../server/src/db/embedded.ts'
import type { Bench } from './bench.ts'
import { measureConsoleTable } from './console-table.ts'
import { type Proof, type Result, renderProofs, renderResult } from './figures.ts'
import { fillUplinks, fleetSize } from './fill.ts'
import { describeMachine } from './machine.ts'
import { measureBatch } from './measure-batch.ts'
import { measureBrokers } from './measure-brokers.ts'
import { measureCodecs } from './measure-codecs.ts'
import { measureConsole } from './measure-console.ts'
import { measureCsv } from './measure-csv.ts'
import { measureDashboard } from './measure-dashboard.ts'
import { measureDecode } from './measure-decode.ts'
import { measureDepth } from './measure-depth.ts'
import { measureDownlinks } from './measure-downlinks.ts'
import { measureFailover } from './measure-failover.ts'
import { measureIngest } from './measure-ingest.ts'
import { measureLayers } from './measure-layers.ts'
import { measureLists } from './measure-lists.ts'
import { measureLoad } from './measure-load.ts'
import { measureLogin } from './measure-login.ts'
import { measureMeasurements } from './measure-measurements.ts'
import { measureNeighbours } from './measure-neighbours.ts'
import { measureOverload } from './measure-overload.ts'
import { measureOverview } from './measure-overview.ts'
import { measurePaced } from './measure-paced.ts'
import { measurePages } from './measure-pages.ts'
import { measureRules } from './measure-rules.ts'
import { measureFleets, measureNetworks, measureWorkers } from './measure-senders.ts'
import { measureSize } from './measure-size.ts'
import { measureStorm } from './measure-storm.ts'
import { measureTenants } from './measure-tenants.ts'
import { measureTree } from './measure-tree.ts'
import { measureWalls } from './measure-walls.ts'
import { measureChirpStack } from './peers/measure-chirpstack.ts'
import { startProcess } from './process.ts'
import { recordResult, withoutPlaces } from './record.ts'
import { startService } from './service.ts'
import { help, type MeasureName, readSettings, type Settings } from './settings.ts'
import { renderGrowth, renderLongWork, type Size, type SizedResult } from './size/growth.ts'

const measures: Record<MeasureName, (bench: Bench) => Promise<Result>> = {
  decode: measureDecode,
  ingest: measureIngest,
  layers: measureLayers,
  networks: measureNetworks,
  fleets: measureFleets,
  workers: measureWorkers,
  brokers: measureBrokers,
  paced: measurePaced,
  codecs: measureCodecs,
  pages: measurePages,
  depth: measureDepth,
  csv: measureCsv,
  measurements: measureMeasurements,
  overview: measureOverview,
  dashboard: measureDashboard,
  walls: measureWalls,
  rules: measureRules,
  lists: measureLists,
  tree: measureTree,
  batch: measureBatch,
  downlinks: measureDownlinks,
  login: measureLogin,
  neighbours: measureNeighbours,
  tenants: measureTenants,
  console: measureConsole,
  'console-table': measureConsoleTable,
  load: measureLoad,
  storm: measureStorm,
  overload: measureOverload,
  failover: measureFailover,
  peers: measureChirpStack,
}

/** Measures that need the table full of uplinks. */
const withFilling: ReadonlySet<MeasureName> = new Set(['pages', 'depth', 'csv'])

/** Building an index of 100 million rows takes minutes. */
const statementTimeout = 3_600_000

const begin = performance.now()

function progress(text: string): void {
  const seconds = ((performance.now() - begin) / 1000).toFixed(1).padStart(6)
  process.stderr.write(`${seconds} s  ${text}\n`)
}

/**
 * Starts everything in a scratch directory, runs `work`, and leaves nothing behind; or in a filled
 * directory, which stays.
 */
async function withBench<T>(
  settings: Settings,
  work: (bench: Bench) => Promise<T>,
  filled?: string,
): Promise<T> {
  const log = pino({ level: 'warn' }, pino.destination(2))
  if (filled && !hasCluster(filled)) throw new Error(`Nothing was filled in ${filled}.`)
  const dataDir = filled ?? (await mkdtemp(join(settings.scratch, 'lora-fleet-bench-')))
  await using cleanUp = new AsyncDisposableStack()
  if (!filled) cleanUp.defer(() => removeEmbedded({ dataDir, log }))
  // Counts the pages of each statement, which costs a little time.
  const counting = { shared_preload_libraries: 'pg_stat_statements' }
  const database = await startEmbedded({ dataDir, log, settings: settings.sizes ? counting : {} })
  cleanUp.defer(() => database.stop())
  const generator = startProcess(new URL('./generator.ts', import.meta.url))
  cleanUp.defer(() => generator.stop())
  const { profile } = settings
  const service = await startService({ databaseUrl: database.url, dataDir, profile })
  cleanUp.defer(() => service.stop())
  const db = connect(database.url, { max: 4, statementTimeout })
  cleanUp.defer(() => db.close())
  // Awaited here: otherwise everything would be stopped while it runs.
  const databaseUrl = database.url
  return await work({ settings, databaseUrl, dataDir, db, service, generator, progress })
}

async function measureAll(bench: Bench): Promise<Result> {
  const { only, rows } = bench.settings
  const results: Result[] = []
  let isFilled = false
  for (const name of only) {
    if (withFilling.has(name) && !isFilled) {
      const proofs = await fillUplinks(bench.db, rows, bench.progress)
      results.push({ figures: [], proofs })
      isFilled = true
    }
    bench.progress(`measuring ${name}`)
    results.push(await measures[name](bench))
  }
  return {
    figures: results.flatMap(({ figures }) => figures),
    proofs: results.flatMap(({ proofs }) => proofs),
    skipped: results.flatMap(({ skipped = [] }) => skipped),
  }
}

function describeSettings({ rows, seconds, rounds }: Settings): string {
  return (
    `${rows.toLocaleString('en-US')} uplinks of ${fleetSize.toLocaleString('en-US')} devices for` +
    ` lists and exports; ${seconds} s a side, ${rounds} rounds; ratios are medians`
  )
}

/** Ctrl-C ends the process only after the scratch directory is gone. */
async function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  const interrupted = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('interrupted'))
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
  return Promise.race([work, interrupted])
}

async function publish({ record }: Settings, text: string, load: number): Promise<void> {
  process.stdout.write(`\n${text}\n`)
  const args = withoutPlaces(process.argv.slice(2))
  if (record) await recordResult(record, args, { text, load })
}

/** Each size has a database of its own, which is removed before the next one is filled. */
async function compareSizes(settings: Settings, sizes: readonly Size[]): Promise<boolean> {
  const { filled } = settings
  const load = loadavg()[0] ?? 0
  const results: SizedResult[] = []
  const proofs: Proof[] = []
  let machine = ''
  const measure = async (bench: Bench, size: Size | undefined) => {
    const measured = await measureSize(bench, size)
    results.push(measured.result)
    proofs.push(...measured.proofs)
    const about =
      'one request at a time, the quickest of up to 20; the pages of 8 kB that it touches'
    machine = await describeMachine(bench.db, load, about)
  }
  for (const size of sizes) {
    await withBench(settings, (bench) => untilInterrupted(measure(bench, size)))
  }
  if (filled) {
    await withBench(settings, (bench) => untilInterrupted(measure(bench, undefined)), filled)
  }
  const tables = [renderGrowth(results), renderLongWork(results, settings.rate)]
  const text = `${machine}\n\n${tables.join('\n\n')}\n\n${renderProofs(proofs)}`
  await publish(settings, text, load)
  return proofs.every(({ isTrue }) => isTrue)
}

async function compareMeasures(settings: Settings): Promise<boolean> {
  const load = loadavg()[0] ?? 0
  const result = await withBench(settings, (bench) =>
    untilInterrupted(
      (async () => {
        const measured = await measureAll(bench)
        const machine = await describeMachine(bench.db, load, describeSettings(settings))
        await publish(settings, `${machine}\n\n${renderResult(measured)}`, load)
        return measured
      })(),
    ),
  )
  return result.proofs.every(({ isTrue }) => isTrue)
}

async function main(settings: Settings): Promise<void> {
  const { sizes } = settings
  const holds = sizes ? await compareSizes(settings, sizes) : await compareMeasures(settings)
  progress('done')
  if (!holds) process.exitCode = 1
}

try {
  const settings = readSettings(process.argv.slice(2), process.env.CHIRPSTACK_BIN)
  if (settings) await main(settings)
  else process.stdout.write(help)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
  process.exitCode = 1
}
