import { cpus, totalmem } from 'node:os'
import type { Database } from '../server/src/db/connect.ts'

const settingNames = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_level',
  'shared_buffers',
  'max_wal_size',
  'checkpoint_timeout',
  'data_checksums',
  'jit',
]

/** The machine and the database, as Markdown. */
export async function describeMachine(
  db: Database,
  load: number,
  measured: string,
): Promise<string> {
  const settings = await db.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value from pg_settings
     where name = any($1::text[]) order by array_position($1::text[], name)`,
    [settingNames],
  )
  const [version] = await db.query<{ version: string }>(
    "select current_setting('server_version') as version",
  )
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `- machine: ${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, ${memory} GB`,
    `- load of the machine when it began: ${load.toFixed(2)}`,
    `- Node ${process.versions.node}, PostgreSQL ${version?.version}, ${process.platform}`,
    `- ${settings.map(({ name, value }) => `${name} = ${value}`).join(', ')}`,
    `- ${measured}`,
  ].join('\n')
}
