import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserOptions, checkAccessibility } from './browser.ts'
import { startConsole } from './open-console.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 3 })
const [door = '', air = '', third = ''] = console.simulators[0]?.simulator.deviceEuis() ?? []

/** Has a simulated sensor send: it also receives what waits, and answers. */
async function send(eui: string): Promise<void> {
  await console.simulators[0]?.simulator.sendUplink(eui)
}

async function open(path: string, use: (page: Page) => Promise<void>, options?: BrowserOptions) {
  const page = await console.enter(path, options)
  try {
    await use(page)
  } finally {
    await page.close()
  }
}

function pathOf(eui: string): string {
  return `/devices/${eui.toUpperCase()}?tab=downlinks`
}

/** Queues a supervisory period by the API. */
async function configure(eui: string, minutes: number): Promise<void> {
  const config_field = { islorawan: 1, config_type: 'general', supervisory_period: 128 + minutes }
  const path = `/devices/${eui.toUpperCase()}/configure`
  const { status } = await console.call('POST', path, { config_field })
  assert.equal(status, 200)
}

test('a configuration shows its bytes, is sent, and is acknowledged by itself', async () => {
  await send(door)
  await open(pathOf(door), async (page) => {
    await page.getByText('Nothing was sent to this device yet').waitFor()
    await page.getByRole('button', { name: 'Configure' }).click()
    const drawer = page.getByRole('dialog', { name: 'Configure' })
    await drawer.getByText('General', { exact: true }).click()
    await drawer.getByRole('combobox', { name: 'Supervisory period' }).click()
    await page.getByRole('option', { name: '5 minutes', exact: true }).click()
    // The bytes follow what is chosen, before anything is sent.
    await drawer.getByRole('button', { name: /85 ?Supervisory period ?, byte 3/ }).waitFor()
    await checkAccessibility(page)
    await drawer.getByRole('button', { name: 'Send configuration' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const queue = page.getByRole('region', { name: 'Queue' })
    await queue.getByText('Waiting at the network', { exact: true }).waitFor()
    await send(door)
    await send(door)
    await page.getByText('Acknowledged by the device', { exact: true }).first().waitFor()
    assert.equal(await queue.count(), 0)
  })
})

test('one of several waiting messages is cancelled, and what is too late says so', async () => {
  for (const minutes of [1, 2, 3]) await configure(air, minutes)
  await open(pathOf(air), async (page) => {
    const queue = page.getByRole('region', { name: 'Queue' })
    await queue.getByText('number 3 in the queue').waitFor()
    const cards = queue.locator('ol > li').filter({ has: page.getByText('number 2 in the queue') })
    await cards.first().getByRole('button', { name: 'Cancel this message' }).click()
    await page.getByText('The message is cancelled. It will not be sent.').waitFor()
    await queue.getByText('number 3 in the queue').waitFor({ state: 'hidden' })
    const left = console.simulators[0]?.simulator.findDevice(air.toUpperCase())?.queue
    assert.deepEqual(left, ['0100028100000000', '0100028300000000'])
    await page.getByRole('region', { name: 'Sent before' }).getByText('Cancelled').first().waitFor()
  })
})

test('a wrong value is refused beside its field, by keyboard alone', async () => {
  await open(pathOf(third), async (page) => {
    await page.getByRole('button', { name: 'Configure' }).focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Configure' })
    const field = drawer.getByRole('textbox').first()
    await field.waitFor()
    await field.focus()
    await page.keyboard.type('99999999')
    await drawer
      .getByText(/must be .*(from|at most|between)/i)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
  })
})

test('an uplink is taken apart byte by byte, and read by the arrow keys', async () => {
  await send(door)
  const { body } = await console.call('GET', `/devices/${door.toUpperCase()}/uplink`)
  const [uplink] = body.data
  const path = `/devices/${door.toUpperCase()}?tab=uplinks&uplink=${uplink.id}`
  await open(
    path,
    async (page) => {
      const bytes = page.getByRole('toolbar', { name: 'Bytes of the frame' })
      await bytes.waitFor()
      const parts = bytes.getByRole('button')
      await parts.first().focus()
      await page.keyboard.press('End')
      const last = parts.last()
      assert.equal(await last.evaluate((element) => element === document.activeElement), true)
      const row = page.getByRole('table', { name: 'What each byte of the uplink says' })
      assert.equal(await row.locator('tr[data-active]').count(), 1)
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(wider <= 0)
      await checkAccessibility(page)
    },
    { width: 360, height: 780 },
  )
})
