import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'

/** The map of the fleet, and the places of devices as people enter them. */

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 3 })
const { body: listed } = await console.call('GET', '/fleet/devices?sort=device_id')
const [first, second]: { device_id: string; device_name: string }[] = listed.data
assert.ok(first && second)

const placeOf = async (eui: string) => {
  const { body } = await console.call('GET', `/fleet/devices/${eui}`)
  const { latitude, longitude, place_source } = body.data
  return [latitude, longitude, place_source]
}

test('a place is entered by hand and from a phone, and taken away', async (t) => {
  const page = await console.enter(`/devices/${first.device_id}`)
  t.after(() => page.close())
  await page.getByText('Where it is is not known.').waitFor()
  await page.getByRole('button', { name: 'Set its place' }).click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save place' })
  assert.equal(await save.getAttribute('aria-disabled'), 'true')
  await dialog.getByLabel('Latitude').fill('48.25')
  await dialog.getByLabel('Longitude').fill('11.5')
  await save.click()
  await page.getByText('48.2500° N, 11.5000° E, entered by hand').waitFor()
  assert.deepEqual(await placeOf(first.device_id), [48.25, 11.5, 'typed'])

  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: 52.5, longitude: 13.375, accuracy: 8 })
  await page.getByRole('button', { name: 'Change its place' }).click()
  await dialog.getByRole('button', { name: 'Where I am now' }).click()
  await dialog.getByText('Found within 8 m.').waitFor()
  await save.click()
  await page.getByText('52.5000° N, 13.3750° E, from the GPS of a phone').waitFor()
  assert.deepEqual(await placeOf(first.device_id), [52.5, 13.375, 'phone'])

  await page.getByRole('button', { name: 'Change its place' }).click()
  await dialog.getByRole('button', { name: 'Remove this place' }).click()
  await page.getByText('Where it is is not known.').waitFor()
  assert.deepEqual(await placeOf(first.device_id), [null, null, null])
})

test('the map shows the fleet with its filters, states and signals, and who hears whom', async (t) => {
  for (const [index, { device_id }] of [first, second].entries()) {
    const body = { latitude: 53.54 + index / 1000, longitude: 9.97 }
    await console.call('PATCH', `/devices/${device_id}`, body)
  }
  const page = await console.enter('/map')
  t.after(() => page.close())
  await page.getByText('3 devices, 1 without a place').waitFor()
  const list = page.getByRole('list', { name: 'Devices and gateways on the map' })
  const names = () => list.getByRole('button').allTextContents()
  assert.equal((await names()).length, 2)
  await page.getByText('Signal', { exact: true }).click()
  await list
    .getByText(/^(Strong|Fair|Weak), -\d+ dBm|No signal known/)
    .first()
    .waitFor()
  await list.getByRole('button').first().press('Enter')
  await page.getByRole('link', { name: `Open ${first.device_name}` }).waitFor()
  await page.getByLabel('Search devices').fill(second.device_id)
  await page.getByText('1 device', { exact: true }).waitFor()
  assert.deepEqual((await names()).length, 1)
})
