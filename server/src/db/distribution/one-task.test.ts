import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, type TestContext, test } from 'node:test'
import pg from 'pg'
import { connectChirpStack, makeNeighbour, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { isCluster } from '../../../test/citus.ts'
import { endpointList } from '../../../test/endpoint-list.ts'
import { addDevice, addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { joinMember } from '../../../test/members.ts'
import { createWorld } from '../../../test/requests.ts'
import { ownerEmail, ownerPassword, startTestService } from '../../../test/service.ts'
import { permissions } from '../../http/endpoint.ts'
import type { Database, Queryable } from '../connect.ts'
import { numberArray, textArray } from '../statements.ts'

type Note = (text: string, values: readonly unknown[]) => void

/** Notes what is asked of the pool, and in its transactions. */
function watch(db: Database, note: Note): void {
  const observe = <Asked extends Pick<Queryable, 'query'>>(asked: Asked) => {
    const run = asked.query.bind(asked)
    asked.query = (text, values = []) => {
      note(text, values)
      return run(text, values)
    }
    return asked
  }
  observe(db)
  const transact = db.transaction.bind(db)
  db.transaction = (work) =>
    transact((tx) => {
      const send = tx.send
      tx.send = (text, values = []) => {
        note(text, values)
        send(text, values)
      }
      return work(observe(tx))
    })
}

interface Statement {
  operation: string
  text: string
  values: readonly unknown[]
}

/** Sends each request of the route table, and returns the statements that it took. */
async function collectStatements(): Promise<{ statements: Statement[]; url: string }> {
  const service = await startTestService({ after })
  const { services, call } = service
  const { requests } = await createWorld(service)
  const statements = new Map<string, Statement>()
  const requested = new AsyncLocalStorage<string>()
  const { db, ingestDb } = services as unknown as { db: Database; ingestDb: Database }
  for (const each of new Set([db, ingestDb])) {
    watch(each, (text, values) => {
      const operation = requested.getStore()
      if (operation !== undefined && /^\s*(select|insert|update|delete|with)\b/.test(text)) {
        if (!statements.has(text)) statements.set(text, { operation, text, values })
      }
    })
  }
  const member = await joinMember(service, 'all@example.test', permissions)
  for (const { operation, method, access } of endpointList) {
    const request = requests[operation]
    if (!request || operation === 'GET /events') continue
    const isOver = access === 'refresh' || access === 'token'
    const as = isOver ? await service.logIn(ownerEmail, ownerPassword, 1) : member
    const { path, headers = {} } = { ...request, ...(await request.prepare?.()) }
    await requested.run(operation, () =>
      call(method, `/v1${path}`, {
        as: access === 'public' ? null : as,
        body: request.body,
        headers,
      }),
    )
  }
  return { statements: [...statements.values()], url: service.databaseUrl }
}

/** A value as PostgreSQL reads it. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return textArray(value.map(textOf))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The plan of a statement with its values in it, as Citus makes it at each run. With parameters, Citus
 * explains no `insert` of what a `select` finds.
 */
async function explain(client: pg.Client, { text, values }: Statement): Promise<string> {
  await client.query(`prepare asked as ${text}`)
  const { rows: prepared } = await client.query<{ types: string[] }>(
    'select parameter_types::text[] as types from pg_prepared_statements',
  )
  await client.query('deallocate asked')
  const [{ types = [] } = {}] = prepared
  const whole = text.replaceAll(/\$(\d+)/g, (_, place: string) => {
    const value = textOf(values[Number(place) - 1])
    return `${value === null ? 'null' : pg.escapeLiteral(value)}::${types[Number(place) - 1]}`
  })
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${whole}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

/**
 * By a part of the text: the statements that ask several machines, or one of them several times, and why.
 * Requests that wake work in the background include its first statements.
 */
const exceptions: readonly [RegExp, string][] = [
  [
    /update organizations set device_count/,
    'an organization counts its devices on the coordinator',
  ],
  [/'vendor'/, 'devices of all organizations are at the account of the operator'],
  [/quarantine_count/, 'the quarantine stores and counts its messages in one statement'],
  [/tenant_id = \$/, 'a bound counts what all organizations of a tenant have'],
  [/from gateways\s+join organizations/, 'the address of a gateway does not say whose it is'],
  [/insert into sessions/, 'a session is on the coordinator, its user on each machine'],
  [/nextval\(pg_get_serial_sequence/, 'the order of downlinks is that of their numbers'],
  [/insert into decoding_runs/, 'each of the tables that it writes is a task'],
  [/from provisioning/, 'the page of networks counts calls, which are on the coordinator'],
  [/from processes where/, 'work in the background is looked for in all organizations'],
  [/from alert_rules|join alert_rules/, 'the watcher writes several tables at once'],
]

async function connectTo(url: string, t: TestContext): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end())
  return client
}

function countTasks(plan: string): number {
  const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
  return tasks.reduce((sum, count) => sum + count, 0)
}

test('each statement of a request goes to one machine, once', { skip: !isCluster() }, async (t) => {
  const { statements, url } = await collectStatements()
  const client = await connectTo(url, t)
  const spread: string[] = []
  for (const statement of statements) {
    const plan = await explain(client, statement)
    if (countTasks(plan) < 2) continue
    spread.push(statement.text)
    const isKnown = exceptions.some(([part]) => part.test(statement.text))
    assert.ok(isKnown, `${statement.operation}\n${statement.text}\n${plan}`)
  }
  for (const [part, reason] of exceptions) {
    assert.ok(
      spread.some((text) => part.test(text)),
      `no statement needs the exception: ${reason}`,
    )
  }
  t.diagnostic(`${statements.length} statements, ${spread.length} of them ask more than one task`)
})

/** A part of a report of a spectrum, which is read with what is kept of its device. */
const spectrum = '101c000100139f'

test('so does each statement that stores uplinks', { skip: !isCluster() }, async (t) => {
  const service = await startTestService({ after })
  const neighbour = await makeNeighbour(service)
  const senders = [
    { callback: await connectChirpStack(service), eui: euiOf(1) },
    { callback: await connectChirpStack(service, { as: neighbour }), eui: euiOf(2) },
  ]
  await addDevice(service, 1)
  await addLocalDevice(service, 2, {}, neighbour)
  const statements: Statement[] = []
  const { ingestDb } = service.services as unknown as { ingestDb: Database }
  watch(ingestDb, (text, values) => statements.push({ operation: 'an uplink', text, values }))
  // So few that a batch is written by statements of one task each.
  const sendAll = senders.flatMap(({ callback, eui }) =>
    [
      ...Array.from({ length: 7 }, () => makeUp({ eui })),
      makeUp({ eui, hex: spectrum, fPort: 2 }),
    ].map((up) => post(service, callback, up)),
  )
  for (const { status, text } of await Promise.all(sendAll)) assert.equal(status, 200, text)
  assert.ok(statements.some(({ text }) => text.startsWith('insert into uplinks')))
  const both = [1, neighbour.organizationId]
  const orders = [numberArray(both), numberArray(both.toReversed())]
  assert.ok(statements.some(({ values }) => orders.some((order) => values.includes(order))))
  const client = await connectTo(service.databaseUrl, t)
  for (const statement of statements.filter(({ text }) => !text.startsWith('set local'))) {
    const plan = await explain(client, statement)
    assert.ok(countTasks(plan) < 2, `${statement.text}\n${plan}`)
    // What is kept of frames of several parts is seldom written.
    if (statement.text.startsWith('insert into frame_memories')) continue
    assert.doesNotMatch(plan, /Subplan|pull to coordinator/, statement.text)
    // A machine that has no statistics yet finds repeats by their index, too.
    if (statement.text.includes('as wanted')) assert.match(plan, /using uplinks_window/)
  }
})
