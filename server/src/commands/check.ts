import { checkKeys } from '../features/operation/sealing/proof.ts'
import { command } from './command.ts'

/** Supervisors can run it before a start. */
export const check = command({
  name: 'check',
  parameters: [],
  summary: 'checks the settings, the database and the keys of its secrets',
  help: 'Changes nothing. Problems are reported as at a start of the service.',
  options: {},
  run: ({ config, say, withDatabase }) =>
    withDatabase(async ({ db, where }) => {
      const [server] = await db.query<{ version: string }>(
        `select current_setting('server_version') as version`,
      )
      await checkKeys(db, config)
      say(`The settings are right. The database, ${where}, answers: PostgreSQL ${server?.version}.`)
      return { database: where, postgresql: server?.version }
    }),
})
