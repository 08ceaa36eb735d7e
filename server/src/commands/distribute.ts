import { connect, type Queryable } from '../db/connect.ts'
import { distribute } from '../db/distribution/distribute.ts'
import { isDistributed } from '../db/distribution/form-for.ts'
import { command } from './command.ts'

/** All tables are copied in one statement each. */
const longest = 6 * 3600_000

export const distributeCommand = command({
  name: 'distribute',
  parameters: [],
  summary: 'spreads the tables over the machines of a Citus cluster',
  help: `For a database on the coordinator of a Citus cluster, migrated by a start of the service
(docs/scaling.md). Stop all machines of the service before. Tables are copied in one transaction, and
those that are distributed already stay as they are: it can be run again. Migrations distribute the
tables that they make.`,
  options: {},
  run: ({ say, withDatabase }) =>
    withDatabase(async ({ db, url }) => {
      await checkCluster(db)
      const alone = connect(url, { max: 1, statementTimeout: longest })
      try {
        const tables = await alone.transaction(distribute)
        say(
          tables.length > 0 ? `Distributed: ${tables.join(', ')}.` : 'All tables are distributed.',
        )
        return { distributed: tables }
      } finally {
        await alone.close()
      }
    }),
})

async function checkCluster(db: Queryable): Promise<void> {
  if (!(await isDistributed(db))) {
    throw new Error(
      'This database has no Citus: run "create extension citus" on each machine first.',
    )
  }
  const [nodes] = await db.query<{ workers: number }>(
    `select count(*) as workers from pg_dist_node
     where isactive and shouldhaveshards and noderole = 'primary'`,
  )
  if (nodes?.workers) return
  throw new Error('The coordinator knows no machine for tables: add one with citus_add_node first.')
}
