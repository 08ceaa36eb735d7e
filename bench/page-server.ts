import Fastify from 'fastify'
import pg from 'pg'
import { typeParsers } from '../server/src/db/statements.ts'
import { allUplinksQuery, deviceUplinksQuery } from '../server/src/uplinks/read/uplink-queries.ts'

/*
 * The baseline of pages: only the cost of the network, Fastify and the database. It runs the
 * prepared query of the list and sends its rows unchanged: no session, no checks, no record.
 */

/** The pool size of one server process (server/src/start.ts). */
const poolSize = 16

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL ?? '',
  max: poolSize,
  types: typeParsers,
})
const app = Fastify()
app.get('/all', async () => {
  const { rows } = await pool.query({ name: 'all', text: allUplinksQuery, values: [1, 10, 0] })
  return rows
})
app.get<{ Params: { eui: string } }>('/device/:eui', async ({ params }) => {
  const values = [1, null, params.eui, 10, 0]
  const { rows } = await pool.query({ name: 'device', text: deviceUplinksQuery, values })
  return rows
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
process.channel?.ref()
