import assert from 'node:assert/strict'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { chirpStackFiles, thingsNetworkFiles, writeFolder } from '../../../../test/catalogues.ts'
import { startTestService } from '../../../../test/service.ts'

/** The operator's folder has catalogues of both layouts, in folders of their own. */
const folder = await writeFolder({
  ...Object.fromEntries(
    Object.entries(chirpStackFiles()).map(([path, text]) => [`profiles/${path}`, text]),
  ),
  ...thingsNetworkFiles,
  'profiles/vendors/acme/devices/broken.toml': '[device\nname = "Broken"',
})
after(() => rm(folder, { recursive: true }))
await symlink('/etc/passwd', join(folder, 'profiles/vendors/acme/devices/linked.toml'))
const service = await startTestService({ after }, { catalogueDir: folder })
const { call } = service

const search = async (query: string) => {
  const answer = await call('GET', `/v1/device-catalogue?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { total: number; data: { id: string; vendor: string; model: string }[] }
}
const idsOf = async (query: string) => (await search(query)).data.map(({ id }) => id)
const probe = 'folder.acme.cold-probe'
const gauge = 'folder.borealis.rain-gauge'

describe('The device catalogue', () => {
  test('has the models that the service reads itself', async () => {
    const { data, total } = await search('source=builtin&limit=200')
    assert.ok(total > 30)
    const door = data.find(({ id }) => id === 'builtin.radio-bridge.16')
    assert.partialDeepStrictEqual(door, {
      vendor: 'Radio Bridge',
      part_number: 'RBS301-DWS',
      source: { id: 'builtin', kind: 'built_in' },
      device_type: 16,
    })
    assert.ok(
      data.some(({ id, vendor }) => id === 'builtin.multitech.16' && vendor === 'MultiTech'),
    )
  })

  test('finds any part of a name, in any order of the words', async () => {
    assert.deepEqual(await idsOf('q=OLD%20acm'), [probe])
    assert.deepEqual(await idsOf('q=rg-2'), [gauge])
    assert.deepEqual(await idsOf('q=%25'), [])
    assert.deepEqual(await idsOf('q=nothing-of-that'), [])
    const named = await idsOf('q=temperature')
    assert.ok(named.includes(probe), 'the description counts too')
    assert.notEqual(named[0], probe, 'and names come first')
  })

  test('narrows by vendor, region, version and source', async () => {
    assert.deepEqual(await idsOf('vendor=Acme&region=US915'), [probe])
    assert.deepEqual(await idsOf('vendor=Acme'), [probe, 'folder.acme.valve'])
    assert.deepEqual(await idsOf('q=firmware%201.1'), [gauge])
    assert.equal((await search('source=folder')).total, 3)
    assert.equal((await search('source=folder&limit=1&offset=2')).data.length, 1)
    const vendors = (await call('GET', '/v1/device-catalogue/vendors')).body.data
    assert.deepEqual(vendors.at(0), { vendor: 'Acme', models: 2 })
  })

  test('finds the model of a QR code, and of version_ids', async () => {
    assert.deepEqual(await idsOf('profile=006d0006'), ['folder.acme.valve'])
    assert.deepEqual(await idsOf('profile=02FA0003'), [gauge])
    assert.deepEqual(await idsOf('brand_id=borealis&model_id=rain-gauge'), [gauge])
    assert.equal((await call('GET', '/v1/device-catalogue?profile=12')).status, 422)
  })

  test('shows the versions of a model, and how they speak', async () => {
    const { data } = (await call('GET', `/v1/device-catalogue/${gauge}`)).body
    assert.partialDeepStrictEqual(data, {
      part_numbers: ['BO-RG-2'],
      hardware_versions: ['2.0'],
      regions: ['EU868', 'US915'],
      data_sheet: 'https://docs.example.com/rain.pdf',
      picture: null,
      examples: 2,
    })
    assert.partialDeepStrictEqual(data.versions[0].profiles[0], {
      region: 'EU868',
      mac_version: '1.0.4',
      device_class: 'C',
      profile_id: '02FA0003',
      details: { 'class_c.timeout_secs': 60 },
    })
    assert.equal((await call('GET', '/v1/device-catalogue/folder.acme.broken')).status, 404)
    assert.equal((await call('GET', '/v1/device-catalogue/folder.acme.linked')).status, 404)
    assert.equal((await call('GET', '/v1/device-catalogue/9.acme.valve')).status, 404)
  })
})

describe('A chosen model', () => {
  test('becomes a device type with codec, test cases and profile', async () => {
    const body = { region: 'EU868' }
    const made = await call('POST', `/v1/device-catalogue/${probe}/types`, { body })
    assert.equal(made.status, 201, made.text)
    const { data } = made.body
    assert.equal(data.type_name, 'Acme Cold probe')
    assert.deepEqual(
      data.example_results.map(({ passed }: { passed: boolean }) => passed),
      [true],
    )
    assert.partialDeepStrictEqual(data.catalogue, {
      model_id: probe,
      firmware_version: '1.2',
      region: 'EU868',
      data_sheet: 'https://docs.example.com/cold-probe.pdf',
      profile: { mac_version: '1.0.3', device_class: 'A' },
    })
    const stored = (await call('GET', `/v1/device-types/${data.id}`)).body.data
    assert.deepEqual(stored.catalogue, data.catalogue)
    const [listed] = (await call('GET', '/v1/device-catalogue?q=cold%20probe')).body.data
    assert.equal(listed.device_type, data.id)
  })

  test('keeps files of code apart, and knows its units', async () => {
    const made = await call('POST', `/v1/device-catalogue/${gauge}/types`, { body: {} })
    const { data } = made.body
    assert.equal(data.example_results.length, 2)
    assert.ok(data.example_results.every(({ passed }: { passed: boolean }) => passed))
    assert.equal(data.part_number, 'BO-RG-2')
    assert.deepEqual(data.measurements, [
      { name: 'rain', quantity: 'rain.intensity', unit: 'mm/h' },
    ])
    assert.equal(data.catalogue.profile, null, 'no region was chosen of two')
  })

  test('is refused with what is wrong', async () => {
    const take = (id: string, body: object) =>
      call('POST', `/v1/device-catalogue/${id}/types`, { body })
    assert.match((await take('builtin.radio-bridge.16', {})).text, /built in.*type 16/)
    assert.deepEqual((await take(probe, { firmware_version: '9' })).body.errors, {
      firmware_version: ['The model has no such firmware version.'],
    })
    assert.deepEqual((await take(probe, { region: 'CN470' })).body.errors, {
      region: ['The model has no profile for this region.'],
    })
    assert.match((await take(probe, { firmware_version: '1.0' })).text, /no codec/)
    assert.equal((await take('folder.acme.none', {})).status, 404)
  })
})
