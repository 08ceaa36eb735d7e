import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

/** Where the maps of the console come from, as organization 1 chooses, and the file that the service serves. */

const directory = await mkdtemp(join(tmpdir(), 'maps-'))
after(() => rm(directory, { recursive: true }))
await writeFile(join(directory, 'hamburg.pmtiles'), Buffer.from('PMTiles and 20 more.'))
await writeFile(join(directory, 'notes.txt'), 'none of them')
const service = await startTestService({ after }, { maps: { directory } })
const { call, services } = service

const put = (body: object, as = service.owner) => call('PUT', '/v1/map-settings', { as, body })
const part = (range?: string) =>
  call('GET', '/map.pmtiles', { as: null, headers: range === undefined ? {} : { range } })

test('the map is an outline until organization 1 chooses another', async () => {
  const { body } = await call('GET', '/v1/map-settings')
  const none = { kind: 'outline', url: null, file: null, attribution: '', is_fixed: false }
  assert.deepEqual(body.data, { ...none, files: ['hamburg.pmtiles'] })
  assert.equal(await services.map.read(), undefined)
  assert.equal((await part('bytes=0-6')).status, 404)

  const url = 'https://tiles.example.test/{z}/{x}/{y}.png'
  const chosen = await put({ kind: 'address', url, attribution: '© Us', file: 'ignored' })
  assert.deepEqual([chosen.status, chosen.body.data.url, chosen.body.data.file], [200, url, null])
  assert.deepEqual(await services.map.read(), { url, attribution: '© Us' })
  const { body: told } = await call('GET', '/v1/fleet/activity?limit=1')
  assert.deepEqual([told.data[0].kind, told.data[0].action], ['organization', 'given another map'])
})

test("OpenStreetMap's server is asked only after an agreement", async () => {
  const refused = await put({ kind: 'openstreetmap' })
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['agreed']])
  assert.equal((await put({ kind: 'openstreetmap', agreed: true })).status, 200)
  const { url, attribution } = (await services.map.read()) ?? {}
  assert.equal(url, 'https://tile.openstreetmap.org/{z}/{x}/{y}.png')
  assert.equal(attribution, '© OpenStreetMap contributors')
})

test('a file of the directory of maps is served by parts, and no other file', async () => {
  for (const file of ['notes.txt', '../maps/hamburg.pmtiles', '', 'missing.pmtiles']) {
    const { status, body } = await put({ kind: 'file', file })
    assert.deepEqual([status, Object.keys(body.errors)], [422, ['file']], file)
  }
  assert.equal((await put({ kind: 'address', url: 'javascript:{z}{x}{y}' })).status, 422)
  assert.equal((await put({ kind: 'file', file: 'hamburg.pmtiles' })).status, 200)
  const first = await part('bytes=0-6')
  assert.deepEqual([first.status, first.text], [206, 'PMTiles'])
  assert.equal(first.headers['content-range'], 'bytes 0-6/20')
  assert.match(String(first.headers.etag), /^"/)
  assert.equal((await part('bytes=8-999')).text, 'and 20 more.')
  for (const range of [undefined, 'bytes=20-21', 'bytes=3-2', 'bytes=-5', 'bytes=0-1,4-5', 'x']) {
    const { status, headers } = await part(range)
    assert.deepEqual([status, headers['content-range']], [416, 'bytes */20'], String(range))
  }
})

test('a tenant does not choose for others, and what the process is started with wins', async () => {
  const tenant = await foundOrganization(service, 'tenant@example.test')
  assert.equal((await put({ kind: 'outline' }, tenant)).status, 403)
  assert.equal((await call('GET', '/v1/map-settings', { as: tenant })).status, 403)
  const viewer = await joinMember(service, 'viewer@example.test', [])
  assert.equal((await put({ kind: 'outline' }, viewer)).status, 403)

  services.map.fixed = { url: '/map.pmtiles', attribution: '', file: '/srv/maps/own.pmtiles' }
  const { body } = await call('GET', '/v1/map-settings')
  assert.deepEqual([body.data.file, body.data.is_fixed], ['own.pmtiles', true])
  assert.equal((await put({ kind: 'outline' })).status, 409)
})
