import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import type { Size } from './size/growth.ts'

/** The measures, in the order in which they run. */
export const measureNames = [
  'decode',
  'ingest',
  'layers',
  'networks',
  'fleets',
  'workers',
  'brokers',
  'paced',
  'codecs',
  'pages',
  'depth',
  'csv',
  'measurements',
  'overview',
  'dashboard',
  'walls',
  'rules',
  'lists',
  'tree',
  'batch',
  'downlinks',
  'login',
  'neighbours',
  'tenants',
  'console',
  'console-table',
  'load',
  'storm',
  'overload',
  'failover',
  'peers',
] as const
export type MeasureName = (typeof measureNames)[number]

/** The settings of a run: its measures, and how long each takes. */
export interface Settings {
  only: readonly MeasureName[]
  /** Uplinks in the table when lists and exports are measured. */
  rows: number
  /** Seconds of load on each side of a ratio, in each round. */
  seconds: number
  /** How often baseline and service take turns; the table gives the median and the spread. */
  rounds: number
  /** The directory in which the scratch data directory is made. */
  scratch: string
  /** Where the server writes a CPU profile of its whole life. */
  profile: string | undefined
  /** The length and the rate of open loads. */
  minutes: number
  rate: number
  /** The file that gets the result, too. */
  record: string | undefined
  isQuick: boolean
  /** The ChirpStack binary to compare with. */
  chirpstack: string | undefined
  /** Compare every request between these sizes, in place of the measures. */
  sizes: readonly Size[] | undefined
  /** Minutes between two uplinks of an average device, at these sizes. */
  every: number
  /** A data directory that `npm run fill` has filled: the last of the sizes. */
  filled: string | undefined
}

const defaultSizes = '10000:2000,1000000:2000,1000000:50000'

export const help = `Usage: npm run bench -- [options]

  --only NAME     ${measureNames.join(', ')};
                  may be given several times
  --rows N        uplinks in the table for lists and exports (default 5000000)
  --seconds N     load on each side of a ratio, in each round (default 4)
  --rounds N      turns of baseline and service (default 3)
  --quick         50,000 rows, smaller trees, 3 seconds, one round: for CI
  --size          in place of the measures: every list, search, tree, summary, export, chart and
                  ingest at several sizes, and how much each grows
  --sizes LIST    the sizes, as UPLINKS:DEVICES by commas (default
                  ${defaultSizes}); 10 million uplinks need 12 GB
  --every N       minutes between two uplinks of a device at these sizes (default 15)
  --data DIR      --size with a data directory that npm run fill has filled, as the only size or
                  the one after those of --sizes; uplinks are added to it, and the oldest deleted
  --scratch DIR   where the data directory is made and removed (default ${tmpdir()})
  --minutes N     of the measure load (default 1; ten show a checkpoint that comes by itself)
  --rate N        uplinks a second in it, and beside long work of --size (default 1000)
  --record FILE   also put the result into its section of docs/benchmarks.md or another file
  --profile DIR   also write a CPU profile of the server there
  --help          this text

The table goes to the standard output, the progress to the standard error. Exit status 1 when
what was stored is not what was acknowledged, or a total is wrong; a missed ratio only says so.
`

/** Reads the command line; undefined for --help. Throws an `Error` with a message for the user. */
export function readSettings(args: string[], chirpstack?: string): Settings | undefined {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      rows: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      size: { type: 'boolean', default: false },
      sizes: { type: 'string' },
      every: { type: 'string' },
      data: { type: 'string' },
      scratch: { type: 'string', default: tmpdir() },
      profile: { type: 'string' },
      minutes: { type: 'string' },
      rate: { type: 'string' },
      record: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const isQuick = values.quick
  return {
    only: values.only?.map(readMeasure) ?? measureNames,
    rows: readCount('rows', values.rows, isQuick ? 50_000 : 5_000_000),
    seconds: readCount('seconds', values.seconds, isQuick ? 3 : 4),
    rounds: readCount('rounds', values.rounds, isQuick ? 1 : 3),
    scratch: values.scratch,
    profile: values.profile,
    record: values.record,
    minutes: readCount('minutes', values.minutes, 1),
    rate: readCount('rate', values.rate, 1000),
    isQuick,
    chirpstack: chirpstack || undefined,
    sizes: values.size || values.data ? readSizes(values) : undefined,
    every: readCount('every', values.every, 15),
    filled: values.data,
  }
}

function readSizes({ sizes, data }: { sizes?: string; data?: string }): Size[] {
  const list = sizes ?? (data ? '' : defaultSizes)
  return list === '' ? [] : list.split(',').map(readSize)
}

function readSize(text: string): Size {
  const [uplinks, devices] = text.split(':')
  return {
    uplinks: readCount('sizes', uplinks, 0),
    devices: readCount('sizes', devices, 2000),
  }
}

function readMeasure(text: string): MeasureName {
  const name = measureNames.find((known) => known === text)
  if (name === undefined) throw new Error(`--only takes one of: ${measureNames.join(', ')}.`)
  return name
}

function readCount(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const count = Number(text.replaceAll('_', ''))
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new Error(`--${name} must be a whole number above 0.`)
}
