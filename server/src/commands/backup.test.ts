import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { makeUp, unreachableAccount } from '../../test/chirpstack-uplinks.ts'
import { endOf, runCommand, startCommand } from '../../test/command.ts'
import { createTestDatabase } from '../../test/database.ts'
import { type Installation, makeInstallation } from '../../test/process.ts'
import { until } from '../../test/until.ts'
import { connect } from '../db/connect.ts'

const owner = { email: 'owner@example.test', password: 'an invented pass phrase' }
const settings = { ADMIN_EMAIL: owner.email, ADMIN_PASSWORD: owner.password }
const eui = '00AA000000000001'
const deviceKey = '00112233445566778899AABBCCDDEEFF'

async function scratch(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lora-fleet-backup-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** An installation that has run, with a group of one device. */
async function makeUsed(t: TestContext, more: Record<string, string> = {}): Promise<Installation> {
  const installation = await makeInstallation(t)
  const server = installation.start({ ...settings, ...more })
  await server.waitFor('"msg":"serving"')
  const call = await logIn(installation.address)
  const { device } = await call('/devices', registration(eui, 'Front "door" \\N'))
  await call('/device-groups', { groupName: 'Doors', selectedDevices: [device.id] })
  await server.end('SIGTERM')
  return installation
}

function registration(deviceId: string, deviceName: string) {
  const rest = { deviceKey, deviceType: 16, registerMethod: 'user_account', consoleOnly: true }
  return { network: 10, deviceName, deviceId, ...rest, action: 'confirm' }
}

async function makeDatabase(
  t: TestContext,
  { isEmpty = false } = {},
): Promise<{ DATABASE_URL: string }> {
  const database = await createTestDatabase({ isEmpty })
  t.after(() => database.drop())
  return { DATABASE_URL: database.url }
}

async function logIn(address: string) {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', Organization: '1' }
  const call = async (path: string, body?: object, method = 'POST') => {
    const sent = body ? { method, body: JSON.stringify(body) } : {}
    const response = await fetch(`${address}/v1${path}`, { headers, ...sent })
    assert.ok(response.ok, `${path} answered ${response.status}`)
    return JSON.parse(await response.text())
  }
  const { token } = await call('/auth/login', owner)
  headers.Authorization = `Bearer ${token}`
  return call
}

/** What the restored service shows: the device by its name, and its key. */
async function show(address: string) {
  const call = await logIn(address)
  const { data } = await call('/device-groups')
  const { deviceName, deviceKey } = data[0].devices[0]
  return { group: data[0].groupName, deviceName, deviceKey }
}

const shown = { group: 'Doors', deviceName: 'Front "door" \\N', deviceKey }

test('moves everything into a new embedded database, and into an external one', async (t) => {
  const used = await makeUsed(t)
  const directory = join(await scratch(t), 'backup')
  const taken = await runCommand(['backup', directory], { DATA_DIR: used.dataDir })
  assert.equal(taken.code, 0, taken.errors)
  assert.match(taken.output, /Done: \d+ rows of \d+ tables, as of 2\S+Z\. Every count was checked/)
  const key = join(used.dataDir, 'secret.key')

  const embedded = await makeInstallation(t)
  await cp(key, join(embedded.dataDir, 'secret.key'))
  const restored = await runCommand(['restore', directory], { DATA_DIR: embedded.dataDir })
  assert.equal(restored.code, 0, restored.errors)
  assert.match(restored.output, /Done: \d+ rows of \d+ tables\. Every count is that of the backup/)
  const server = embedded.start({})
  await server.waitFor('"msg":"serving"')
  assert.deepEqual(await show(embedded.address), shown)

  const external = await makeDatabase(t, { isEmpty: true })
  const moved = await runCommand(['restore', directory], external)
  assert.equal(moved.code, 0, moved.errors)
  const keyId = /Keep the key ([0-9a-f]{8}) /.exec(taken.output)?.[1]
  assert.match(moved.output, new RegExp(`will not start without the key ${keyId}, which these`))
  const other = await makeInstallation(t)
  await cp(key, join(other.dataDir, 'secret.key'))
  await other.start(external).waitFor('"msg":"serving"')
  assert.deepEqual(await show(other.address), shown)
})

/** Sends uplinks one after the other until `stop`, which returns how many were accepted. */
async function startUplinks(address: string) {
  const call = await logIn(address)
  const { data } = await call('/network-accounts/chirpstack', unreachableAccount, 'PUT')
  const headers = {
    [data.callback.header]: data.callback.value,
    'content-type': 'application/json',
  }
  let accepted = 0
  let isOver = false
  const send = async () => {
    const body = JSON.stringify(makeUp({ eui }))
    const { ok } = await fetch(`${data.callback.url}?event=up`, { method: 'POST', headers, body })
    assert.ok(ok)
    accepted += 1
  }
  const sendAll = async () => {
    while (!isOver) await send()
  }
  await send()
  const senders = Array.from({ length: 8 }, sendAll)
  const stop = async () => {
    isOver = true
    await Promise.all(senders)
    return accepted
  }
  return { stop, accepted: () => accepted }
}

async function countUplinks(url: string) {
  const db = connect(url, { max: 1 })
  const [counts] = await db.query<{ rows: number; counted: number }>(
    `select (select count(*) from uplinks) as rows,
       (select sum(uplink_count)::bigint from organization_counters) as counted`,
  )
  await db.close()
  return counts
}

test('takes a backup of one moment under load, and goes on numbering after it', async (t) => {
  const before = { ...(await makeDatabase(t)), SECRET_KEY: 'an invented key of 32 characters' }
  const used = await makeUsed(t, before)
  await used.start(before).waitFor('"msg":"serving"')
  const directory = join(await scratch(t), 'backup')
  const uplinks = await startUplinks(used.address)
  const least = uplinks.accepted()
  const taken = await runCommand(['backup', directory], before)
  const most = await uplinks.stop()
  assert.equal(taken.code, 0, taken.errors)
  const { id } = (await (await logIn(used.address))('/devices?version=lite')).data[0]
  const after = { ...before, ...(await makeDatabase(t, { isEmpty: true })) }
  const { code, errors } = await runCommand(['restore', directory], after)
  assert.equal(code, 0, errors)
  const counts = await countUplinks(after.DATABASE_URL)
  assert.equal(counts?.rows, counts?.counted)
  assert.ok(counts && counts.rows >= least && counts.rows < most, `${counts?.rows} of ${most}`)
  const restored = await makeInstallation(t)
  await restored.start(after).waitFor('"msg":"serving"')
  const call = await logIn(restored.address)
  const { device } = await call('/devices', registration('00AA000000000002', 'Next'))
  assert.ok(device.id > id)
})

test('refuses what would lose something, and leaves all as it was', async (t) => {
  const used = { ...(await makeDatabase(t)), SECRET_KEY: 'an invented key of 32 characters' }
  await makeUsed(t, used)
  const base = await scratch(t)
  const directory = join(base, 'backup')
  const backup = (path: string) => runCommand(['backup', path], used)
  const restore = (path: string, into: Record<string, string>) =>
    runCommand(['restore', path], into)
  assert.equal((await backup(directory)).code, 0)
  const names = await readdir(directory)

  const again = await backup(directory)
  assert.equal(again.code, 1)
  assert.match(again.errors, /backup is not empty: a backup goes into a new directory\.\n$/)
  assert.deepEqual(await readdir(directory), names)

  // Where there is /proc, no directory can be made in it.
  if (process.platform === 'linux') {
    const nowhere = await backup('/proc/backups/monday')
    assert.equal(nowhere.code, 1)
    assert.match(nowhere.errors, /^\/proc\/backups: there is no such file\.\n$/)
  }

  const unfinished = join(base, 'unfinished')
  await mkdir(unfinished)
  await writeFile(join(unfinished, 'devices.copy.gz'), '')
  assert.match((await backup(unfinished)).errors, /holds a backup that did not finish: remove it/)
  const fresh = await makeDatabase(t, { isEmpty: true })
  assert.match((await restore(unfinished, fresh)).errors, /holds no whole backup: manifest\.json/)

  const occupied = await restore(directory, used)
  assert.equal(occupied.code, 1)
  assert.match(occupied.errors, /The database is not empty: its table \w+ has rows\./)

  await spoil(directory, 'devices', (text) => text.replace('Front', 'Frond'))
  assert.match((await restore(directory, fresh)).errors, /devices\.copy\.gz was changed: its hash/)
  await spoil(directory, 'devices', () => '')
  assert.match((await restore(directory, fresh)).errors, /devices has 0 rows; the backup has 1\./)
  await writeFile(join(directory, 'devices.copy.gz'), 'no gzip')
  assert.match((await restore(directory, fresh)).errors, /devices\.copy\.gz can't be loaded: /)

  await rm(directory, { recursive: true })
  assert.equal((await backup(directory)).code, 0)
  await interruptRestore(directory, fresh)
  const well = await restore(directory, fresh)
  assert.equal(well.code, 0, well.errors)
  const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'))
  manifest.migrations.push({ name: '9999-of-tomorrow.sql', checksum: 'none' })
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest))
  assert.match(
    (await restore(directory, fresh)).errors,
    /has migration 9999-of-tomorrow\.sql, which/,
  )
})

/** Presses Ctrl-C while a restore loads tables. */
async function interruptRestore(directory: string, settings: { DATABASE_URL: string }) {
  const db = connect(settings.DATABASE_URL, { max: 2 })
  await db.transaction(async (tx) => {
    await tx.query('lock table webhooks')
    const child = startCommand(['restore', directory], settings)
    const isWaiting = async () => {
      const [found] = await db.query(
        `select 1 from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return found !== undefined
    }
    await until(isWaiting)
    child.kill('SIGINT')
    const { code, errors } = await endOf(child)
    assert.deepEqual([code, errors], [130, 'Stopped.\n'])
  })
  await db.close()
}

async function spoil(directory: string, table: string, change: (text: string) => string) {
  const path = join(directory, `${table}.copy.gz`)
  await writeFile(path, gzipSync(change(gunzipSync(await readFile(path)).toString('utf8'))))
}
