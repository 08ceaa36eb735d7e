import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility, settle } from './browser.ts'
import { startConsole } from './open-console.ts'

test('a gateway is registered by the form of its network', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'] })
  const page = await console.enter('/gateways')
  await page.getByRole('link', { name: 'Register a gateway' }).first().click()
  await page.getByRole('heading', { name: 'Register a gateway', level: 1 }).waitFor()
  await page.getByLabel('Name').fill('Roof <b>north</b>')
  await page.getByLabel('Gateway EUI').fill('00-aa-00-00-00-00-0f')
  await page.getByRole('button', { name: 'Register gateway' }).click()
  await page.getByText('The gateway EUI must be 16 characters.').waitFor()
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('name')),
    'gatewayEui',
  )
  await page.getByLabel('Gateway EUI').fill('00-aa-00-00-00-00-00-f1')
  await page.getByRole('button', { name: 'Register gateway' }).click()
  await page.getByRole('heading', { name: 'Roof <b>north</b>', level: 1 }).waitFor()
  await page.getByText('No uplink has come through it yet').waitFor()
  const { body } = await console.call('GET', '/fleet/gateways')
  assert.equal(body.data[0].status, 'active')
  assert.equal(body.data[0].gateway_eui, '00AA0000000000F1')
})

async function addGateway(console: Awaited<ReturnType<typeof startConsole>>, number: number) {
  const answer = await console.call('POST', '/gateways', {
    gateway_bridge: 'chirpstack',
    gateway_name: `Gateway ${number}`,
    gateway_eui: `00AA0000000000A${number}`,
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { id } = answer.body.gateway
  const position = { lat: 48 + number, lng: 11 + number }
  await console.call('PATCH', `/fleet/gateways/${id}`, { position })
  return id as number
}

test('the map shows gateways, and the list beside it the same', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'] })
  for (const number of [1, 2, 3]) await addGateway(console, number)
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await console.enter('/gateways?view=map', { colorScheme })
    const canvas = page.getByRole('region', { name: 'Map: Gateways' })
    await canvas.waitFor()
    await page.getByRole('button', { name: 'Zoom in' }).waitFor()
    const list = page.getByRole('list', { name: 'Gateways on the map' })
    assert.equal(await list.getByRole('button').count(), 3)
    await list.getByRole('button', { name: /Gateway 2/ }).click()
    await page.getByRole('link', { name: 'Open Gateway 2' }).waitFor()
    await until(page, hasDrawn)
    await page.getByRole('link', { name: 'Open Gateway 2' }).click()
    await page.getByRole('heading', { name: 'Gateway 2', level: 1 }).waitFor()
  }
})

test('a click on the map says where a gateway stands', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'] })
  const id = await addGateway(console, 1)
  const page = await console.enter(`/gateways/${id}?tab=place`)
  const canvas = page.locator('.maplibregl-canvas')
  await until(page, hasDrawn)
  await canvas.click({ position: { x: 300, y: 120 } })
  const latitude = page.getByLabel('Latitude')
  await until(page, async () => (await latitude.inputValue()) !== '49')
  await latitude.fill('48.25')
  await page.getByLabel('Longitude').fill('11.5')
  await page.getByRole('button', { name: 'Save place' }).click()
  await page.getByText('The place is saved.').waitFor()
  const { body } = await console.call('GET', `/fleet/gateways/${id}`)
  assert.deepEqual(body.data.position, { lat: 48.25, lng: 11.5, source: 'own' })
})

test('a gateway of kind other shows its address, and a new token once', async (t) => {
  const console = await startConsole(t)
  const answer = await console.call('POST', '/gateways', {
    gateway_bridge: 'other',
    gateway_name: 'Barn',
    gateway_eui: '00AA0000000000B1',
  })
  const { id } = answer.body.gateway
  const page = await console.enter(`/gateways/${id}?tab=setup`)
  await page.getByText('/v1/callbacks/other/').waitFor()
  await page.getByRole('button', { name: 'Make another token' }).click()
  await page.getByRole('button', { name: 'Make token' }).click()
  const note = page.getByRole('status').filter({ hasText: 'The new token' })
  const header = await note.getByText(/^Authorization: Bearer /).textContent()
  const { body } = await console.call('GET', `/gateways/${id}`)
  assert.equal(header, `Authorization: Bearer ${body.gateway_configs.authorisation_token}`)
})

const looks = [
  { name: 'light', width: 1280, colorScheme: 'light' },
  { name: 'dark, on a phone', width: 360, colorScheme: 'dark' },
] as const

for (const look of looks) {
  test(`axe finds nothing on the pages of gateways, ${look.name}`, async (t) => {
    const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
    const id = await addGateway(console, 1)
    for (const { simulator } of console.simulators) {
      for (const eui of simulator.deviceEuis()) await simulator.sendUplink(eui)
    }
    const page = await console.enter('/gateways', look)
    const tabs = ['traffic', 'devices', 'uplinks', 'place', 'setup']
    for (const path of ['/gateways?view=map', ...tabs.map((tab) => `/gateways/${id}?tab=${tab}`)]) {
      await page.goto(console.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle(page)
      await checkAccessibility(page)
    }
  })
}

/** Whether the picture of the map has more than one colour. */
async function hasDrawn(page: Page): Promise<boolean> {
  const picture = await page.locator('.maplibregl-canvas').screenshot()
  return picture.length > 4000
}

async function until(page: Page, holds: (page: Page) => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (await holds(page)) return
    await page.waitForTimeout(200)
  }
  assert.fail('it never came to hold')
}
