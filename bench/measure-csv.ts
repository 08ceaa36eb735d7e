import { request } from 'node:http'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { Bench } from './bench.ts'
import { type Figure, format, median, type Result } from './figures.ts'
import type { ProbeReading } from './probe.ts'

const exportSize = 20_000
/** More turns than rounds: one export takes a fraction of a second. */
const turnsPerRound = 5

interface Export {
  milliseconds: number
  bytes: number
  lines: number
}

/** The CSV of the newest 20,000 uplinks, against what PostgreSQL needs to send the same rows. */
export async function measureCsv(bench: Bench): Promise<Result> {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  const copies: Export[] = []
  const downloads: Export[] = []
  let longestHold = 0
  try {
    // The first ones fill caches and compile: they do not count.
    for (let turn = 0; turn <= bench.settings.rounds * turnsPerRound; turn += 1) {
      const copy = await copyRows(client)
      await bench.service.ask({ probe: 'reset' })
      const download = await downloadCsv(bench)
      const { longestDelay } = await bench.service.ask<ProbeReading>({ probe: 'read' })
      if (turn === 0) continue
      copies.push(copy)
      downloads.push(download)
      longestHold = Math.max(longestHold, longestDelay)
    }
  } finally {
    await client.end()
  }
  bench.progress(`${downloads.length} exports`)
  return {
    figures: [toFigure(copies, downloads), holdFigure(longestHold)],
    proofs: [proveLines(copies, downloads)],
  }
}

/** The device's EUI, the payload, the time and the text, as stored. */
const copyStatement = `copy (
  select devices.device_eui, encode(uplinks.payload, 'hex'), uplinks.event_time,
    uplinks.decoded_message
  from uplinks
  join devices on devices.id = uplinks.device_id
  where uplinks.organization_id = 1 and uplinks.ordinal > (
    select uplink_count - ${exportSize} from organization_counters where organization_id = 1
  )
  order by uplinks.ordinal desc
) to stdout (format csv)`

/** What the driver calls with each piece of a COPY (pg/lib/query.js); its types leave it out. */
interface CopyReader {
  handleCopyData(message: { chunk: Buffer }): void
}

function copyRows(client: pg.Client): Promise<Export> {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    let bytes = 0
    let lines = 0
    const query = new pg.Query(copyStatement) as pg.Query & CopyReader
    query.handleCopyData = ({ chunk }) => {
      bytes += chunk.length
      lines += 1
    }
    query.on('error', reject)
    query.on('end', () => resolve({ milliseconds: performance.now() - begin, bytes, lines }))
    client.query(query)
  })
}

function downloadCsv({ service }: Bench): Promise<Export> {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    const { headers, target } = service
    const path = '/v1/devices/all/uplink'
    const sent = request({ ...target, method: 'POST', path, headers }, (answer) => {
      let bytes = 0
      let lines = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        for (const byte of chunk) if (byte === 10) lines += 1
      })
      answer.on('end', () => {
        const milliseconds = performance.now() - begin
        if (answer.statusCode === 200) resolve({ milliseconds, bytes, lines: lines - 1 })
        else reject(new Error(`the export answered ${answer.statusCode}`))
      })
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

function toFigure(copies: Export[], downloads: Export[]): Figure {
  const time = (exports: Export[]) =>
    `${format(median(exports.map(({ milliseconds }) => milliseconds)))} ms`
  return {
    name: `CSV of ${exportSize.toLocaleString('en-US')} uplinks`,
    ours: time(downloads),
    baseline: `${time(copies)} (COPY)`,
    ratios: downloads.map((one, turn) => one.milliseconds / (copies[turn]?.milliseconds ?? 0)),
    target: { word: 'at most', value: 2 },
    notes: `${format(median(downloads.map(({ bytes }) => bytes)) / 1e6)} MB`,
  }
}

function holdFigure(longestHold: number): Figure {
  return {
    name: 'longest hold of the event loop during an export',
    ours: `${format(longestHold)} ms`,
    baseline: '',
    ratios: [longestHold],
    target: { word: 'at most', value: 50, unit: ' ms' },
    notes: 'lateness of a 5 ms timer, preemption by other processes included',
  }
}

function proveLines(copies: Export[], downloads: Export[]) {
  const lines = new Set([...copies, ...downloads].map((one) => one.lines))
  return {
    claim: 'the CSV has as many lines as COPY has rows',
    isTrue: lines.size === 1,
    details: [...lines].join(' and '),
  }
}
