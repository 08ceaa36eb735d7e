import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '../src/db/connect.ts'
import { chooseAccount } from '../src/db/embedded/run-program.ts'
import { findFreePort } from './port.ts'
import { makeInstallation } from './process.ts'
import { countWrong, readStored } from './stored-uplinks.ts'
import { makeTenants, startSenders } from './traffic.ts'

const page = new URL('../../docs/high-availability.md', import.meta.url)
const programs = globSync('/usr/lib/postgresql/*/bin/pg_rewind').sort()
const isThere = existsSync('/usr/bin/patroni') && existsSync('/usr/bin/etcd') && programs.length > 0
const skip = !isThere && 'no Patroni, etcd or PostgreSQL of Debian'
const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }

/** The two servers of docs/high-availability.md, started by its commands. */
async function startPatroni(t: TestContext) {
  const text = await readFile(page, 'utf8')
  const section = text.slice(text.indexOf('\n## Patroni\n'))
  const ports = new Map<string, string>()
  for (const port of ['5451', '5452', '8008', '8009', '2379', '2380']) {
    ports.set(port, `${await findFreePort()}`)
  }
  const blockOf = (language: string) => {
    const [, block = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(section) ?? []
    return block
      .replaceAll(/\b(?:5451|5452|8008|8009|2379|2380)\b/g, (port) => ports.get(port) ?? '')
      .replace('/usr/lib/postgresql/15/bin', dirname(programs.at(-1) ?? ''))
  }
  const account = await chooseAccount('')
  const folder = await mkdtemp(join(tmpdir(), 'lora-fleet-patroni-'))
  await writeFile(join(folder, 'db0.yml'), blockOf('yaml'))
  if (account) await chown(folder, account.uid, account.gid)
  const shell = spawn('bash', ['-c', `set -e -o pipefail\n${blockOf('sh')}`], {
    ...account,
    cwd: folder,
    // A group of processes, which ends together. The servers leave it.
    detached: true,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
  })
  const kill = async (file: string) =>
    process.kill(Number.parseInt(await readFile(join(folder, file), 'utf8'), 10), 'SIGKILL')
  t.after(async () => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended.
    }
    for (const data of ['db0', 'db1']) await kill(`${data}/postmaster.pid`).catch(() => {})
    await rm(folder, { recursive: true, force: true })
  })
  const [code] = await once(shell, 'exit', { signal: AbortSignal.timeout(120_000) })
  assert.equal(code, 0, await readFile(join(folder, 'db0.log'), 'utf8'))
  return {
    url: `postgres://postgres@127.0.0.1:${ports.get('5451')},127.0.0.1:${ports.get('5452')}/lora?target_session_attrs=read-write`,
    async killLeader() {
      await kill('db0.pid')
      await kill('db0/postmaster.pid')
    },
  }
}

test('Patroni promotes the standby of docs/high-availability.md, and nothing is lost', {
  skip,
}, async (t) => {
  const version = execFileSync('patroni', ['--version'], { encoding: 'utf8' }).trim()
  const { url, killLeader } = await startPatroni(t)
  const { start, address } = await makeInstallation(t)
  const server = start({
    ...{ DATABASE_URL: url, SECRET_KEY: 'an invented key of more than 32 characters' },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, API_RATE_LIMIT: '0' },
  })
  await server.waitFor('"msg":"serving"')
  const traffic = startSenders(await makeTenants(address, admin))
  t.after(traffic.abandon)
  await traffic.receive(300)
  const killed = performance.now()
  await killLeader()
  // Those that were under way may still be answered.
  await traffic.receive(200)
  t.diagnostic(`${version}: ${Math.round(performance.now() - killed)} ms without the database`)
  await traffic.finish()
  const db = connect(url)
  t.after(() => db.close())
  const { uplinks, quarantined } = await readStored(db)
  assert.deepEqual([...uplinks, ...quarantined].sort(), [...traffic.acknowledged].sort())
  for (const [what, wrong] of Object.entries(await countWrong(db))) assert.equal(wrong, 0, what)
})
