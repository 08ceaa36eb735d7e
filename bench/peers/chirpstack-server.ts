import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect as connectDatabase, type Database } from '../../server/src/db/connect.ts'
import { findFreePort } from '../service.ts'

/*
 * A real ChirpStack v4 with its own Redis and Mosquitto on loopback, on a database of the
 * benchmark's PostgreSQL. Its settings are the defaults, but for addresses, one region and JSON.
 */

export interface ChirpStack {
  /** `host:port` of the API. */
  address: string
  broker: string
  key: string
  db: Database
  /** Where its PostgreSQL integration stores uplinks. */
  events: Database
  pid(): number
  stop(): Promise<void>
}

interface Options {
  /** The path of the ChirpStack binary. */
  binary: string
  directory: string
  databaseUrl: string
}

export async function startChirpStack(options: Options): Promise<ChirpStack> {
  const directory = join(options.directory, 'chirpstack')
  await mkdir(directory)
  const [api, redis, mqtt] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const { databaseUrl } = options
  const dsn = await makeDatabase(databaseUrl, 'chirpstack')
  // One of its own: the first migrations of both have the same number.
  const eventsDsn = await makeDatabase(databaseUrl, 'chirpstack_events')
  const db = connectDatabase(withDatabase(databaseUrl, 'chirpstack'), { max: 2 })
  const events = connectDatabase(withDatabase(databaseUrl, 'chirpstack_events'), { max: 2 })
  const running: ChildProcess[] = []
  const stop = async () => {
    await Promise.all([db.close(), events.close()])
    for (const child of running.reverse()) await stopChild(child)
  }
  try {
    running.push(run('redis-server', ['--port', `${redis}`, '--bind', '127.0.0.1', '--save', '']))
    const brokerFile = join(directory, 'mosquitto.conf')
    await writeFile(
      brokerFile,
      `listener ${mqtt} 127.0.0.1\nallow_anonymous true\nlog_type error\n`,
    )
    running.push(run('mosquitto', ['-c', brokerFile]))
    await Promise.all([awaitPort(redis), awaitPort(mqtt)])
    await writeSettings(directory, { api, redis, mqtt, dsn, eventsDsn })
    running.push(run(options.binary, ['-c', directory]))
    await awaitPort(api)
    const key = await makeKey(options.binary, directory)
    return {
      ...{ address: `127.0.0.1:${api}`, broker: `mqtt://127.0.0.1:${mqtt}`, key, db, events, stop },
      pid: () => running.at(-1)?.pid ?? 0,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Makes the database, and returns its address as ChirpStack's driver reads it. */
async function makeDatabase(databaseUrl: string, name: string): Promise<string> {
  const main = connectDatabase(databaseUrl, { max: 1 })
  await main.query(`create database ${name}`).finally(() => main.close())
  const made = connectDatabase(withDatabase(databaseUrl, name), { max: 1 })
  try {
    await made.query('create extension pg_trgm')
    await made.query('create extension hstore')
  } finally {
    await made.close()
  }
  const url = new URL(databaseUrl)
  const isSocket = url.searchParams.has('host')
  return `postgres://${url.username}:${url.password}@${isSocket ? '' : url.host}/${name}${url.search}`
}

async function writeSettings(
  directory: string,
  at: {
    api: number
    redis: number
    mqtt: number
    dsn: string
    eventsDsn: string
  },
): Promise<void> {
  await writeFile(
    join(directory, 'chirpstack.toml'),
    `[logging]
  level = "error"
[postgresql]
  dsn = "${at.dsn}"
[redis]
  servers = ["redis://127.0.0.1:${at.redis}/"]
[network]
  enabled_regions = ["eu868"]
[api]
  bind = "127.0.0.1:${at.api}"
  secret = "a secret that only the benchmark uses"
[integration]
  enabled = ["postgresql"]
  [integration.postgresql]
    dsn = "${at.eventsDsn}"
`,
  )
  const channels = [868100000, 868300000, 868500000].map(
    (frequency) => `  [[regions.gateway.channels]]
    frequency = ${frequency}
    bandwidth = 125000
    modulation = "LORA"
    spreading_factors = [7, 8, 9, 10, 11, 12]
`,
  )
  await writeFile(
    join(directory, 'region_eu868.toml'),
    `[[regions]]
  id = "eu868"
  description = "EU868"
  common_name = "EU868"
  [regions.gateway.backend]
    enabled = "mqtt"
    [regions.gateway.backend.mqtt]
      topic_prefix = "eu868"
      server = "tcp://127.0.0.1:${at.mqtt}"
${channels.join('')}  [regions.network]
    rx1_delay = 1
    rx2_dr = 0
    rx2_frequency = 869525000
`,
  )
}

function run(program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 2] })
  child.on('error', (error) => process.stderr.write(`${program}: ${error.message}\n`))
  return child
}

async function makeKey(binary: string, directory: string): Promise<string> {
  const args = ['-c', directory, 'create-api-key', '--name', 'bench']
  const { stdout } = await promisify(execFile)(binary, args)
  const key = /token: (\S+)/.exec(stdout)?.[1]
  if (!key) throw new Error('ChirpStack made no API key.')
  return key
}

async function awaitPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(100)
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  child.kill('SIGTERM')
  await once(child, 'exit')
  clearTimeout(timer)
}
