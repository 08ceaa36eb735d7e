import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { svgPlan, tinyPhoto } from '../../../../test/floor-plans.ts'
import { joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

/** Photos of devices: added, shown, named, and gone with the device. */

const service = await startTestService({ after })
const { call, services } = service
const door = await addLocalDevice(service, 1)
await addLocalDevice(service, 2)
const photosOf = (device: number) => `/v1/devices/${euiOf(device)}/photos`

/** The smallest JPEG that the service reads: 32 by 16 pixels, with a place in its comment. */
const thumbnail = Buffer.from(
  'ffd8' +
    `fffe0008${Buffer.from('48.137').toString('hex')}` +
    'ffc000070800100020' +
    'ffda0002' +
    '0102ffd9',
  'hex',
)

async function add(device: number, body: object = {}) {
  const answer = await call('POST', photosOf(device), { body: { image: tinyPhoto, ...body } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

test('a photo of a device has a picture, a small one and a caption', async () => {
  const small = thumbnail.toString('base64')
  const photo = await add(1, { thumbnail: small, caption: 'Behind the cabinet' })
  const { id, user_name: _, created_at: __, ...rest } = photo
  assert.deepEqual(rest, {
    ...{ caption: 'Behind the cabinet', type: 'image/png', width: 1, height: 1 },
    bytes: Buffer.from(tinyPhoto, 'base64').length,
  })
  assert.deepEqual((await call('GET', photosOf(1))).body.data, [photo])
  const image = await call('GET', `${photosOf(door)}/${id}/image`)
  assert.equal(image.headers['content-type'], 'image/png')
  assert.match(String(image.headers['content-security-policy']), /default-src 'none'.*sandbox/)
  const tiny = await call('GET', `${photosOf(1)}/${id}/image?size=thumbnail`)
  assert.equal(tiny.headers['content-type'], 'image/jpeg')
  assert.doesNotMatch(tiny.text, /48\.137/)
  const headers = { 'if-none-match': String(tiny.headers.etag) }
  const again = await call('GET', `${photosOf(1)}/${id}/image?size=thumbnail`, { headers })
  assert.equal(again.status, 304)
  const renamed = await call('PATCH', `${photosOf(1)}/${id}`, { body: { caption: 'The meter' } })
  assert.equal(renamed.body.data.caption, 'The meter')
  const emptied = await call('PATCH', `${photosOf(1)}/${id}`, { body: { caption: null } })
  assert.equal(emptied.body.data.caption, null)
  // By the path of another device it is not there.
  assert.equal((await call('GET', `${photosOf(2)}/${id}/image`)).status, 404)
  assert.equal((await call('DELETE', `${photosOf(2)}/${id}`)).status, 404)
  assert.equal((await call('DELETE', `${photosOf(1)}/${id}`)).status, 204)
  assert.deepEqual((await call('GET', photosOf(1))).body.data, [])
})

const faults: [string, object, string, RegExp][] = [
  ['blanks without an end', { image: `${' '.repeat(1_000_000)}!` }, 'image', /base64/],
  ['a drawing', { image: svgPlan() }, 'image', /PNG or JPEG file/],
  ['a document', { image: Buffer.from('%PDF-1.7').toString('base64') }, 'image', /PNG, JPEG/],
  ['too much', { image: 'A'.repeat(3 * 1024 * 1024) }, 'image', /2 MB/],
  ['a large thumbnail', { thumbnail: 'A'.repeat(90 * 1024) }, 'thumbnail', /64 kB/],
  ['a thumbnail of another kind', { thumbnail: tinyPhoto }, 'thumbnail', /JPEG/],
  ['a caption of two lines', { caption: 'A\nB' }, 'caption', /one line/],
]

for (const [what, changes, member, words] of faults) {
  test(`a photo with ${what} is refused by the name of the member`, async () => {
    const answer = await call('POST', photosOf(1), { body: { image: tinyPhoto, ...changes } })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [member]])
    assert.match(answer.body.errors[member][0], words)
  })
}

test('photos are read by who reads the device, and changed by who manages devices', async () => {
  const group = await addGroup(service, 'House', { selectedDevices: [door] })
  const { id } = await add(1)
  const reader = await joinMember(service, 'reader@example.test', [])
  const body = { image: tinyPhoto }
  const image = `${photosOf(1)}/${id}/image`
  assert.equal((await call('GET', image, { as: reader })).status, 200)
  assert.equal((await call('POST', photosOf(1), { as: reader, body })).status, 403)
  assert.equal((await call('DELETE', `${photosOf(1)}/${id}`, { as: reader })).status, 403)
  const key = await makeKey(service, { group, permissions: ['manage_devices'] })
  assert.equal((await key.call('POST', photosOf(1), { body })).status, 201)
  assert.equal((await key.call('GET', photosOf(2))).status, 404)
})

test('a device has ten photos, which go with it', async () => {
  for (let number = 0; number < 10; number += 1) await add(2)
  const one = { body: { image: tinyPhoto } }
  const refused = await call('POST', photosOf(2), one)
  assert.deepEqual(
    [refused.status, refused.body.message],
    [409, 'The device has 10 photos already. Delete one first.'],
  )
  assert.equal((await call('DELETE', `/v1/devices/${euiOf(2)}`)).status, 204)
  const left = await services.db.query(
    'select device_photos.id from device_photos join devices using (organization_id) where devices.id = device_id and eui = $1',
    [euiOf(2)],
  )
  assert.deepEqual(left, [])
  assert.equal((await call('GET', photosOf(2))).status, 404)
})
