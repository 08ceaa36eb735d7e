import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { inSession } from '../../../db/backup/session.ts'
import { syncDirectory, writePrivateFile } from '../../../db/files.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { csvLine } from '../../../http/csv.ts'
import { toPlainText } from '../../../uplinks/read/fleet-uplink-record.ts'
import { messageOf } from '../../../uplinks/rows/message.ts'
import { readReceptions } from '../../../uplinks/rows/receptions.ts'
import { openVariables } from '../../fleet/inventory/device-queries.ts'
import {
  type ArchivedUplink,
  archiveFormat,
  fileOf,
  type Manifest,
  type Member,
  type MemberName,
  manifestName,
  memberNames,
} from './archive-format.ts'
import { type ArchivedLine, exportQueries, findOrganization } from './export-queries.ts'

/** A file of an archive that is written line by line. */
export interface MemberWriter {
  /** Resolves when more may be written. */
  write(text: string, records: number): Promise<void>
  /** Resolves when the file is whole, with what the manifest says of it. */
  end(): Promise<Member>
}

/** Compresses files whose name ends in `.gz`. Files are readable only by their owner. */
function openMember(directory: string, file: string): MemberWriter {
  const hash = createHash('sha256')
  const input = file.endsWith('.gz') ? createGzip() : new Transform({ transform: passOn })
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const output = createWriteStream(join(directory, file), { mode: 0o600, flags: 'wx' })
  const written = pipeline(input, hashing, output)
  // It is awaited at the end; until then a failure shows itself in `write`.
  written.catch(() => {})
  let records = 0
  return {
    async write(text, count) {
      records += count
      if (text !== '' && !input.write(text)) await Promise.race([once(input, 'drain'), written])
    },
    async end() {
      input.end()
      await written
      return { records, sha256: hash.digest('hex') }
    },
  }
}

function passOn(chunk: unknown, _encoding: string, done: (error: null, chunk: unknown) => void) {
  done(null, chunk)
}

/** What lines of CSV say of a device, by its id. */
type Naming = Map<number, { eui: string; name: string; network: string }>

/** Reads a line of the database: its gateways are text there. */
function toArchivedUplink(line: string): ArchivedUplink {
  const { receptions, ...uplink } = JSON.parse(line)
  const decoded_message = messageOf(uplink)
  return { ...uplink, decoded_message, gateways: readReceptions({ receptions }) }
}

const csvHeader = csvLine([
  'received_at',
  'event_time',
  'device_id',
  'device_name',
  'network',
  'event_type',
  'text',
  'data',
  'f_port',
  'f_cnt',
  'rssi',
  'snr',
  'data_rate',
  'frequency',
])

function toCsvLine(uplink: ArchivedUplink, naming: Naming): string {
  const device = naming.get(uplink.device)
  return csvLine([
    uplink.received_at,
    uplink.event_time,
    device?.eui ?? null,
    device?.name ?? null,
    device?.network ?? null,
    uplink.event_type,
    toPlainText(uplink.decoded_message),
    uplink.payload,
    uplink.f_port,
    uplink.f_cnt,
    uplink.rssi,
    uplink.snr,
    uplink.data_rate,
    uplink.frequency,
  ])
}

export interface Export {
  organizationId: number
  /** Opens the keys and variables of devices; undefined leaves them out. */
  sealer: Sealer | undefined
  /** Writes the uplinks as CSV too. */
  hasCsv: boolean
  tell(what: string, done: number, total?: number): void
}

/** Records of one query: memory holds no more. */
const pageSize = 2000
const snapshot = 'begin transaction isolation level repeatable read read only'

/**
 * Writes everything of an organization into a new directory, as of one moment. The service may run
 * meanwhile. The manifest comes last: a directory without one is no archive.
 * @throws Error for a person to read.
 */
export async function writeArchive(
  url: string,
  directory: string,
  details: Export,
): Promise<Manifest> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await readdir(directory)).length > 0) {
    throw new Error(`${directory} is not empty: an archive goes into a new directory.`)
  }
  const manifest = await inSession(url, snapshot, (client) =>
    writeMembers(client, directory, details),
  )
  writePrivateFile(join(directory, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
  syncDirectory(directory)
  return manifest
}

async function writeMembers(
  client: pg.Client,
  directory: string,
  details: Export,
): Promise<Manifest> {
  const { organizationId: id, sealer, hasCsv } = details
  const { rows } = await client.query<{ name: string; uplinks: string; taken_at: string }>(
    findOrganization,
    [id],
  )
  const [found] = rows
  if (!found) throw new Error(`There is no organization ${id}.`)
  const naming: Naming = new Map()
  const members: Partial<Record<MemberName, Member>> = {}
  for (const name of memberNames) {
    if (name === 'uplinks') continue
    members[name] = await writeRecords(client, directory, { ...details, name, naming })
  }
  const total = Number(found.uplinks)
  const uplinks = await writeUplinks(client, directory, { ...details, naming, total })
  if (uplinks.uplinks.records !== total) {
    const { records } = uplinks.uplinks
    throw new Error(`The organization counts ${total} uplinks, but has ${records}.`)
  }
  return {
    format: archiveFormat,
    taken_at: found.taken_at,
    organization: { id, name: found.name },
    has_keys: sealer !== undefined,
    members: {
      ...(members as Record<MemberName, Member>),
      uplinks: uplinks.uplinks,
      ...(hasCsv && uplinks.csv && { uplinks_csv: uplinks.csv }),
    },
  }
}

interface Records extends Export {
  name: MemberName
  naming: Naming
}

async function writeRecords(
  client: pg.Client,
  directory: string,
  { name, naming, organizationId, sealer, tell }: Records,
): Promise<Member> {
  const member = openMember(directory, fileOf[name])
  let count = 0
  for await (const page of readPages(client, organizationId, name)) {
    const lines = page.map(({ line, ...sealed }) => {
      if (name !== 'devices') return line
      const device = JSON.parse(line)
      naming.set(device.id, { eui: device.device_id, name: device.name, network: device.network })
      if (!sealer || device.deleted_at !== null) return line
      return JSON.stringify({ ...device, ...openSecrets(sealer, device, sealed) })
    })
    await member.write(lines.map((line) => `${line}\n`).join(''), lines.length)
    count += lines.length
    tell(name, count)
  }
  return member.end()
}

/** What a device has sealed, as members of its line. */
function openSecrets(
  sealer: Sealer,
  { id, lorawan }: { id: number; lorawan: object | null },
  sealed: Omit<ArchivedLine, 'key' | 'line'>,
): object {
  const { sealed_key: key, sealed_network_key: networkKey, sealed_variables: variables } = sealed
  return {
    ...(key && { device_key: sealer.open(key, sealContext('deviceKey', id)) }),
    ...(networkKey && {
      lorawan: { ...lorawan, networkKey: sealer.open(networkKey, sealContext('networkKey', id)) },
    }),
    ...(variables && { variables: openVariables(sealer, id, variables) }),
  }
}

async function writeUplinks(
  client: pg.Client,
  directory: string,
  { organizationId, naming, hasCsv, tell, total }: Export & { naming: Naming; total: number },
): Promise<{ uplinks: Member; csv: Member | undefined }> {
  const member = openMember(directory, fileOf.uplinks)
  const csv = hasCsv ? openMember(directory, fileOf.uplinks_csv) : undefined
  await csv?.write(csvHeader, 0)
  let count = 0
  for await (const page of readPages(client, organizationId, 'uplinks')) {
    const uplinks = page.map(({ line }) => toArchivedUplink(line))
    const lines = uplinks.map((uplink) => `${JSON.stringify(uplink)}\n`)
    await member.write(lines.join(''), lines.length)
    await csv?.write(uplinks.map((uplink) => toCsvLine(uplink, naming)).join(''), lines.length)
    count += lines.length
    tell('uplinks', count, total)
  }
  return { uplinks: await member.end(), csv: await csv?.end() }
}

async function* readPages(
  client: pg.Client,
  organizationId: number,
  name: MemberName,
): AsyncGenerator<ArchivedLine[]> {
  for (let after = '0'; ; ) {
    const values = [organizationId, after, pageSize]
    const { rows } = await client.query<ArchivedLine>(exportQueries[name], values)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.key ?? after
  }
}
