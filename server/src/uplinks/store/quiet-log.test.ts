import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeOrganization, makeUp } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startQueue } from '../../../test/ingest-queues.ts'
import { startTestService } from '../../../test/service.ts'
import { countWrong } from '../../../test/stored-uplinks.ts'
import { until } from '../../../test/until.ts'
import { connect } from '../../db/connect.ts'

const service = await startTestService({ after })
const { db } = service.services
const neighbour = await makeOrganization(service, 'neighbour')
const callbacks = [
  await connectChirpStack(service),
  await connectChirpStack(service, { as: neighbour }),
]
const eui = (number: number) => `00AA00000000000${number}`
for (const [place, as] of [service.owner, neighbour].entries()) {
  for (const number of [1, 2]) await addLocalDevice(service, eui(number + 2 * place), {}, as)
}

const applicationName = 'queue of this test'

/** Two processes with pools of their own, and what each posts to the callbacks of both organizations. */
const processes = [0, 1].map(() => {
  const pool = connect(service.databaseUrl, { applicationName })
  const queues = callbacks.map((callback) => startQueue(service, callback, { db: pool }))
  const end = async () => {
    for (const { app } of queues) await app.close()
    await pool.close()
  }
  return { posts: queues.map(({ post }) => post), end }
})

/** Transactions in the database that PostgreSQL rolled back, as it does after each error. */
async function countRollbacks(): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select xact_rollback as count from pg_stat_database where datname = current_database()',
  )
  return row?.count ?? Number.NaN
}

test('senders in parallel, with repeats and unknown devices, cause no error in PostgreSQL', async () => {
  const before = await countRollbacks()
  for (let round = 0; round < 10; round += 1) {
    const ups = Array.from({ length: 20 }, (_, index) => [
      makeUp({ eui: eui((index % 2) + 1) }),
      makeUp({ eui: eui((index % 2) + 3) }),
      makeUp({ eui: eui(9) }),
    ])
    const answers = ups.flat().flatMap((up) =>
      // A repeat at the other process, as of a network that got no answer.
      processes.flatMap(({ posts }) => posts.map((post) => post(up))),
    )
    for (const { statusCode } of await Promise.all(answers)) assert.equal(statusCode, 200)
  }
  for (const { end } of processes) await end()
  // What a connection did is counted when it ends.
  await until(async () => {
    const left = await db.query('select from pg_stat_activity where application_name = $1', [
      applicationName,
    ])
    return left.length === 0
  })
  assert.equal(await countRollbacks(), before)
  const { organizations, devices } = await countWrong(db)
  assert.deepEqual([organizations, devices], [0, 0])
  assert.equal((await db.query('select from uplinks')).length, 10 * 40)
})
