import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { beginSetup, enrol } from '../../../../test/authenticator.ts'
import { chirpStackFiles, startGitHost } from '../../../../test/catalogues.ts'
import { isCluster } from '../../../../test/citus.ts'
import { asDistributed } from '../../../../test/distributed.ts'
import { addDevice, addGateway, euiOf, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization, memberPassword } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { ownerPassword, startTestService, type TestService } from '../../../../test/service.ts'
import { browserNowhere, channelNowhere, senetId } from '../../../../test/things.ts'
import type { Database } from '../../../db/connect.ts'
import { createSealer, keyIdOf } from '../../../db/seal.ts'
import { contextIn, sealedColumns } from '../../../db/secret-keys.ts'
import { chainActivities } from '../../people/activity/chain-activities.ts'
import { sealAgain } from './seal-again.ts'
import { insertProof, readProofs } from './seal-queries.ts'

/** The key of a test service. */
const oldKey = Buffer.alloc(32, 7)
const newKey = Buffer.alloc(32, 9)
const quiet = () => {}

/** As the database is, and as one that Citus distributes is worked on: by organization. */
const places: [string, (db: Database) => Database][] = [
  ['as the database is', (db) => db],
  ['by organization', asDistributed],
]

/** Opens every secret of the database with one key, and counts them by column. */
async function openAll({ services: { db } }: TestService, key: Buffer) {
  const sealer = createSealer(key)
  const counts: Record<string, number> = {}
  for (const sealedColumn of Object.values(sealedColumns)) {
    const { table, column, keys } = sealedColumn
    const rows = await db.query<Record<string, number | Buffer>>(
      `select ${keys.join(', ')}, ${column} as sealed from ${table} where ${column} is not null`,
    )
    for (const row of rows) {
      const parts = keys.flatMap((name) => row[name] ?? [])
      sealer.open(row.sealed as Buffer, contextIn(sealedColumn, parts))
    }
    counts[`${table}.${column}`] = rows.length
  }
  return counts
}

async function makeSecrets(t: TestContext, service: TestService): Promise<void> {
  const lorawan = { version: '1.1', networkKey: 'BB'.repeat(16) }
  for (let number = 1; number <= 2; number += 1) await addDevice(service, number)
  await addDevice(service, 3, { lorawan })
  const variables = { offset: '1.5' }
  await service.call('PUT', `/v1/devices/${euiOf(2)}/variables`, { body: { variables } })
  await addGateway(service, 1, { gateway_bridge: 'other' })
  const simulator = await startChirpStack(t)
  await connect(service, simulator, { mqtt_url: 'mqtt://127.0.0.1:9' })
  // The account moves. Its callback and its session at the broker stay for later.
  simulator.faults.isAway = true
  await connect(service, simulator, { server: 'http://127.0.0.1:9' })
  await service.services.db.query(`update devices set register_status = 'active' where id = 1`)
  const target = { network: senetId, registerMethod: 'user_account', deviceKey: 'AA'.repeat(16) }
  const moved = await service.call('POST', `/v1/devices/${euiOf(1)}/move`, { body: target })
  assert.equal(moved.status, 200, moved.text)
  const headers = { 'idempotency-key': 'once' }
  await service.call('POST', '/v1/devices', { headers, body: registrationOf(4) })
  // Its rows wait for the others, and keep their keys until then.
  const waiting = {
    kind: 'register',
    more: true,
    rows: [
      {
        deviceId: '00AA0000000000E1',
        deviceName: 'Waiting',
        provisioningData: {
          network: 'chirpstack',
          registerMethod: 'user_account',
          deviceKey: '00112233445566778899AABBCCDDEEFF',
          deviceTypeId: 16,
        },
      },
    ],
  }
  assert.equal((await service.call('POST', '/v1/jobs', { body: waiting })).status, 202)
  const mqtt = { username: 'nobody', password: 'an invented password' }
  const webhook = { name: 'Nobody', url: 'mqtt://127.0.0.1:1', events: ['uplink'], mqtt }
  const made = await service.call('POST', '/v1/webhooks', { body: webhook })
  assert.equal(made.status, 201, made.text)
  await service.call('POST', `/v1/webhooks/${made.body.data.id}/rotate`, { body: {} })
  const channel = await service.call('POST', '/v1/alert-channels', { body: channelNowhere })
  assert.equal(channel.status, 201, channel.text)
  const browser = await service.call('POST', '/v1/push-subscriptions', { body: browserNowhere })
  assert.equal(browser.status, 201, browser.text)
  await service.call('GET', '/v1/push-subscriptions')
  await addCatalogue(t, service)
  await chainActivities(service.services)
}

/** Adds a catalogue that is read with a token. */
async function addCatalogue(t: TestContext, service: TestService): Promise<void> {
  const host = await startGitHost()
  t.after(() => host.close())
  host.push('1'.repeat(40), chirpStackFiles())
  const body = { name: 'Profiles', url: host.url, token: 'an-invented-token' }
  const added = await service.call('POST', '/v1/device-catalogue/sources', { body })
  assert.equal(added.status, 201, added.text)
}

describe('sealing again', () => {
  test('knows every sealed column of the schema', async (t) => {
    const { services } = await startTestService(t)
    const columns = await services.db.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea' and column_name like 'sealed%'`,
    )
    const known = Object.values(sealedColumns).map(({ table, column }) => `${table}.${column}`)
    assert.ok(columns.length > 0)
    assert.deepEqual(columns.map(({ name }) => name).sort(), known.sort())
  })

  for (const [place, openDatabase] of places) {
    test(`leaves every kind of secret only to the new key, ${place}`, async (t) => {
      const service = await startTestService(t)
      await makeSecrets(t, service)
      await enrol(service, service.owner, ownerPassword)
      const stranger = await foundOrganization(service, 'stranger@example.test')
      await beginSetup(service, stranger, memberPassword)
      await addDevice(service, 5, {}, stranger)
      const before = await openAll(service, oldKey)
      for (const [name, count] of Object.entries(before)) assert.ok(count > 0, `${name} is tried`)
      const total = Object.values(before).reduce((sum, count) => sum + count)
      const { db } = service.services
      for (const key of [oldKey, newKey]) {
        await insertProof(db, { key_id: keyIdOf(key), proof: Buffer.from('invented') })
      }
      const lines: string[] = []
      const tell = (line: string) => lines.push(line)
      const outcome = await sealAgain(openDatabase(db), [newKey, oldKey], tell)
      assert.deepEqual(outcome, { sealed: total, unopened: [], isDone: true })
      const told = Object.entries(before).map(([name, count]) => `${name}: ${count} sealed again`)
      assert.deepEqual(lines, told)
      assert.deepEqual(await openAll(service, newKey), before)
      assert.deepEqual(
        (await readProofs(db)).map(({ key_id }) => key_id),
        [keyIdOf(newKey)],
      )
      const again = await sealAgain(openDatabase(db), [newKey], tell)
      assert.deepEqual(again, { sealed: 0, unopened: [], isDone: true })
      assert.equal(lines.length, told.length)
    })
  }

  test('tells each second how far it is', async (t) => {
    const service = await startTestService(t)
    await addDevice(service, 1)
    let seconds = 0
    t.mock.method(performance, 'now', () => {
      seconds += 1
      return seconds * 1000
    })
    const lines: string[] = []
    await sealAgain(service.services.db, [newKey, oldKey], (line) => lines.push(line))
    const all = 'devices.sealed_key: 1 sealed again'
    const told = lines.filter((line) => line.startsWith(all))
    // A database on several machines is looked through in more portions.
    const different = isCluster() ? [...new Set(told)] : told
    assert.deepEqual(different, [`${all}, 0 % looked at`, all])
  })

  test('waits for rows that the service writes, and is taken up where it stopped', async (t) => {
    const service = await startTestService(t)
    await makeSecrets(t, service)
    const { db } = service.services
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: tellLocked } = Promise.withResolvers<void>()
    const writer = db.transaction(async (tx) => {
      await tx.query(`update devices set sealed_key = sealed_key where id = 2`)
      tellLocked()
      await mayEnd
    })
    await isLocked
    const lines: string[] = []
    const sealing = sealAgain(db, [newKey, oldKey], (line) => lines.push(line))
    while (!lines.some((line) => line.startsWith('devices.sealed_key: 3 '))) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    end()
    await writer
    assert.equal((await sealing).isDone, true)
    assert.equal((await openAll(service, newKey))['devices.sealed_key'], 4)
  })

  for (const [place, openDatabase] of places) {
    test(`leaves what no key opens as it is, and names it, ${place}`, async (t) => {
      const service = await startTestService(t)
      for (let number = 1; number <= 2; number += 1) await addDevice(service, number)
      const { db } = service.services
      const lost = createSealer(Buffer.alloc(32, 5)).seal('lost', 'devices.sealed_key:1')
      await db.query('update devices set sealed_key = $1 where id = 1', [lost])
      const outcome = await sealAgain(openDatabase(db), [newKey, oldKey], quiet)
      const expected = { sealed: 1, unopened: ['devices.sealed_key:1'], isDone: true }
      assert.deepEqual(outcome, expected)
      const rows = await db.query<{ sealed_key: Buffer }>(
        'select sealed_key from devices order by id',
      )
      assert.deepEqual(rows[0]?.sealed_key, lost)
      assert.deepEqual(rows[1]?.sealed_key.subarray(1, 5), keyIdOf(newKey))
    })
  }
})
