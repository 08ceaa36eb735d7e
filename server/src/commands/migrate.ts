import { describeRefusal } from '../db/errors.ts'
import { listPending, migrate, migrationsDirectory } from '../db/migrate.ts'
import { command } from './command.ts'

export const migrateCommand = command({
  name: 'migrate',
  parameters: [],
  summary: 'brings the database up to this version, as a start of the service does',
  help: `For upgrades whose steps are separate: the previous version may serve meanwhile, where
DATABASE_URL names the database. An empty database gets its tables. Ctrl-C does no harm: the next
run goes on.

  --check  changes nothing; ends with 1 when there is something to do`,
  options: { check: { type: 'boolean' } },
  run: ({ config, say, withAnyDatabase }, _parameters, { check }) =>
    withAnyDatabase(async ({ url, where }) => {
      const refuse = (error: unknown) => {
        throw config.databaseUrl ? describeRefusal(error, url) : error
      }
      if (check) {
        const pending = await listPending(url, migrationsDirectory).catch(refuse)
        if (pending.length > 0) throw new Error(`${where} lacks ${describe(pending)}.`)
        say(`${where} is up to date.`)
        return { applied: [] }
      }
      const applied = await migrate(url, migrationsDirectory).catch(refuse)
      say(
        applied.length > 0
          ? `Done: ${where} has ${describe(applied)} more.`
          : `${where} was up to date.`,
      )
      return { applied }
    }),
})

function describe(names: readonly string[]): string {
  return names.length === 1 ? `the migration ${names[0]}` : `${names.length} migrations`
}
