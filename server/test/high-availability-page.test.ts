import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { chooseAccount } from '../src/db/embedded/run-program.ts'
import { findFreePort } from './port.ts'

const page = new URL('../../docs/high-availability.md', import.meta.url)
const programs = globSync('/usr/lib/postgresql/*/bin/pg_rewind')
const skip = programs.length === 0 && "Debian's PostgreSQL is not installed"
const run = promisify(execFile)

/** What the commands have written, on the standby with which they end. */
const count = `
until [ "$(psql -p 5442 -Atc "select count(*) from pg_tables where tablename like 'written%'")" = 1 ]
do sleep 0.2; done
psql -p 5442 -Atc 'select pg_is_in_recovery()' lora
psql -p 5442 -Atc "select 'has ' || tablename from pg_tables where tablename = 'written'" lora
`

test('docs/high-availability.md can be followed to the letter', { skip }, async (t) => {
  const text = await readFile(page, 'utf8')
  const byHand = text.slice(0, text.indexOf('\n## Patroni\n'))
  const blocks = [...byHand.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  assert.ok(blocks.length >= 8)
  const account = await chooseAccount('')
  const folder = await mkdtemp(join(tmpdir(), 'lora-fleet-page-'))
  if (account) await chown(folder, account.uid, account.gid)
  const [first, second] = [await findFreePort(), await findFreePort()]
  const follow = (commands: string) =>
    run('bash', ['-c', `set -e -o pipefail\n${commands}`], {
      ...account,
      cwd: folder,
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
      timeout: 120_000,
    })
  t.after(async () => {
    const path = 'PATH=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1):$PATH'
    await follow(`${path}\nfor each in db0 db1; do pg_ctl -D $each -m immediate stop || true; done`)
    await rm(folder, { recursive: true, force: true })
  })
  const commands = [...blocks, count].join('\n').replaceAll('5441', `${first}`)
  const { stdout } = await follow(commands.replaceAll('5442', `${second}`))
  assert.match(stdout, / db1 +\| streaming \| quorum +\| +\d+/)
  assert.match(stdout, /\nt\nhas written\n$/)
})
