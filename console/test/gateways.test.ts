import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'
import { type Dot, findDots } from './picture.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 2 })

interface Place {
  lat: number
  lng: number
}

test('a gateway is registered by the form of its network', async (t) => {
  const page = await console.enter('/gateways')
  t.after(() => page.close())
  await page.getByRole('link', { name: 'Register a gateway' }).first().click()
  await page.getByRole('heading', { name: 'Register a gateway', level: 1 }).waitFor()
  await page.getByLabel('Name').fill('Roof <b>north</b>')
  await page.getByLabel('Gateway EUI').fill('00-aa-00-00-00-00-0f')
  await page.getByRole('button', { name: 'Register gateway' }).click()
  await page.getByText('The gateway EUI must be 16 characters.').waitFor()
  await page.locator('[name=gatewayEui]:focus').waitFor()
  await page.getByLabel('Gateway EUI').fill('00-aa-00-00-00-00-00-f1')
  await page.getByRole('button', { name: 'Register gateway' }).click()
  await page.getByRole('heading', { name: 'Roof <b>north</b>', level: 1 }).waitFor()
  await page.getByText('No uplink has come through it yet').waitFor()
  const { body } = await console.call('GET', '/fleet/gateways?search=Roof')
  assert.equal(body.data[0].status, 'active')
  assert.equal(body.data[0].gateway_eui, '00AA0000000000F1')
})

/** Of a gateway that was never heard, and of a bubble of several, in the light map. */
const gatewayColor = '#52595f'
const bubbleColor = '#3149b8'

let added = 0

async function addGateway(name: string, position: Place = { lat: 49, lng: 12 }): Promise<number> {
  added += 1
  const answer = await console.call('POST', '/gateways', {
    gateway_bridge: 'chirpstack',
    gateway_name: name,
    gateway_eui: `00AA0000000000${added.toString(16).toUpperCase().padStart(2, '0')}`,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { id } = answer.body.gateway
  await console.call('PATCH', `/fleet/gateways/${id}`, { position })
  return id
}

test('the map shows gateways, and the list beside it the same', async (t) => {
  for (const number of [1, 2, 3]) {
    await addGateway(`Land ${number}`, { lat: 48 + number, lng: 11 + number })
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await console.enter('/gateways?view=map&search=Land', { colorScheme })
    t.after(() => page.close())
    await page.getByRole('region', { name: 'Map: Gateways' }).waitFor()
    await waitForMap(page)
    await page.getByRole('button', { name: 'Zoom in' }).waitFor()
    const list = page.getByRole('list', { name: 'Gateways on the map' })
    assert.equal(await list.getByRole('button').count(), 3)
    await list.getByRole('button', { name: /Land 2/ }).click()
    await page.getByRole('link', { name: 'Open Land 2' }).waitFor()
    await until(page, hasDrawn)
    await page.getByRole('link', { name: 'Open Land 2' }).click()
    await page.getByRole('heading', { name: 'Land 2', level: 1 }).waitFor()
  }
})

test('the gateways of one city part on the map, and each can be clicked', async (t) => {
  // Nine in one city, the last two on one street.
  const east = [0, 0.031, 0.048, -0.022, 0.013, -0.041, -0.06, 0.06, 0.0625]
  const north = [0, 0.012, -0.018, 0.015, -0.027, -0.011, 0.03, 0.028, 0.028]
  for (const [index, lng] of east.entries()) {
    await addGateway(`City ${index}`, { lat: 48.137 + (north[index] ?? 0), lng: 11.575 + lng })
  }
  const page = await console.enter('/gateways?view=map&search=City')
  t.after(() => page.close())
  await waitForMap(page)
  const names = new Set<string>()
  await until(page, async () => (await findOnMap(page, gatewayColor)).length === 7)
  for (const dot of await findOnMap(page, gatewayColor)) names.add(await choose(page, dot))
  assert.equal(names.size, 7)
  const [bubble] = await findOnMap(page, bubbleColor)
  assert.ok(bubble)
  await mapOf(page).click({ position: bubble })
  await until(page, async () => (await findOnMap(page, bubbleColor)).length === 0)
  for (const dot of await findOnMap(page, gatewayColor)) names.add(await choose(page, dot))
  assert.equal(names.size, 9)

  // On a phone they also part at once.
  await page.setViewportSize({ width: 360, height: 780 })
  await page.reload()
  await waitForMap(page)
  await until(page, async () => (await findOnMap(page, gatewayColor)).length === 7)
})

test('gateways at one place are listed, and each can be chosen', async (t) => {
  for (const number of [1, 2, 3]) await addGateway(`Mast ${number}`, { lat: 48.137, lng: 11.575 })
  const page = await console.enter('/gateways?view=map&search=Mast')
  t.after(() => page.close())
  await waitForMap(page)
  const chosen = page.getByRole('list', { name: 'Gateways on the map' }).locator('[aria-pressed]')
  const popup = page.locator('.maplibregl-popup')
  const choose = async (dot: Dot | undefined, name: string) => {
    assert.ok(dot)
    await mapOf(page).click({ position: dot })
    await popup.getByRole('button', { name: /^Mast/ }).nth(2).waitFor()
    await popup.getByRole('button', { name: new RegExp(name) }).click()
    await chosen.and(page.locator('[aria-pressed=true]')).filter({ hasText: name }).waitFor()
  }
  await until(page, async () => (await findOnMap(page, bubbleColor)).length === 1)
  await choose((await findOnMap(page, bubbleColor))[0], 'Mast 3')
  // One of them in the list: the map zooms in until each is drawn by itself.
  await page.getByRole('button', { name: /Mast 2/ }).click()
  await until(page, async () => (await findOnMap(page, gatewayColor)).length === 1)
  await choose((await findOnMap(page, gatewayColor))[0], 'Mast 1')
})

function mapOf(page: Page) {
  return page.locator('.maplibregl-canvas')
}

/** No picture is taken of a map before it is drawn, which takes a slow machine many seconds. */
async function waitForMap(page: Page): Promise<void> {
  await mapOf(page).waitFor()
  await settle(page)
}

async function findOnMap(page: Page, color: string): Promise<Dot[]> {
  return findDots(page, await mapOf(page).screenshot(), color)
}

/** Clicks on a point of the map, and returns what the list next to it then shows as chosen. */
async function choose(page: Page, dot: Dot): Promise<string> {
  const chosen = page
    .getByRole('list', { name: 'Gateways on the map' })
    .locator('[aria-pressed=true]')
  const [before] = await chosen.allTextContents()
  await mapOf(page).click({ position: dot })
  await until(page, async () => (await chosen.allTextContents())[0] !== before)
  return chosen.innerText()
}

test('a click on the map says where a gateway stands', async (t) => {
  const id = await addGateway('Placed')
  const page = await console.enter(`/gateways/${id}?tab=place`)
  t.after(() => page.close())
  await waitForMap(page)
  await until(page, hasDrawn)
  await mapOf(page).click({ position: { x: 300, y: 120 } })
  const latitude = page.getByLabel('Latitude')
  await until(page, async () => (await latitude.inputValue()) !== '49')
  await latitude.fill('48.25')
  await page.getByLabel('Longitude').fill('11.5')
  await page.getByRole('button', { name: 'Save place' }).click()
  await page.getByText('Place saved.').waitFor()
  const { body } = await console.call('GET', `/fleet/gateways/${id}`)
  assert.deepEqual(body.data.position, { lat: 48.25, lng: 11.5, source: 'own' })
})

test('a gateway of kind other shows its address, and a new token once', async (t) => {
  const answer = await console.call('POST', '/gateways', {
    gateway_bridge: 'other',
    gateway_name: 'Barn',
    gateway_eui: '00AA0000000000B1',
  })
  const { id } = answer.body.gateway
  const page = await console.enter(`/gateways/${id}?tab=setup`)
  t.after(() => page.close())
  await page.getByText('/v1/callbacks/other/').waitFor()
  await page.getByRole('button', { name: 'Make another token' }).click()
  await page.getByRole('button', { name: 'Make token' }).click()
  const note = page.getByRole('status').filter({ hasText: 'The new token' })
  const header = await note.getByText(/^Authorization: Bearer /).textContent()
  const { body } = await console.call('GET', `/gateways/${id}`)
  assert.equal(header, `Authorization: Bearer ${body.gateway_configs.authorisation_token}`)
})

test('a gateway names the devices that only it hears, and how frames arrive', async (t) => {
  const id = await addGateway('Tower')
  await console.simulators[0]?.simulator.sendUplink('00AA000000000001')
  const { body } = await console.call('GET', `/fleet/gateways/${id}/sole-devices`)
  const page = await console.enter(`/gateways/${id}?tab=coverage`)
  t.after(() => page.close())
  const words = [
    'No device depends only on it',
    'Only gateway for 1 device',
    `Only gateway for ${body.total} devices`,
  ]
  const heading = words[body.total] ?? words[2] ?? ''
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  await page.getByText(/^Read from the newest \d+ uplinks?/).waitFor()
  await page.getByRole('radiogroup', { name: 'Time range' }).waitFor()
})

const looks = [
  { name: 'light', width: 1280, colorScheme: 'light' },
  { name: 'dark, on a phone', width: 360, colorScheme: 'dark' },
] as const

for (const look of looks) {
  test(`axe finds nothing on the pages of gateways, ${look.name}`, async (t) => {
    const id = await addGateway('Roof')
    for (const { simulator } of console.simulators) {
      for (const eui of simulator.deviceEuis()) await simulator.sendUplink(eui)
    }
    const page = await console.enter('/gateways', look)
    t.after(() => page.close())
    const tabs = ['traffic', 'uptime', 'coverage', 'devices', 'uplinks', 'place', 'setup']
    for (const path of ['/gateways?view=map', ...tabs.map((tab) => `/gateways/${id}?tab=${tab}`)]) {
      await page.goto(console.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle(page)
      await checkAccessibility(page)
    }
  })
}

test('the uptime of a gateway has a cell for each day, its months and its outages', async (t) => {
  const id = await addGateway('Pump house')
  const hours = (count: number) => `now() - interval '${count} hours'`
  await console.db.query(
    `update gateway_states set first_seen = ${hours(100)}, last_seen = now() where gateway_id = $1`,
    [id],
  )
  await console.db.query(
    `insert into gateway_outages (organization_id, gateway_id, began_at, ended_at)
     values (1, $1, ${hours(30)}, ${hours(29)})`,
    [id],
  )
  const page = await console.enter(`/gateways/${id}?tab=uptime`)
  t.after(() => page.close())
  await page.getByText('99.00 % in 7 days, 99.00 % in 30').waitFor()
  await page.getByRole('heading', { name: '99.00 % in 30 days' }).waitFor()
  assert.equal(await page.getByRole('list', { name: 'Uptime by day' }).locator('li').count(), 30)
  const outages = page.getByRole('table', { name: 'Outages, newest first' })
  await outages.getByRole('cell', { name: '1 h' }).waitFor()
  await page.setViewportSize({ width: 390, height: 900 })
  await settle(page)
  await checkAccessibility(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${console.url}/gateways?search=Pump`)
  await page.getByRole('cell', { name: '99.00 %' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Uptime by month (CSV)' }).click()
  assert.equal((await download).suggestedFilename(), 'gateway-uptime.csv')
})

/** Whether the picture of the map has more than one colour. */
async function hasDrawn(page: Page): Promise<boolean> {
  const picture = await mapOf(page).screenshot()
  return picture.length > 4000
}

async function until(page: Page, holds: (page: Page) => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (await holds(page)) return
    await page.waitForTimeout(200)
  }
  assert.fail('it never came to hold')
}
