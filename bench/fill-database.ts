import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { connect } from '../server/src/db/connect.ts'
import { startEmbedded } from '../server/src/db/embedded.ts'
import { renderProofs } from './figures.ts'
import type { FillPlan } from './fill/plan.ts'
import { fillDatabase } from './fill.ts'
import { credentials, sealingKey, startService } from './service.ts'

/* `npm run fill`: a database of any size, to look at the service at that size. */

const help = `Usage: npm run fill -- --data DIR [options]

Fills a new data directory, or the new database of an external PostgreSQL, by SQL. Organization 1 has
half of all devices and uplinks. Called again with the same options, an interrupted run goes on.

  --data DIR           the data directory; the embedded PostgreSQL runs there meanwhile
  --database URL       an external PostgreSQL instead, with --data for the service's own files
  --organizations N    default 1000
  --devices N          default 1000000
  --uplinks N          default 100000000, which takes about 60 GB and an hour
  --days N             the uplinks are spread over so many days up to now (default 120)
  --help               this text
`

/** No limit: an index of 100 million rows takes its time. */
const statementTimeout = 24 * 60 * 60 * 1000

interface Options {
  dataDir: string
  databaseUrl: string | undefined
  plan: FillPlan
}

function readOptions(): Options | undefined {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      ...{ data: text, database: text, help: { type: 'boolean', default: false } },
      organizations: { ...text, default: '1000' },
      devices: { ...text, default: '1000000' },
      uplinks: { ...text, default: '100000000' },
      days: { ...text, default: '120' },
    },
  })
  if (values.help) return undefined
  if (values.data === undefined) throw new Error('--data is missing; --help tells the rest.')
  const { organizations, devices, uplinks, days } = values
  const count = (name: string, value: string) => {
    const number = Number(value.replaceAll('_', ''))
    if (Number.isSafeInteger(number) && number > 0) return number
    throw new Error(`--${name} must be a whole number above 0.`)
  }
  return {
    dataDir: values.data,
    databaseUrl: values.database,
    plan: {
      organizations: count('organizations', organizations),
      devices: count('devices', devices),
      uplinks: count('uplinks', uplinks),
      days: count('days', days),
    },
  }
}

async function main({ dataDir, databaseUrl, plan }: Options): Promise<void> {
  const log = pino({ level: 'warn' }, pino.destination(2))
  await mkdir(dataDir, { recursive: true })
  await using cleanUp = new AsyncDisposableStack()
  const embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, log })
  if (embedded) cleanUp.defer(() => embedded.stop())
  const url = databaseUrl ?? embedded?.url ?? ''
  // The first start makes the tables, organization 1 and its owner.
  const service = await startService({ databaseUrl: url, dataDir })
  await service.stop()
  const db = connect(url, { max: 4, statementTimeout })
  cleanUp.defer(() => db.close())
  const proofs = await fillDatabase(db, plan, (text) => process.stderr.write(`${text}\n`))
  process.stdout.write(
    `${renderProofs(proofs)}\n\nStart it with SECRET_KEY='${sealingKey}', and log in as` +
      ` ${credentials.email} with '${credentials.password}'.\n`,
  )
  if (proofs.some(({ isTrue }) => !isTrue)) process.exitCode = 1
}

try {
  const options = readOptions()
  if (options) await main(options)
  else process.stdout.write(help)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
