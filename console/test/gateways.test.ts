import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
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

/** Whether the picture of the map has more than one colour. */
async function hasDrawn(page: Page): Promise<boolean> {
  const picture = await page.locator('.maplibregl-canvas').screenshot()
  return picture.length > 5000
}

async function until(page: Page, holds: (page: Page) => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (await holds(page)) return
    await page.waitForTimeout(200)
  }
  assert.fail('it never came to hold')
}
