import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hostileCodec } from './hostile-codec.ts'
import { startConsole } from './open-console.ts'
import { type BrowserOptions, checkAccessibility, checkWidth, settle } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 2 })
const tabs = ['Overview', 'Measurements', 'Uplinks', 'Radio', 'Downlinks', 'Settings']
const [door, air] = ['00AA000000000001', '00AA000000000002']

/** Has the simulated sensor send some frames. */
async function send(eui: string, count = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await console.simulators[0]?.simulator.sendUplink(eui)
  }
}

/** Has the sensor send until so many of its uplinks are stored. */
async function fill(eui: string, count: number): Promise<void> {
  for (;;) {
    const { uplink_count: known } = await readRecord(eui)
    if (known >= count) return
    await send(eui, count - known)
  }
}

async function readRecord(eui: string) {
  return (await console.call('GET', `/fleet/devices/${eui}`)).body.data
}

/** Opens the page for one test. */
async function open(path: string, use: (page: Page) => Promise<void>, options?: BrowserOptions) {
  const page = await console.enter(path, options)
  try {
    await use(page)
  } finally {
    await page.close()
  }
}

test('an uplink appears by itself, and opens to all that is known of it', async () => {
  await send(door)
  await open(`/devices/${door}?tab=uplinks`, async (page) => {
    const rows = page.getByRole('button', { name: /^Details of/ })
    await rows.first().waitFor()
    const before = await rows.count()
    await send(door)
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label^="Details of"]').length > count,
      before,
    )
    await rows.first().click()
    await page.getByText('Frequency', { exact: true }).waitFor()
    assert.match(page.url(), /uplink=\d+/)
    await page.getByRole('button', { name: 'Pause' }).click()
    await send(door, 2)
    await page.getByRole('button', { name: 'Resume, 2 new' }).click()
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label^="Details of"]').length === count,
      before + 3,
    )
  })
})

test('the reading is the headline of the device, and first in the lists', async () => {
  for (let count = 0; count < 50; count += 1) {
    const { reading } = await readRecord(air)
    if (reading?.parts.length === 2) break
    await send(air)
  }
  const { reading } = await readRecord(air)
  assert.match(reading.text, /^-?\d+\.\d °C · \d+ %$/)
  await open(`/devices/${air}`, async (page) => {
    await page.getByText(reading.text, { exact: true }).waitFor()
    const size = await page
      .getByText(reading.text, { exact: true })
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
    assert.ok(size >= 28, `${size}`)
    await checkAccessibility(page)
  })
  for (const width of [390, 1024, 1440]) {
    for (const path of ['/devices', `/uplinks?device=${air}`, `/devices/${air}?tab=uplinks`]) {
      const look = async (page: Page) => {
        const cell = page.getByText(reading.text).first()
        await cell.waitFor()
        const isWhole = await cell.evaluate((element) => {
          const text = document.createRange()
          text.selectNodeContents(element)
          const { right = innerWidth } = element.closest('td')?.getBoundingClientRect() ?? {}
          return text.getBoundingClientRect().right <= Math.min(right, innerWidth) + 1
        })
        assert.ok(isWhole, `${path} at ${width}`)
      }
      await open(path, look, { width })
    }
  }
})

test('older uplinks are shown on request, and a link to one of them shows it', async () => {
  await fill(door, 60)
  const { data } = (await console.call('GET', `/fleet/uplinks?device=${door}&limit=100`)).body
  const oldest = data.at(-1)
  await open(`/devices/${door}?tab=uplinks&uplink=${oldest.ordinal}`, async (page) => {
    const linked = page.getByRole('region', { name: 'The linked uplink' })
    await linked.getByText('FCnt').waitFor()
    const rows = page.getByRole('button', { name: /^Details of/ })
    await page.getByRole('button', { name: 'Show older uplinks' }).click()
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label^="Details of"]').length === count,
      data.length,
    )
    assert.equal(await rows.nth(data.length - 1).getAttribute('aria-expanded'), 'true')
    assert.equal(await linked.count(), 0)
  })
})

test('a chart is read by keyboard and as a table, and its range is in the address', async () => {
  await send(air, 6)
  await open(`/devices/${air}?tab=measurements&range=hour`, async (page) => {
    const chart = page.getByRole('application', { name: /^Temperature/ })
    await chart.waitFor()
    await page.locator('canvas').first().waitFor()
    await chart.focus()
    const status = page.locator('figure', { has: chart }).getByRole('status')
    await page.keyboard.press('End')
    await page.waitForFunction(
      (element) => /Temperature -?[\d.]+ °C/.test(element?.textContent ?? ''),
      await status.elementHandle(),
    )
    // The newest values stay in view, wherever in their part of the range they are.
    for (let zooms = 0; zooms < 4; zooms += 1) {
      const before = page.url()
      await page.keyboard.press('End')
      await page.keyboard.press('+')
      await page.waitForURL((url) => url.href !== before)
      await page.locator('[aria-busy=false]', { has: chart }).waitFor()
    }
    assert.match(page.url(), /range=custom.*from=/)
    await page.keyboard.press('0')
    await page.waitForURL((url) => !url.searchParams.has('from'))
    // There are none in the time to come.
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    await page.getByRole('button', { name: 'Reset zoom', exact: true }).click()
    await page.getByText('24 h', { exact: true }).click()
    await page.waitForURL(/range=day/)
    await page.getByRole('button', { name: 'Show as table: Temperature' }).click()
    const table = page.getByRole('table', { name: 'Values of Temperature' })
    await table.waitFor()
    assert.match((await table.locator('tbody tr').first().textContent()) ?? '', /°C/)
    await page.goBack()
    await page.waitForURL((url) => url.searchParams.get('range') === null)
  })
})

test('the overview of a device charts what it measured in the last 24 hours', async () => {
  await fill(air, 3)
  await open(`/devices/${air}`, async (page) => {
    const card = page.getByRole('region', { name: 'Last 24 hours' })
    await card.getByRole('figure', { name: 'Temperature' }).waitFor()
    await card.getByRole('figure', { name: 'Humidity' }).waitFor()
    await checkAccessibility(page)
  })
})

test('a door shows when and how long it was open', async () => {
  await fill(door, 4)
  await console.db.query(
    `update uplinks set event_time = event_time - interval '10 minutes'
     where device_id = (select id from devices where eui = $1)`,
    [door],
  )
  await open(`/devices/${door}`, async (page) => {
    const band = page.getByRole('figure', { name: 'Door' })
    await band.getByText(/^Open \d+ (s|min)/).waitFor()
    const { reading } = await readRecord(door)
    const headline = page.getByText(reading.text, { exact: true }).locator('..')
    await headline.getByText(/ for \d+ min,/).waitFor()
    await page.getByRole('tab', { name: 'Measurements' }).click()
    await band.getByText(/^Closed \d+ (s|min)/).waitFor()
    await checkAccessibility(page)
  })
})

test('a refused change is taken back, with the reason and what was typed', async () => {
  await open(`/devices/${door}`, async (page) => {
    const { device_name: name } = await readRecord(door)
    await page.getByRole('button', { name: `Edit name: ${name}` }).click()
    const field = page.getByLabel('name', { exact: true })
    await field.fill('   ')
    await field.press('Enter')
    await page.getByRole('alert').getByText('The device name field is required.').waitFor()
    assert.equal(await field.inputValue(), '   ')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await field.fill('North door')
    const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'North door' }).waitFor()
    await page.getByRole('button', { name: 'Edit name: North door' }).waitFor()
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Edit name: North door',
    )
    // The name is shown before the service has it.
    await stored
  })
  assert.equal((await readRecord(door)).device_name, 'North door')
})

test('settings send only what was changed, and say what is wrong with a key', async () => {
  const group = await console.call('POST', '/device-groups', { groupName: 'Hall' })
  assert.equal(group.status, 200)
  await open(`/devices/${air}?tab=settings`, async (page) => {
    const save = page.getByRole('button', { name: 'Save' })
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await page.getByLabel('New device key').fill('0011')
    await save.click()
    await page.getByText('The device key must be 32 characters.').first().waitFor()
    await page.getByLabel('New device key').fill('')
    await page.getByRole('combobox', { name: 'Groups' }).click()
    await page.getByRole('option', { name: 'Hall' }).click()
    await page.keyboard.press('Escape')
    await save.click()
    await page.getByText('Device saved.').waitFor()
  })
  const { groups } = await readRecord(air)
  assert.deepEqual(
    groups.map((known: { name: string }) => known.name),
    ['Hall'],
  )
})

test('an unknown device has a page that says what to do', async () => {
  await open('/devices/00AA0000000000FF', async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Device not found' }).waitFor()
    await page.getByRole('link', { name: 'All devices' }).click()
    await page.waitForURL(/\/devices$/)
  })
})

test('a silent device says what is known of the reason', async () => {
  const eui = '00AA0000000000A1'
  const body = {
    network: 10,
    deviceName: 'Silent',
    deviceId: eui,
    deviceKey: '00112233445566778899AABBCCDDEEFF',
    deviceType: 16,
    registerMethod: 'user_account',
    consoleOnly: true,
    action: 'confirm',
  }
  assert.equal((await console.call('POST', '/devices', body)).status, 200)
  await open(`/devices/${eui}`, async (page) => {
    const why = page.getByRole('alert').filter({ hasText: 'Not heard yet' })
    await why.getByText(/Trigger it/).waitFor()
  })
})

test('a device is deleted after a question', async () => {
  const eui = '00AA0000000000A1'
  await open(`/devices/${eui}?tab=settings`, async (page) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete the device' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Silent?' })
    await dialog.getByRole('button', { name: 'Delete the device' }).click()
    await page.waitForURL(/\/devices$/)
  })
  assert.equal((await console.call('GET', `/fleet/devices/${eui}`)).status, 404)
})

test('the actions of a device stand in its header, on phones in a menu', async () => {
  await open(`/devices/${air}`, async (page) => {
    await page.getByRole('button', { name: 'Configure' }).click()
    await page.getByRole('dialog', { name: 'Configure' }).waitFor()
    await checkAccessibility(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More actions' }).click()
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), [
      'Move to another network',
      'Export uplinks (CSV)',
      'Export uplinks (JSON lines)',
      'Delete the device',
    ])
  })
  await open(
    `/devices/${air}`,
    async (page) => {
      assert.equal(await page.getByRole('button', { name: 'Configure' }).count(), 0)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Send bytes' }).click()
      await page.getByRole('dialog', { name: 'Send bytes' }).waitFor()
      await checkAccessibility(page)
    },
    { width: 390, height: 780 },
  )
})

test('axe finds nothing on any tab, dark and on a phone', async () => {
  await open(
    `/devices/${air}`,
    async (page) => {
      for (const name of tabs) {
        await page.getByRole('tab', { name }).click()
        await page.getByRole('tabpanel').waitFor()
        await settle(page)
        await checkAccessibility(page)
        await checkWidth(page, name)
      }
    },
    { width: 360, height: 780, colorScheme: 'dark' },
  )
})

test('hostile names, notes and values of a codec are text on every tab', async () => {
  const wide = `<img src=x onerror="window.harmed=1">${'Wide'.repeat(14)}`
  const type = await console.call('POST', '/device-types', {
    type_name: '<b>Type</b>',
    part_number: 'H-1',
    payload_format: 'ts013',
    codec: hostileCodec,
  })
  assert.equal(type.status, 201)
  const change = { device_name: wide, extra_notes: wide.repeat(3), deviceType: type.body.data.id }
  assert.equal((await console.call('PATCH', `/devices/${air}`, change)).status, 200)
  await send(air, 2)
  await open(
    `/devices/${air}`,
    async (page) => {
      for (const name of tabs) {
        await page.getByRole('tab', { name }).click()
        await page.getByRole('tabpanel').waitFor()
        await settle(page)
        if (name === 'Uplinks')
          await page
            .getByRole('button', { name: /^Details of/ })
            .first()
            .click()
        assert.equal(await page.evaluate(() => 'harmed' in window), false)
        await checkWidth(page, name)
      }
    },
    { width: 360, height: 780 },
  )
})

test('a silent device shows who heard it last and how it is, then the likely cause', async () => {
  await send(door)
  const { id } = await readRecord(door)
  await console.db.query(
    `update uplinks set event_time = event_time - interval '3 days' where device_id = ${id}`,
  )
  await console.db.query(
    `update device_states set last_seen = last_seen - interval '3 days', seen_period = seen_period - 6
     where device_id = ${id}`,
  )
  await open(`/devices/${door}`, async (page) => {
    const why = page.getByRole('alert').filter({ hasText: 'Why is it silent?' })
    await why.getByText('Most likely:').waitFor()
    await why.getByText('Heard last by').waitFor()
    await why
      .getByText(/heard it 3d ago/)
      .first()
      .waitFor()
    await why.getByText('Last heard').waitFor()
    // The signal has its age everywhere.
    const signal = page.getByRole('region', { name: 'Signal' })
    await signal.getByText(/, 3d ago/).waitFor()
    await checkAccessibility(page)
  })
})
