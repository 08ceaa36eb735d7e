import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { type BrowserOptions, checkAccessibility, checkWidth } from './open-page.ts'

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
    await page.getByText('No downlinks yet').waitFor()
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

test('a cancel that comes too late or may fail says so, and is not shown as done', async () => {
  const simulator = console.simulators[0]?.simulator
  assert.ok(simulator)
  await configure(third, 4)
  await open(pathOf(third), async (page) => {
    const queue = page.getByRole('region', { name: 'Queue' })
    const cancel = queue.getByRole('button', { name: 'Cancel this message' })
    const note = page.getByRole('alert').filter({ hasText: 'Not cancelled' })
    await queue.getByText('Waiting at the network', { exact: true }).waitFor()
    // It is sent, and the network has not said so yet.
    simulator.delayReports(6_000)
    const sending = send(third)
    // ChirpStack keeps it in the queue, with its counter, until the gateway has reported.
    const isWithGateway = () =>
      simulator.findDevice(third.toUpperCase())?.items.some((item) => item.includes('fCntDown'))
    while (!isWithGateway()) await page.waitForTimeout(20)
    await cancel.click()
    // Which of them it is depends on the moment at which the network reports.
    await note.getByText(/^Too late|may have been sent|waited no more/).waitFor()
    await checkAccessibility(page)
    await note.getByRole('button', { name: 'Close' }).click()
    await sending
    simulator.delayReports(0)
    await queue.waitFor({ state: 'hidden' })

    await configure(third, 5)
    await queue.getByText('Waiting at the network', { exact: true }).waitFor()
    simulator.setAway(true)
    await cancel.click()
    await note.getByText(/It may still be sent/).waitFor()
    simulator.setAway(false)
    await queue.getByText('Waiting at the network', { exact: true }).waitFor()
    assert.equal(await page.getByText('Cancelled', { exact: true }).count(), 0)
  })
})

test('one message is sent and another cancelled only by keyboard', async () => {
  await open(pathOf(air), async (page) => {
    const { keyboard } = page
    const press = async (target: Locator) => {
      await target.waitFor()
      for (let presses = 0; presses < 80; presses += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) break
        await keyboard.press('Tab')
      }
      assert.ok(await target.evaluate((element) => element === document.activeElement))
      await keyboard.press('Enter')
    }
    await press(page.getByRole('button', { name: 'Configure' }))
    const drawer = page.getByRole('dialog', { name: 'Configure' })
    const general = drawer.getByRole('radio', { name: 'General' })
    await general.waitFor({ state: 'attached' })
    for (let presses = 0; presses < 40; presses += 1) {
      const isThere = await drawer
        .getByRole('radio')
        .evaluateAll((radios) => radios.some((each) => each === document.activeElement))
      if (isThere) break
      await keyboard.press('Tab')
    }
    while (!(await general.isChecked())) await keyboard.press('ArrowRight')
    // Enter in a field must not send what was not looked at.
    await press(drawer.getByRole('combobox', { name: 'Supervisory period' }))
    assert.equal(await drawer.isVisible(), true)
    await keyboard.press('ArrowDown')
    await page.getByRole('option', { name: '6 minutes', exact: true }).waitFor()
    await keyboard.type('6 minutes')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await drawer.getByRole('button', { name: /86 ?Supervisory period ?, byte 3/ }).waitFor()
    await press(drawer.getByRole('button', { name: 'Send configuration' }))
    await drawer.waitFor({ state: 'hidden' })

    const queue = page.getByRole('region', { name: 'Queue' })
    const cards = queue.locator('ol > li').filter({ hasText: 'number 1 in the queue' })
    await press(cards.getByRole('button', { name: 'Cancel this message' }))
    await page.getByText('The message is cancelled. It will not be sent.').waitFor()
    const left = console.simulators[0]?.simulator.findDevice(air.toUpperCase())?.queue
    assert.deepEqual(left, ['0100028300000000', '0100028600000000'])
  })
})

test('one configuration goes to a group, and each device has its result', async () => {
  const made = await console.call('POST', '/device-groups', { groupName: 'Hall' })
  const { body } = await console.call('GET', '/fleet/devices')
  const ids = body.data.map(({ id }: { id: number }) => id)
  await console.call('POST', `/fleet/groups/${made.body.data.id}/devices`, { add: ids })
  await open(`/groups/${made.body.data.id}?tab=configure`, async (page) => {
    await page.getByText('General', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Supervisory period' }).click()
    await page.getByRole('option', { name: '7 minutes', exact: true }).click()
    await page.getByRole('button', { name: /^Send to \d+ devices?$/ }).click()
    await page.getByText('Sent', { exact: true }).waitFor()
    await page.getByText(/^(\d+) of \1 done$/).waitFor()
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'View the results' }).click()
    await page
      .getByText(/^Downlink \d+ queued\.$/)
      .first()
      .waitFor()
  })
})

test('a wrong value is refused beside its field, only by keyboard', async () => {
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
      const row = page.getByRole('table', { name: 'Uplink, byte by byte' })
      assert.equal(await row.locator('tr[data-active]').count(), 1)
      await checkWidth(page, 'The uplink')
      await checkAccessibility(page)
    },
    { width: 360, height: 780 },
  )
})

test('bytes are sent as they are, confirmed and for a time, and what is wrong is named', async () => {
  const simulator = console.simulators[0]?.simulator
  assert.ok(simulator)
  await open(pathOf(third), async (page) => {
    await page.getByRole('button', { name: 'Send bytes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send bytes' })
    await dialog.getByRole('textbox', { name: 'fPort' }).fill('300')
    await dialog.getByRole('textbox', { name: 'Payload' }).fill('0g')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('The fPort must be an integer from 1 to 223.').waitFor()
    await dialog.getByText('The payload must be whole bytes in hexadecimal').waitFor()
    await checkAccessibility(page)
    await dialog.getByRole('textbox', { name: 'fPort' }).fill('17')
    await dialog.getByRole('textbox', { name: 'Payload' }).fill('c0 ff ee')
    await dialog.getByRole('combobox', { name: 'Valid for' }).selectOption('1 hour')
    await dialog.getByRole('checkbox', { name: 'Confirmed' }).check()
    simulator.setAway(true)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const queue = page.getByRole('region', { name: 'Queue' })
    const card = queue.locator('li').filter({ hasText: 'Raw: c0 ff ee' }).first()
    await card.getByText('confirmed', { exact: true }).waitFor()
    await card.getByText(/^expires in/).waitFor()
    // Away from what the dialog covered: a tooltip next to the pointer is in no landmark.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await checkAccessibility(page)
    simulator.setAway(false)
    await card.getByRole('button', { name: 'Cancel this message' }).click()
    await page.getByText('The message is cancelled. It will not be sent.').waitFor()
  })
})

test('a message says that it is being cancelled until that is certain', async () => {
  await configure(third, 4)
  await open(pathOf(third), async (page) => {
    const card = page.getByRole('region', { name: 'Queue' }).getByRole('listitem').first()
    await card.getByText('Waiting at the network', { exact: true }).first().waitFor()
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    // As long as the network is asked, the message waits here again, and nobody knows its fate.
    await page.route('**/downlinks*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const [first, ...others] = data
      const unsure = { ...first, state: 'queued', is_uncertain: true, place: 1 }
      await route.fulfill({ response, json: { ...rest, data: [unsure, ...others] } })
    })
    await page.route('**/downlinks/*', async (route) => {
      await isAnswered
      await route.continue()
    })
    await card.getByRole('button', { name: 'Cancel this message' }).click()
    await card.getByText('Cancelling…').waitFor()
    await configure(third, 5)
    await page.getByRole('region', { name: 'Queue' }).getByText('Waiting here').waitFor()
    assert.equal(
      await card.getByText(/no certain outcome|Handed to the network: not yet/).count(),
      0,
    )
    await page.unroute('**/downlinks*')
    answer()
    await page.getByText('The message is cancelled. It will not be sent.').waitFor()
  })
})
