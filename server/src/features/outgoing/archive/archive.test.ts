import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  deviceProfile,
  fillFleet,
  lookAt,
  lorawan,
  manyUplinks,
  readFrom,
} from '../../../../test/archived-fleet.ts'
import { connectChirpStack, makeUp, post as postUp } from '../../../../test/chirpstack-uplinks.ts'
import { runCommand } from '../../../../test/command.ts'
import { addDevice, deviceKey, doorType, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { restoreArchive } from './restore-archive.ts'
import { writeArchive } from './write-archive.ts'

/** Everything of an organization as plain files, and back in. */

const service = await startTestService({ after })
const { services, databaseUrl, owner } = service
const folder = await mkdtemp(join(tmpdir(), 'archive-'))
after(() => rm(folder, { recursive: true }))

const read = (path: string, as: Login) => readFrom(service, path, as)

function restore(directory: string, as: Login, changes: object = {}) {
  const { db, sealer } = services
  return restoreArchive({
    ...{ db, sealer, directory, organizationId: as.organizationId, isDryRun: false },
    ...{ now: services.now(), signal: new AbortController().signal, tell: () => {} },
    ...changes,
  })
}

await fillFleet(service)
const archive = join(folder, 'archive')

test('everything of an organization becomes plain files', async () => {
  const { organizationId } = owner
  const manifest = await writeArchive(databaseUrl, archive, {
    ...{ organizationId, sealer: services.sealer, hasCsv: true, tell: () => {} },
  })
  const { members } = manifest
  const total = manyUplinks + 5
  assert.deepEqual(
    Object.values(members).map((member) => member?.records),
    [2, 2, 1, 1, 4, 1, 1, 1, 3, 2, total, total],
  )
  assert.equal((await readdir(archive)).length, 13)
  const devices = await readFile(join(archive, 'devices.ndjson'), 'utf8')
  assert.equal(devices.match(new RegExp(deviceKey, 'g'))?.length, 3)
  assert.equal(devices.match(/"variables":\{"offset":"invented"\}/g)?.length, 1)
  assert.deepEqual(await readRadio(archive, 2), { lorawan, device_profile: deviceProfile })
  const accounts = await readFile(join(archive, 'network-accounts.ndjson'), 'utf8')
  assert.doesNotMatch(accounts, /api_key|invented/)
  const lines = gunzipSync(await readFile(join(archive, 'uplinks.ndjson.gz'))).toString()
  const [first = ''] = lines.split('\n')
  const { ordinal, payload, event_type, gateways } = JSON.parse(first)
  assert.deepEqual([ordinal, payload, event_type], [1, '100301', 'DOOR_SENSOR'])
  assert.ok(gateways.length > 0)
  const csv = gunzipSync(await readFile(join(archive, 'uplinks.csv.gz'))).toString()
  assert.equal(csv.split('\r\n').length, total + 2)
  assert.match(csv, /\r\n[^,]*,[^,]*,00AA000000000001,Device 1,chirpstack,DOOR_SENSOR,/)
  await assert.rejects(
    writeArchive(databaseUrl, archive, {
      ...{ organizationId, sealer: undefined, hasCsv: false, tell: () => {} },
    }),
    /is not empty/,
  )
})

async function readRadio(directory: string, number: number) {
  const lines = (await readFile(join(directory, 'devices.ndjson'), 'utf8')).trimEnd().split('\n')
  const devices = lines.map((line) => JSON.parse(line))
  const { lorawan, device_profile } = devices.find(({ device_id }) => device_id === euiOf(number))
  return { lorawan, device_profile }
}

test('an archive comes into another organization as it was, and no network is told', async () => {
  const heir = await foundOrganization(service, 'heir@example.test')
  const hook = { name: 'Hook', url: 'https://hooks.example.test/', events: ['uplink'] }
  const made = await service.call('POST', '/v1/webhooks', { as: heir, body: hook })
  assert.equal(made.status, 201, made.text)
  const dry = await restore(archive, heir, { isDryRun: true })
  assert.deepEqual(dry.result.devices, { added: 4, known: 0 })
  assert.deepEqual(dry.result.uplinks, { added: manyUplinks + 5, known: 0 })
  assert.deepEqual((await read('/fleet/devices', heir)).data, [])

  // Ctrl-C after the first uplinks.
  const stopping = new AbortController()
  const tell = (what: string) => what === 'uplinks' && stopping.abort(new Error('Stopped.'))
  await assert.rejects(restore(archive, heir, { signal: stopping.signal, tell }), /Stopped/)
  assert.equal((await lookAt(service, heir)).total, 1000)
  const { result } = await restore(archive, heir)
  assert.deepEqual(result.uplinks, { added: manyUplinks - 995, known: 1000 })
  assert.deepEqual(await lookAt(service, heir), await lookAt(service, owner))

  const [rooms, ...others] = (await read('/dashboards?made_by=members', heir)).data
  assert.deepEqual([rooms.name, others], ['Rooms', []])
  const { widgets, variable } = (await read(`/dashboards/${rooms.id}`, heir)).data
  const [house, hall] = (await read('/fleet/groups', heir)).data
  const [{ id: probe }, { id: valve }] = (await read('/device-types', heir)).data
  const origin = (await read(`/device-types/${valve}`, heir)).data.catalogue
  assert.partialDeepStrictEqual(origin, {
    vendor: 'Acme',
    source: 'Ours',
    profile: { region: 'EU868', device_class: 'C', details: { 'class_c.timeout_secs': 30 } },
  })
  const [, { id: first }] = (await read('/device-types', owner)).data
  assert.deepEqual(origin, (await read(`/device-types/${first}`, owner)).data.catalogue)
  assert.deepEqual(variable, { kind: 'group', group: house.id })
  assert.equal(widgets[0].source.group, hall.id)
  assert.equal(widgets[1].source.device_type, probe)
  const [cold, silent] = (await read('/alert-rules', heir)).data
  assert.deepEqual([cold.group, cold.type, cold.recipients], [hall.id, probe, []])
  assert.equal(cold.settings.conditions[0].than.group, house.id)
  assert.deepEqual([silent.name, silent.is_active], ['Silent', false])
  const shown = await service.call('POST', '/v1/dashboards/data', { as: heir, body: { widgets } })
  for (const { error } of shown.body.data) assert.equal(error, undefined)

  const again = await restore(archive, heir)
  assert.ok(Object.values(again.result).every(({ added }) => added === 0))
  assert.equal((await lookAt(service, heir)).total, manyUplinks + 5)
  const calls = await services.db.query('select from provisioning where organization_id = $1', [
    heir.organizationId,
  ])
  assert.deepEqual(calls, [])
  const group = (await read('/fleet/groups', heir)).data[1]
  assert.match(JSON.stringify(await read(`/device-groups/${group.id}`, heir)), RegExp(deviceKey))
  const { data } = await read(`/devices/${euiOf(2)}/variables`, heir)
  assert.deepEqual(data.variables, { offset: 'invented' })
  const next = join(folder, 'next')
  await writeArchive(databaseUrl, next, {
    ...{ organizationId: heir.organizationId, sealer: services.sealer, hasCsv: false },
    tell: () => {},
  })
  assert.deepEqual(await readRadio(next, 2), await readRadio(archive, 2))
  const webhook = await read(`/webhooks/${made.body.data.id}`, heir)
  assert.equal(webhook.data.health.waiting, 0)
  const one = await read(`/devices/${euiOf(2)}/uplink?itemsPerPage=1000&page=2`, heir)
  assert.equal(one.meta.total, manyUplinks + 1)
})

test('an archive that is cut or changed, or comes too late, is refused in words', async () => {
  const late = await foundOrganization(service, 'late@example.test')
  const callback = await connectChirpStack(service, { as: late })
  await addDevice(service, 1, {}, late)
  await postUp(service, callback, makeUp({ eui: euiOf(1) }))
  await assert.rejects(restore(archive, late), /has uplinks of its own/)
  assert.equal((await read('/devices/all/uplink', late)).meta.total, 1)
  await assert.rejects(restore(archive, { ...late, organizationId: 99 }), /no organization 99/)

  const words = ['--organization', '1', '--json']
  const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: 'x'.repeat(32) }
  const cut = join(folder, 'cut')
  const end = await runCommand(['export', cut, ...words], settings)
  assert.equal(JSON.parse(end.output).members?.devices.records, 4, end.output + end.errors)
  const secrets = /device_key|variables|networkKey/
  assert.doesNotMatch(await readFile(join(cut, 'devices.ndjson'), 'utf8'), secrets)
  assert.equal((await readRadio(cut, 2)).lorawan.version, '1.1')
  const whole = await runCommand(['import', 'archive', cut, '--dry-run', ...words], settings)
  assert.deepEqual(JSON.parse(whole.output).devices, { added: 0, known: 4 })
  await appendFile(join(cut, 'devices.ndjson'), '\n')
  await assert.rejects(restore(cut, late), /devices.ndjson is not as it was written/)
  await rm(join(cut, 'manifest.json'))
  await assert.rejects(restore(cut, late), /is no archive: it has no manifest.json/)
  assert.ok(doorType.id)
})

/** A copy of the archive whose files were changed, and whose manifest says so. */
async function changeArchive(
  name: string,
  changes: Record<string, (text: string) => Buffer | string>,
) {
  const directory = join(folder, name)
  await cp(archive, directory, { recursive: true })
  const path = join(directory, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  for (const [file, change] of Object.entries(changes)) {
    const content = change(await readFile(join(directory, file), 'utf8'))
    await writeFile(join(directory, file), content)
    const member = file.replace(/\..*/, '').replace('-', '_')
    manifest.members[member].sha256 = createHash('sha256').update(content).digest('hex')
  }
  await writeFile(path, JSON.stringify(manifest))
  return directory
}

/** Archived devices through the operator's account, in the place of the archive's own. */
function ofOperator(text: string) {
  return text.replaceAll('"register_method":"user_account"', '"register_method":"vendor"')
}

test('an EUI that another organization has at the operator is told as a fault of its row', async () => {
  const [first, second] = [
    await foundOrganization(service, 'first@example.test'),
    await foundOrganization(service, 'second@example.test'),
  ]
  const directory = await changeArchive('operator', { 'devices.ndjson': ofOperator })
  await restore(directory, first)
  const begun = performance.now()
  for (const isDryRun of [true, false]) {
    await assert.rejects(
      restore(directory, second, { isDryRun }),
      /Another organization has these devices of devices\.ndjson .*: 00AA000000000001 \(chirpstack\), /,
    )
  }
  assert.ok(performance.now() - begun < 5000)
  assert.deepEqual((await read('/fleet/devices', second)).data, [])
})

test('names of an archive come back in as one line', async () => {
  const heir = await foundOrganization(service, 'names@example.test')
  const directory = await changeArchive('names', {
    'devices.ndjson': (text) => text.replace('"Device 1"', '"Device\\r\\n1\u202e"'),
  })
  await restore(directory, heir)
  const { data } = await read('/fleet/devices', heir)
  assert.equal(data[0].device_name, 'Device 1')
})

test('what an archive has twice is told', async () => {
  const heir = await foundOrganization(service, 'twice@example.test')
  const twice = (text: string) => text + text
  for (const [file, kind] of [
    ['devices.ndjson', 'devices'],
    ['gateways.ndjson', 'gateways'],
  ] as const) {
    const directory = await changeArchive(`twice ${kind}`, { [file]: twice })
    const path = join(directory, 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8'))
    await assert.rejects(restore(directory, heir), new RegExp(`${kind}\\.ndjson has more lines`))
    manifest.members[kind].records *= 2
    await writeFile(path, JSON.stringify(manifest))
    await assert.rejects(
      restore(directory, heir),
      new RegExp(`${kind}\\.ndjson has these twice: .*00`),
    )
  }
})

test('a small file that inflates to gigabytes is refused in words', async () => {
  const heir = await foundOrganization(service, 'bomb@example.test')
  const bombs: [string, Buffer, RegExp][] = [
    // 768 MB of one line, more than a text may have, in 0.7 MB.
    ['line', deflateMany(Buffer.alloc(2 ** 20, 'x'), 768), /Line 1 .* longer than 4194304 char/],
    [
      'blanks',
      deflateMany(Buffer.alloc(2 ** 20, '\n'), 64),
      /Line 1 of uplinks.* cannot be read\.$/,
    ],
    [
      'cut',
      gzipSync('{"').subarray(0, 12),
      /uplinks\.ndjson\.gz cannot be read: it is no whole gzip/,
    ],
  ]
  for (const [name, bomb, words] of bombs) {
    const directory = await changeArchive(name, { 'uplinks.ndjson.gz': () => bomb })
    await assert.rejects(restore(directory, heir), words)
  }
})

/** Many times the same block, as gzip files that follow one another (RFC 1952, 2.2). */
function deflateMany(block: Buffer, times: number): Buffer {
  const one = gzipSync(block)
  return Buffer.concat(Array.from({ length: times }, () => one))
}
