import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  chirpStackFiles,
  type Files,
  startGitHost,
  thingsNetworkFiles,
  zipOf,
} from '../../../../test/catalogues.ts'
import { makeOrganization } from '../../../../test/chirpstack-uplinks.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { call } = service
const host = await startGitHost({ token: 'an-invented-token' })
after(() => host.close())

const add = (body: object) => call('POST', '/v1/device-catalogue/sources', { body })
const addZip = (files: Files, more = {}) =>
  add({ name: 'Ours', archive: zipOf(files, more).toString('base64') })
const search = async (query: string) =>
  (await call('GET', `/v1/device-catalogue?${query}`)).body.data as { id: string }[]

/** The first words of a refusal. */
async function refusal(answer: ReturnType<typeof call>): Promise<string> {
  const { status, body } = await answer
  assert.equal(status, 422)
  return body.message
}

describe('A zip', () => {
  test('gives its models, until it is deleted', async () => {
    const added = await addZip({ ...chirpStackFiles(), ...thingsNetworkFiles })
    assert.equal(added.status, 201, added.text)
    const { id } = added.body.data
    assert.partialDeepStrictEqual(added.body.data, {
      kind: 'zip',
      models: 3,
      vendors: 2,
      problems: [],
    })
    assert.deepEqual(
      await search('q=rain&vendor=Borealis%20Ltd.'),
      await search(`source=${id}&q=gauge`),
    )
    const made = await call('POST', `/v1/device-catalogue/${id}.borealis.rain-gauge/types`, {
      body: {},
    })
    assert.equal(made.status, 201, made.text)
    assert.equal((await search(`profile=02FA0003`)).length, 1)
    assert.equal((await call('DELETE', `/v1/device-catalogue/sources/${id}`)).status, 204)
    assert.deepEqual(await search(`source=${id}`), [])
    assert.equal((await call('GET', `/v1/device-types/${made.body.data.id}`)).status, 200)
    const update = await call('GET', `/v1/device-types/${made.body.data.id}/catalogue-update`)
    assert.equal(update.body.data.is_missing, true)
  })

  test('takes the place of the former one', async () => {
    const { id } = (await addZip(chirpStackFiles())).body.data
    const archive = zipOf(thingsNetworkFiles).toString('base64')
    const path = `/v1/device-catalogue/sources/${id}`
    const changed = await call('PATCH', path, { body: { name: 'Theirs', archive } })
    assert.partialDeepStrictEqual(changed.body.data, { name: 'Theirs', models: 1 })
    assert.equal((await call('POST', `${path}/fetch`)).status, 422)
    await call('DELETE', path)
  })

  test('is refused with what is wrong with it', async () => {
    assert.equal(await refusal(add({ name: 'Ours', archive: 'AAAA' })), 'It is no zip.')
    assert.match(await refusal(add({ name: 'Ours' })), /^Either the url or the archive/)
    assert.match(await refusal(addZip({ 'read.me': '' })), /^It has no models/)
    assert.match(await refusal(addZip({ '../../etc/a.toml': '' })), /^It has a path that leads out/)
    assert.match(
      await refusal(addZip({ 'a.toml': '/etc/passwd' }, { mode: 0o120777 })),
      /is a link/,
    )
    const cut = zipOf(chirpStackFiles()).subarray(200).toString('base64')
    assert.match(await refusal(add({ name: 'Ours', archive: cut })), /^It is damaged/)
    const bomb = zipOf({ 'a.toml': ' '.repeat(3_000_000) })
    // Its directory says that it is small.
    bomb.writeUInt32LE(10, bomb.lastIndexOf('PK\x01\x02') + 24)
    assert.match(
      await refusal(add({ name: 'Ours', archive: bomb.toString('base64') })),
      /larger than the archive says/,
    )
  })

  test('tells which files cannot be read, and has the others', async () => {
    const files = {
      ...thingsNetworkFiles,
      'vendor/borealis/index.yaml': 'endDevices: [rain-gauge, laughs, no-such]',
      'vendor/borealis/laughs.yaml': 'name: &a [x, x]\nfirmwareVersions: [*a, *a]\n',
    }
    const { data } = (await addZip(files)).body
    assert.equal(data.models, 1)
    assert.equal(data.problems.length, 2)
    assert.match(data.problems[0], /laughs\.yaml cannot be read: .*alias/i)
    assert.match(data.problems[1], /no-such\.yaml is missing/)
  })
})

describe('A harmful archive', () => {
  test('is refused before much is done for it', async () => {
    const began = performance.now()
    const { status } = await add({ name: 'Blanks', archive: `${' '.repeat(200_000)}!` })
    assert.equal(status, 422)
    assert.ok(performance.now() - began < 2000, 'blanks are passed over once')
    const archive = overlapping(zipOf(chirpStackFiles())).toString('base64')
    const answer = await add({ name: 'Overlaps', archive })
    assert.deepEqual(answer.body.errors, { archive: ['Its files overlap.'] })
  })

  test('has halves of characters left out, and names the file that cannot be stored', async () => {
    const files = {
      ...chirpStackFiles(),
      'vendors/acme/devices/cold-probe.toml': `[device]\nname = "${'x'.repeat(254)}\u{1f600}"\n`,
      'vendors/acme/devices/valve.toml': `[device]
name = "Valve"
[[device.firmware]]
version = "2.0"
profiles = ["EU868.toml"]
codec = "odd.js"
`,
      'vendors/acme/codecs/odd.js': 'function decodeUplink() { return { data: {} } } // \0',
    }
    const { data } = (await addZip(files)).body
    assert.equal(data.models, 1)
    assert.match(data.problems[0], /valve\.toml has a character that cannot be stored/)
  })
})

/** All entries name the first file, and more bytes than there are. */
function overlapping(zip: Buffer): Buffer {
  const entry = Buffer.from('PK\x01\x02', 'latin1')
  for (let at = zip.indexOf(entry); at >= 0; at = zip.indexOf(entry, at + 1)) {
    zip.writeUInt32LE(zip.length, at + 20)
    zip.writeUInt32LE(0, at + 42)
  }
  return zip
}

describe('A repository', () => {
  test('is read at its newest commit, and gives updates that show what they change', async () => {
    host.push('1'.repeat(40), chirpStackFiles())
    const body = { name: 'Profiles', url: host.url, token: 'an-invented-token' }
    const added = await add(body)
    assert.equal(added.status, 201, added.text)
    assert.doesNotMatch(added.text, /an-invented/)
    const { id } = added.body.data
    assert.partialDeepStrictEqual(added.body.data, {
      kind: 'git',
      revision: '1'.repeat(40),
      models: 2,
      has_token: true,
    })
    const model = `/v1/device-catalogue/${id}.acme.cold-probe`
    const made = (await call('POST', `${model}/types`, { body: { region: 'US915' } })).body.data
    const path = `/v1/device-types/${made.id}/catalogue-update`
    const before = (await call('GET', path)).body.data
    assert.partialDeepStrictEqual(before, { is_available: false, is_changed_here: false })

    // The same commit is not fetched twice.
    const asked = host.asked.length
    assert.equal((await call('POST', `/v1/device-catalogue/sources/${id}/fetch`)).status, 200)
    assert.equal(host.asked.length, asked + 1)

    const stale = await call('POST', path, { body: { revision: 'of another time' } })
    assert.equal(stale.status, 409, stale.text)

    const source = `function decodeUplink(input) { return { data: { temperature: input.bytes[1] } } }`
    host.push('2'.repeat(40), chirpStackFiles({ source }))
    const fetched = await call('POST', `/v1/device-catalogue/sources/${id}/fetch`)
    assert.equal(fetched.body.data.revision, '2'.repeat(40))
    const { data } = (await call('GET', path)).body
    assert.partialDeepStrictEqual(data, { is_available: true, is_changed_here: false, changes: [] })
    assert.deepEqual(data.replay, { uplinks: [], changed: 0 })
    assert.equal(data.example_results[0].passed, false, 'the example says what the codec did')

    const updated = await call('POST', path)
    assert.equal(updated.status, 200, updated.text)
    assert.equal(updated.body.data.codec, source)
    assert.equal((await call('GET', path)).body.data.is_available, false)
    const own = { codec: `${source} // mine` }
    await call('PATCH', `/v1/device-types/${made.id}`, { body: own })
    assert.equal((await call('GET', path)).body.data.is_changed_here, true)
  })

  test('is refused with what is wrong with its address', async () => {
    const named = (url: string, more = {}) => add({ name: 'Profiles', url, ...more })
    assert.match(await refusal(named(host.url)), /or it needs a token/)
    const token = 'an-invented-token'
    assert.match(await refusal(named(host.url, { token, ref: 'none' })), /no branch or tag none/)
    assert.match(await refusal(named(host.url, { token, ref: 'other' })), /has no archives/)
    assert.match(await refusal(named(host.url, { token, folder: 'none' })), /has no models/)
    assert.match(await refusal(named('http://127.0.0.1:1/a/b')), /^It cannot be reached/)
    assert.match(await refusal(named('https://169.254.169.254/a/b')), /may not be called/)
    assert.match(await refusal(named('ftp://example.test/a')), /^The url must be like/)
  })

  test('keeps what it had when it cannot be read again, and says why', async () => {
    host.push('3'.repeat(40), chirpStackFiles())
    const token = 'an-invented-token'
    const { id } = (await add({ name: 'Profiles', url: host.url, token })).body.data
    const path = `/v1/device-catalogue/sources/${id}`
    await call('PATCH', path, { body: { token: null } })
    assert.match(await refusal(call('POST', `${path}/fetch`)), /needs a token/)
    const listed = (await call('GET', '/v1/device-catalogue/sources')).body.data
    const found = listed.find((one: { id: string }) => one.id === id)
    assert.partialDeepStrictEqual(found, { models: 2, has_token: false })
    assert.match(found.error, /needs a token/)
  })
})

test('Another organization has none of it', async () => {
  const as = await makeOrganization(service, 'other')
  const listed = (await call('GET', '/v1/device-catalogue/sources', { as })).body.data
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    ['builtin'],
  )
  const foreign = (await addZip(chirpStackFiles())).body.data.id
  const paths = [`sources/${foreign}/fetch`, `${foreign}.acme.cold-probe/types`]
  for (const path of paths) {
    assert.equal((await call('POST', `/v1/device-catalogue/${path}`, { as, body: {} })).status, 404)
  }
})
