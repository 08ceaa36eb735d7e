import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { readConfig } from './config.ts'
import { populateDemo } from './demo-fleet.ts'
import {
  type ChirpStackSimulator,
  startChirpStackSimulator,
} from './networks/chirpstack/simulator/chirpstack-simulator.ts'
import { prepareDatabase, type Running, startServer, startWorker } from './start.ts'

const help = `npm run demo -- [options]

Starts the service on a scratch directory, a simulated ChirpStack, and an organization with
devices that send frames of their sensors and answer downlinks.

  --devices N    how many devices, 1 to 200 (default 12)
  --interval S   seconds between two uplinks of a device, 1 to 3600 (default 15)
  --help         this text

HOST, PORT and the other settings hold as for npm start, but for DATA_DIR and DATABASE_URL.
ADMIN_EMAIL and ADMIN_PASSWORD choose the login; without them it is made up and printed.
`

const options = readOptions()
const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' })
const running: Running[] = []

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  await stop(1)
}

async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'lora-fleet-console-demo-'))
  running.push({ stop: () => rm(directory, { recursive: true, force: true }) })
  process.on('SIGINT', () => stop(0))
  process.on('SIGTERM', () => stop(0))
  const password = process.env.ADMIN_PASSWORD ?? randomBytes(9).toString('base64url')
  const config = readConfig({
    ADMIN_EMAIL: 'demo@example.test',
    ...process.env,
    ADMIN_PASSWORD: password,
    DATA_DIR: directory,
    DATABASE_URL: undefined,
    API_RATE_LIMIT: '0',
  })
  const database = await prepareDatabase(config, log)
  running.push(database)
  running.push(await startWorker(config, database.url, log))
  running.push(await startServer(config, database.url, log))
  const simulator = await startChirpStackSimulator()
  running.push({ stop: () => simulator.close() })
  const email = config.admin.email ?? ''
  const address = `http://${config.host}:${config.port}`
  await populateDemo({ address, email, password, simulator, deviceCount: options.devices })
  startTraffic(simulator)
  process.stdout.write(
    `\nThe demo runs at ${config.publicUrl} with ${options.devices} devices on 2 gateways.\n` +
      `  API        ${config.publicUrl}/v1\n  reference  ${config.publicUrl}/docs\n` +
      `  e-mail     ${email}\n  password   ${password}\n\nCtrl-C ends it; nothing is kept.\n`,
  )
}

/** The first frames come at once, so that there is something to see; then at the interval. */
function startTraffic(simulator: ChirpStackSimulator): void {
  for (const devEui of simulator.devices.keys()) {
    simulator.sendUplink(devEui).catch((err) => log.warn({ err }, 'the simulator failed'))
  }
  simulator.startTraffic(options.interval * 1000)
}

async function stop(code: number): Promise<never> {
  // In the reverse order of their start.
  for (const part of running.splice(0).reverse()) {
    await part.stop().catch((err) => log.error({ err }, 'stopping a part failed'))
  }
  process.exit(code)
}

function readOptions(): { devices: number; interval: number } {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '12' },
      interval: { type: 'string', default: '15' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    process.exit(0)
  }
  const devices = readNumber('--devices', values.devices, 200)
  return { devices, interval: readNumber('--interval', values.interval, 3600) }
}

function readNumber(name: string, text: string, maximum: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= maximum) return number
  process.stderr.write(`${name} must be a whole number from 1 to ${maximum}.\n`)
  process.exit(1)
}
