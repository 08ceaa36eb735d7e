import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeOrganization } from '../../../test/chirpstack-uplinks.ts'
import { isCluster, nodesOf } from '../../../test/citus.ts'
import { databaseUrl, runOnServer } from '../../../test/server.ts'
import { startTestService, type TestService } from '../../../test/service.ts'
import { startSteadyUplinks } from '../../../test/steady-uplinks.ts'
import { countWrong, readStored } from '../../../test/stored-uplinks.ts'
import { until } from '../../../test/until.ts'
import { connect, type Database } from '../connect.ts'

/** Moves the rows of organization 1 to another machine. */
async function moveShard(db: Database): Promise<void> {
  await db.query(
    `select citus_move_shard_placement(
       placed.shardid, placed.nodename, placed.nodeport, other.nodename, other.nodeport
     )
     from citus_shards as placed
     join pg_dist_node as other on other.shouldhaveshards and other.isactive
       and (other.nodename, other.nodeport) <> (placed.nodename, placed.nodeport)
     where placed.shardid = get_shard_id_for_distribution_column('organization_counters', 1)
     limit 1`,
  )
}

/** One machine gives all of its shards away, and gets its part again, as a new one does. */
async function rebalance(db: Database): Promise<void> {
  const [node] = await db.query<{ name: string; port: number }>(
    `select nodename as name, nodeport as port from pg_dist_node
     where shouldhaveshards order by nodeid desc limit 1`,
  )
  assert(node)
  const address = [node.name, node.port]
  await db.query('select citus_drain_node($1, $2)', address)
  assert.equal(await countShards(db, node.port), 0)
  await db.query(`select citus_set_node_property($1, $2, 'shouldhaveshards', true)`, address)
  await db.query('select citus_rebalance_start()')
  await db.query('select citus_rebalance_wait()')
  assert.notEqual(await countShards(db, node.port), 0)
}

async function countShards(db: Database, port: number): Promise<number> {
  const [counted] = await db.query<{ count: number }>(
    `select count(*) from citus_shards where nodeport = $1 and citus_table_type = 'distributed'`,
    [port],
  )
  return counted?.count ?? 0
}

/** All connections to the machines break, as when they start again. */
async function breakConnections({ databaseUrl: url }: TestService): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  for (const worker of nodesOf(url).slice(1)) {
    await runOnServer(
      databaseUrl(worker, name),
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend'
         and pid <> pg_backend_pid()`,
    )
  }
}

test('uplinks go on while organizations move to other machines', {
  skip: !isCluster(),
}, async (t) => {
  const service = await startTestService({ after })
  const patient = connect(service.databaseUrl, { max: 1, statementTimeout: 120_000 })
  t.after(patient.close)
  const organizations = [service.owner]
  for (const name of ['one', 'two', 'three']) {
    organizations.push(await makeOrganization(service, name))
  }
  const uplinks = await startSteadyUplinks(service, organizations)
  t.after(uplinks.stop)
  const { acknowledged, waits } = uplinks
  const steps = {
    'broken connections': () => breakConnections(service),
    'a shard that moves': () => moveShard(patient),
    'a machine that is emptied and filled again': () => rebalance(patient),
  }
  for (const [name, step] of Object.entries(steps)) {
    const [before, refused] = [acknowledged.size, uplinks.refusals()]
    waits.length = 0
    const began = performance.now()
    await step()
    const took = Math.round(performance.now() - began)
    const during = acknowledged.size - before
    await until(() => acknowledged.size > before + during + 50, 'uplinks go on')
    t.diagnostic(
      `${name}: ${took} ms, ${during} uplinks meanwhile, ${uplinks.refusals() - refused} answers` +
        ` with 503, the longest after ${Math.round(Math.max(...waits))} ms`,
    )
  }
  await uplinks.stop()
  const { db } = service.services
  const stored = await readStored(db)
  assert.deepEqual([...stored.uplinks, ...stored.quarantined].sort(), [...acknowledged].sort())
  assert.deepEqual(await countWrong(db), { organizations: 0, devices: 0, quarantines: 0 })
})
