import { request } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Database } from '../../server/src/db/connect.ts'
import type { Target } from '../http-connection.ts'
import type { SizedRequest } from './requests.ts'

export interface SizedCost {
  /** The shortest time: other work on the machine only adds to it. */
  milliseconds: number
  /** Of an export: until its first bytes. */
  firstBytes: number | undefined
  /** Pages of 8 kB that PostgreSQL touched: whatever else the machine does, these are the same. */
  pages: number
  /** The statement with the most pages, and its share of them. */
  statement: string
  /** See `SizedRequest`. */
  reads: number
}

const warmUps = 3
const mostTurns = 20
const longest = 3000

/** Sends the request again and again, one at a time. */
export async function timeSized(
  db: Database,
  target: Target,
  headers: Record<string, string>,
  sized: SizedRequest,
): Promise<SizedCost> {
  for (let turn = 0; turn < warmUps; turn += 1) await send(target, headers, sized)
  await db.query('select pg_stat_statements_reset()')
  const times: { total: number; first: number }[] = []
  const end = performance.now() + longest
  while (times.length < mostTurns && (performance.now() < end || times.length < 3)) {
    times.push(await send(target, headers, sized))
  }
  const { pages, statement } = await readPages(db)
  return {
    milliseconds: Math.min(...times.map(({ total }) => total)),
    firstBytes: sized.lines ? Math.min(...times.map(({ first }) => first)) : undefined,
    pages: pages / times.length,
    statement,
    reads: sized.reads ?? 1,
  }
}

/** PostgreSQL's work since the last reset, but for ours. */
export async function readPages(db: Database): Promise<{ pages: number; statement: string }> {
  const rows = await db.query<{ pages: number; query: string }>(
    `select (shared_blks_hit + shared_blks_read)::bigint as pages, query
     from pg_stat_statements where query not like '%pg_stat_statements%'
     order by pages desc`,
  )
  const pages = rows.reduce((sum, row) => sum + row.pages, 0)
  const share = pages === 0 ? 0 : ((rows[0]?.pages ?? 0) / pages) * 100
  const text = (rows[0]?.query ?? '').replaceAll(/\s+/g, ' ').slice(0, 160)
  return { pages, statement: `${share.toFixed(0)} % of its pages: \`${text}\`` }
}

/** One request, to its last byte, or to the last line that counts. @throws unless it answers 2xx. */
function send(
  target: Target,
  headers: Record<string, string>,
  { method, path, lines = Number.POSITIVE_INFINITY }: SizedRequest,
): Promise<{ total: number; first: number }> {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request({ ...target, method, path, headers }, (answer) => {
      if (answer.statusCode !== 200) {
        return reject(new Error(`${method} ${path} answered ${answer.statusCode}`))
      }
      let first: number | undefined
      let found = 0
      const finish = () => {
        const now = performance.now() - begin
        resolve({ total: now, first: first ?? now })
      }
      answer.on('data', (chunk: Buffer) => {
        first ??= performance.now() - begin
        if (lines === Number.POSITIVE_INFINITY) return
        for (const byte of chunk) if (byte === 10) found += 1
        if (found < lines) return
        finish()
        answer.destroy()
      })
      answer.on('end', finish)
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}
