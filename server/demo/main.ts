import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { simulatedKeys, startSimulator } from '../simulators/index.ts'
import { readConfig } from '../src/config.ts'
import { networks, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import type { Network } from '../src/networks/network.ts'
import { tryAddress } from '../src/process/listening.ts'
import { takeStopSignals } from '../src/process/stop-signals.ts'
import {
  createFirstOwner,
  prepareDatabase,
  type Running,
  startServer,
  startWorker,
} from '../src/start.ts'
import { type DemoNetwork, populateDemo } from './fleet.ts'
import { furnishDemo } from './history.ts'
import { startTraffic } from './traffic.ts'

const isSimulated = ({ key }: Network) => simulatedKeys.includes(key)
const simulated = [...networks, ...optionalNetworks].filter(isSimulated)

const help = `lora-console demo [options]

Starts the service on a scratch directory, simulated networks, and an organization with devices
that have sent frames of their sensors for a week, go on, and answer downlinks.

  --networks K   keys of the networks, separated by commas, or "all" (default chirpstack):
                 ${simulated.map(({ key }) => key).join(', ')}
  --devices N    how many devices on all of them together, 1 to 200 (default 12)
  --interval S   seconds between two uplinks of a device, 1 to 3600 (default 15)
  --help         this text

HOST, PORT and the other settings hold as for npm start, but for DATA_DIR and DATABASE_URL.
ADMIN_EMAIL and ADMIN_PASSWORD choose the login; without them it is made up and printed.
`

const options = readOptions()
const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' })
const running: Running[] = []
let directory: string | undefined

const { isStopping } = takeStopSignals({
  first: () => void stop(0),
  again: () => process.exit(1),
})
const starting = run()
try {
  await starting
} catch (error) {
  // A start that is broken off fails in many ways, of which none is news.
  if (!isStopping()) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    await stop(1)
  }
}

/** Notes a started part. When a stop came meanwhile, the start ends here. */
function keep<Part extends Running>(part: Part): Part {
  running.push(part)
  if (isStopping()) throw new Error('Stopped.')
  return part
}

async function run(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'lora-fleet-console-demo-'))
  const password = process.env.ADMIN_PASSWORD ?? randomBytes(9).toString('base64url')
  const config = readConfig({
    ADMIN_EMAIL: 'demo@example.test',
    ...process.env,
    ADMIN_PASSWORD: password,
    DATA_DIR: directory,
    DATABASE_URL: undefined,
    API_RATE_LIMIT: '0',
  })
  await tryAddress(config)
  const database = keep(await prepareDatabase(config, log))
  await createFirstOwner(config, database.url, log)
  keep(await startWorker(config, database, log))
  keep(await startServer(config, database, log))
  const far = await Promise.all(options.networks.map(simulate))
  const email = config.admin.email ?? ''
  const address = `http://${config.host}:${config.port}`
  const fleet = { address, email, password, networks: far, deviceCount: options.devices }
  const call = await populateDemo(fleet)
  const { behaviour, wall } = await furnishDemo({ call, databaseUrl: database.url, networks: far })
  for (const { simulator } of far) {
    keep(startTraffic(simulator, { seconds: options.interval, behaviour, log }))
  }
  process.stdout.write(
    `\nThe demo runs at ${config.publicUrl} with ${options.devices} devices on ${far.map(({ network }) => network.name).join(', ')}.\n` +
      `  console    ${config.publicUrl}/\n  API        ${config.publicUrl}/v1\n  reference  ${config.publicUrl}/docs\n` +
      `  wall       ${wall}\n` +
      `  e-mail     ${email}\n  password   ${password}\n\nCtrl-C ends it; nothing is kept.\n`,
  )
}

async function simulate(network: Network): Promise<DemoNetwork> {
  const simulator = await startSimulator(network.key)
  keep({ stop: () => simulator.close() })
  return { network, simulator }
}

/** Does not wait for the start: without its parts it fails, and nothing is kept. */
async function stop(code: number): Promise<never> {
  // PostgreSQL reports each connection that it ends.
  log.level = 'silent'
  await stopParts()
  await starting.catch(() => {})
  await stopParts()
  if (directory) await rm(directory, { recursive: true, force: true })
  process.exit(code)
}

/** In the reverse order of their start. */
async function stopParts(): Promise<void> {
  for (const part of running.splice(0).reverse()) await part.stop().catch(() => {})
}

function readOptions(): { networks: Network[]; devices: number; interval: number } {
  const values = readWords()
  if (values.help) {
    process.stdout.write(help)
    process.exit(0)
  }
  const devices = readNumber('--devices', values.devices, 200)
  const interval = readNumber('--interval', values.interval, 3600)
  return { networks: readNetworks(values.networks), devices, interval }
}

function readWords() {
  try {
    return parseArgs({
      options: {
        networks: { type: 'string', default: 'chirpstack' },
        devices: { type: 'string', default: '12' },
        interval: { type: 'string', default: '15' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}; --help lists the options.`)
  }
}

function refuse(words: string): never {
  process.stderr.write(`${words}\n`)
  process.exit(2)
}

function readNetworks(text: string): Network[] {
  if (text === 'all') return networks.filter(isSimulated)
  const chosen = text
    .split(',')
    .map((key) => simulated.find((network) => network.key === key.trim()))
  if (chosen.every((network) => network !== undefined)) {
    switchOnNetworks(chosen.map(({ key }) => key))
    return chosen
  }
  refuse(`--networks must be "all" or among ${simulated.map(({ key }) => key).join(', ')}.`)
}

function readNumber(name: string, text: string, maximum: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= maximum) return number
  refuse(`${name} must be a whole number from 1 to ${maximum}.`)
}
