import { type ChildProcess, execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect as connectDatabase, type Database } from '../../server/src/db/connect.ts'
import { awaitPort, runProgram, startMosquitto, stopProgram } from '../programs.ts'
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
    for (const child of running.reverse()) await stopProgram(child)
  }
  try {
    running.push(
      runProgram('redis-server', ['--port', `${redis}`, '--bind', '127.0.0.1', '--save', '']),
    )
    running.push(await startMosquitto(directory, mqtt))
    await Promise.all([awaitPort(redis), awaitPort(mqtt)])
    await writeSettings(directory, { api, redis, mqtt, dsn, eventsDsn })
    running.push(runProgram(options.binary, ['-c', directory]))
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

async function makeKey(binary: string, directory: string): Promise<string> {
  const args = ['-c', directory, 'create-api-key', '--name', 'bench']
  const { stdout } = await promisify(execFile)(binary, args)
  const key = /token: (\S+)/.exec(stdout)?.[1]
  if (!key) throw new Error('ChirpStack made no API key.')
  return key
}
