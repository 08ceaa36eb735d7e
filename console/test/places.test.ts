import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gatewayOf } from '../../server/test/fleet.ts'
import { makeMapFile, roadTile } from '../../server/test/map-file.ts'
import { startConsole } from './open-console.ts'

/** The map of the fleet, and the places of devices as people enter them. */

const directory = await mkdtemp(join(tmpdir(), 'places-'))
after(() => rm(directory, { recursive: true }))
const console = await startConsole(
  { after },
  { networks: ['chirpstack'], devices: 3, settings: { DATA_DIR: directory } },
)
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

test('an administrator chooses the streets; where they are lost, the map is an outline', async (t) => {
  const tiles = [{ z: 0, x: 0, y: 0, bytes: roadTile() }]
  const attribution = '<a href="/x">© OpenStreetMap</a> <img src=x onerror=alert(1)> contributors'
  await mkdir(join(directory, 'maps'))
  const file = makeMapFile(tiles, { type: 'mvt', attribution })
  await writeFile(join(directory, 'maps', 'city.pmtiles'), file)
  const page = await console.enter('/settings/organization')
  t.after(() => page.close())
  const failures: string[] = []
  const parts: number[] = []
  page.on('console', (line) => line.type() === 'error' && failures.push(line.text()))
  page.on('dialog', (dialog) => failures.push(dialog.message()))
  page.on('response', (answer) => {
    if (answer.url().endsWith('/map.pmtiles')) parts.push(answer.status())
  })
  const maps = page.getByRole('region', { name: 'Maps' })
  await maps.getByLabel('A file on the server').check()
  await maps.getByRole('combobox', { name: 'File' }).click()
  await page.getByRole('option', { name: 'city.pmtiles' }).click()
  await Promise.all([
    page.waitForEvent('load'),
    maps.getByRole('button', { name: 'Save map' }).click(),
  ])
  await page.goto(`${console.url}/map`)
  const credit = page.getByRole('link', { name: '© OpenStreetMap contributors' })
  await credit.waitFor()
  assert.equal(await credit.getAttribute('href'), 'https://www.openstreetmap.org/copyright')
  await page.waitForFunction(() => document.querySelector('.maplibregl-canvas'))
  assert.deepEqual([...new Set(parts)], [206])
  assert.deepEqual(failures, [])

  await page.route('**/map.pmtiles', (route) => route.abort())
  await page.reload()
  await page.getByText('The streets cannot be loaded now.').waitFor()
  await page.goto(`${console.url}/settings/organization`)
  await maps.getByLabel('OpenStreetMap', { exact: true }).check()
  await maps.getByRole('button', { name: 'Save map' }).click()
  await maps.getByText('Agree to the tile usage policy of OpenStreetMap first.').waitFor()

  const tile = { contentType: 'application/x-protobuf', body: roadTile() }
  await page.route('**/tiles/*/*/*.mvt', (route) => route.fulfill(tile))
  await maps.getByLabel('Tiles at an address').check()
  await maps.getByRole('textbox', { name: 'Address' }).fill('/tiles/{z}/{x}/{y}.mvt')
  await maps.getByRole('textbox', { name: 'Attribution' }).fill('Our own streets')
  await Promise.all([
    page.waitForEvent('load'),
    maps.getByRole('button', { name: 'Save map' }).click(),
  ])
  const asked = page.waitForResponse((answer) => /\/tiles\/\d+\/\d+\/\d+\.mvt$/.test(answer.url()))
  await page.goto(`${console.url}/map`)
  await page.getByText('Our own streets').waitFor()
  await asked
})

test('a floor plan is uploaded, and devices are put on it by mouse and keyboard', async (t) => {
  const { body: made } = await console.call('POST', '/device-groups', {
    ...{ groupName: 'House', selectedDevices: [], selectedGroup: null },
  })
  const page = await console.enter(`/groups/${made.data.id}?tab=plans`)
  t.after(() => page.close())
  const failures: string[] = []
  page.on('dialog', (dialog) => failures.push(dialog.message()))
  page.on('pageerror', (error) => failures.push(error.message))
  await page.getByRole('button', { name: 'Add a floor plan' }).click()
  const content = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" onload="alert(1)">
    <script>alert(2)</script><image href="x" onerror="alert(3)"/><rect width="40" height="30"/></svg>`
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: 'Cellar.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(content) },
  })
  await page.getByRole('button', { name: 'Save floor plan' }).click()
  const image = page.getByRole('img', { name: 'Cellar' })
  await image.waitFor()
  await page.waitForFunction(() => document.querySelector('img')?.naturalWidth)

  await page.getByRole('button', { name: 'Place devices' }).click()
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Device or gateway' }).fill(name)
    await page.getByRole('option', { name }).click()
  }
  const places = async () => {
    const { body } = await console.call('GET', `/floor-plans/${id}`)
    return body.data.positions.map(({ x, y }: { x: number; y: number }) => [x, y])
  }
  const { status } = await console.call('POST', '/gateways', {
    ...gatewayOf(1, { gateway_bridge: 'other', gateway_name: 'Stairwell gateway' }),
  })
  assert.equal(status, 200)
  const { body: plans } = await console.call('GET', '/floor-plans')
  const { id } = plans.data[0]
  await choose(first.device_name)
  await page.getByRole('button', { name: 'Put in the middle' }).click()
  const list = page.getByRole('list', { name: /^Devices( and gateways)? on Cellar$/ })
  const marker = list.getByRole('button')
  const saved = () =>
    page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  await marker.first().waitFor()
  await Promise.all([saved(), marker.first().press('ArrowRight')])
  assert.deepEqual(await places(), [[0.51, 0.5]])

  await choose(second.device_name)
  const box = await image.boundingBox()
  assert.ok(box)
  await Promise.all([
    saved(),
    page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.25),
  ])
  await marker.nth(1).waitFor()
  const [, [x, y]] = await places()
  assert.ok(Math.abs(x - 0.25) < 0.01 && Math.abs(y - 0.25) < 0.01, `${x} ${y}`)
  await choose('Stairwell gateway')
  await Promise.all([saved(), page.getByRole('button', { name: 'Put in the middle' }).click()])
  await marker.nth(2).waitFor()
  const { body: withGateway } = await console.call('GET', `/floor-plans/${id}`)
  assert.deepEqual(
    withGateway.data.gateways.map(({ x, y }: { x: number; y: number }) => [x, y]),
    [[0.5, 0.5]],
  )
  await page.getByRole('button', { name: 'Done' }).click()
  await marker.filter({ hasText: first.device_name }).click()
  await page.getByRole('heading', { name: first.device_name }).waitFor()
  assert.deepEqual(failures, [])
})

/** Two pages, the second upright, with a script and a font that the file does not bring along. */
const pdf = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]>> endobj
4 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 400]/Contents 5 0 R/Resources<</Font<</F 6 0 R>>>>>> endobj
5 0 obj <</Length 36>> stream
BT /F 24 Tf 50 50 Td (Cellar) Tj ET
endstream endobj
6 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
trailer <</Root 1 0 R>>`

test('a page of a PDF becomes a floor plan; nothing in the file is run', async (t) => {
  const { body: made } = await console.call('POST', '/device-groups', {
    ...{ groupName: 'Annex', selectedDevices: [], selectedGroup: null },
  })
  const page = await console.enter(`/groups/${made.data.id}?tab=plans`)
  t.after(() => page.close())
  const failures: string[] = []
  page.on('dialog', (dialog) => failures.push(dialog.message()))
  page.on('pageerror', (error) => failures.push(error.message))
  page.on('console', (line) => line.type() === 'error' && failures.push(line.text()))
  await page.getByRole('button', { name: 'Add a floor plan' }).click()
  const choose = (name: string, content: string) =>
    page.locator('input[type=file]').setInputFiles({
      ...{ name, mimeType: 'application/pdf', buffer: Buffer.from(content) },
    })
  await choose('Broken.pdf', 'none')
  await page.getByText('The PDF cannot be read. It may be damaged.').waitFor()
  await choose('Annex.pdf', pdf)
  await page.getByRole('img', { name: 'Page 1 of Annex.pdf' }).waitFor()
  await page.getByLabel('Page').fill('2')
  await page.getByRole('img', { name: 'Page 2 of Annex.pdf' }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Annex')
  await page.getByRole('button', { name: 'Save floor plan' }).click()
  await page.getByRole('img', { name: 'Annex', exact: true }).waitFor()
  const { body: plans } = await console.call('GET', `/floor-plans?group=${made.data.id}`)
  const [{ name, type, width, height }] = plans.data
  assert.deepEqual([name, type, width, height], ['Annex', 'image/png', 1600, 3200])
  assert.deepEqual(failures, [])
})
