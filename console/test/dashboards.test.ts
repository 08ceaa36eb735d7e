import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth, settle } from './open-page.ts'

const console = await startConsole({ after })
const { call, enter } = console

const hostile = '<img src=x onerror=alert(1)> & Co'
for (const [number, deviceName] of [hostile, 'Cold room', 'Warm room'].entries()) {
  const device = { deviceName, deviceId: `00AA0000000000B${number}`, deviceType: 112 }
  const key = { deviceKey: '000102030405060708090A0B0C0D0E0F' }
  const body = { network: 10, registerMethod: 'user_account', action: 'confirm', consoleOnly: true }
  const answer = await call('POST', '/devices', { ...body, ...device, ...key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
const { body: group } = await call('POST', '/device-groups', {
  groupName: hostile,
  selectedGroup: null,
  selectedDevices: [],
})
assert.ok(group.data.id)

const plan = await call('POST', '/floor-plans', {
  name: hostile,
  group_id: group.data.id,
  image: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3H0z"/></svg>',
  ).toString('base64'),
})
const placed = { x: 0.5, y: 0.5 }
await call('PUT', `/floor-plans/${plan.body.data.id}/devices/00AA0000000000B0`, placed)

const source = { quantity: 'air.temperature' }
const devices = ['00AA0000000000B0', '00AA0000000000B1']
const tinyPicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const text = `# ${hostile}\n\n[link](javascript:alert(1)) **bold** <script>alert(1)</script>`
const everyType = [
  { type: 'counts', x: 0, y: 0, w: 12, h: 2 },
  { type: 'text', x: 0, y: 2, w: 6, h: 4, title: hostile, options: { text } },
  { type: 'table', x: 6, y: 2, w: 6, h: 4 },
  ...['value', 'tiles', 'chart', 'bars', 'gauge', 'ranking', 'heatmap'].map((type, at) => ({
    ...{ type, x: (at % 3) * 4, y: 6 + 5 * Math.floor(at / 3), w: 4, h: 5, source },
  })),
  ...['states', 'alerts', 'battery', 'map'].map((type, at) => ({
    ...{ type, x: (at % 2) * 6, y: 21 + 4 * Math.floor(at / 2), w: 6, h: 4 },
  })),
  { type: 'plan', x: 0, y: 29, w: 6, h: 4, source: { plan: plan.body.data.id } },
  {
    type: 'picture',
    x: 6,
    y: 29,
    w: 3,
    h: 4,
    title: `Logo ${hostile}`,
    options: { image: tinyPicture },
  },
  {
    ...{ type: 'downlink', x: 9, y: 29, w: 3, h: 4, title: 'Beep', source: { devices } },
    options: { f_port: 10, payload: '01ff' },
  },
]

async function make(body: object): Promise<string> {
  const answer = await call('POST', '/dashboards', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

const stored = async (id: string) => (await call('GET', `/dashboards/${id}`)).body.data

/** The handle of a widget, whose name says where it stands. */
const handleOf = (page: Page, title: string) =>
  page.getByRole('button', { name: new RegExp(`^Move ${title}, `) })

async function middleOf(thing: Locator): Promise<{ x: number; y: number }> {
  const box = await thing.boundingBox()
  assert.ok(box, 'it is not in sight')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function addWidget(page: Page, type: string, fill: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Add a widget' }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${type}`) }).click()
  const dialog = page.getByRole('dialog')
  await fill()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a dashboard is made, filled, moved by keys and mouse, undone, kept, and saved', async () => {
  const page = await enter('/dashboards')
  await page.getByRole('button', { name: 'New dashboard' }).click()
  await page.getByLabel('Name').fill('Rooms')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Rooms', level: 1 }).waitFor()

  await addWidget(page, 'Chart', async () => {
    await page.getByLabel('Title').fill('Air')
    await page.getByRole('combobox', { name: 'What is measured' }).click()
    await page.getByRole('option', { name: /^Temperature/ }).click()
  })
  await addWidget(page, 'Text', async () => {
    await page.getByLabel('Title').fill('Notes')
    await page.getByRole('textbox', { name: 'Text' }).fill('Call **Bo**')
  })
  await handleOf(page, 'Air').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowDown')
  const words = 'column 3, row 1, 5 wide, 6 high'
  await page.getByText(`Air: ${words}.`).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: `Move Air, ${words}` }).waitFor()
  await page.getByRole('button', { name: /^Move Notes, column 1, row 7/ }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Move Air, column 3, row 1, 5 wide, 5 high' }).waitFor()
  await page.getByRole('button', { name: 'Redo' }).click()
  await page.getByRole('button', { name: `Move Air, ${words}` }).waitFor()

  const start = await middleOf(handleOf(page, 'Notes'))
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  const column = (await page.locator('[data-edited]').boundingBox())?.width ?? 0
  await page.mouse.move(start.x + column / 2, start.y, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: /^Move Notes, column 7, row 7/ }).waitFor()
  await checkAccessibility(page)

  await page.reload()
  await page.getByText('Your unsaved changes are here').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Dashboard saved.').waitFor()
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  assert.equal(await page.locator('strong', { hasText: 'Bo' }).count(), 1)
  const { widgets } = await stored(page.url().match(/dashboards\/(\d+)/)?.[1] ?? '')
  const places = widgets.map(({ title, x, y, w, h }: Record<string, unknown>) => [
    title,
    x,
    y,
    w,
    h,
  ])
  assert.deepEqual(places, [
    ['Air', 2, 0, 5, 6],
    ['Notes', 6, 6, 4, 3],
  ])
  assert.deepEqual(widgets[0].source, source)
  await page.close()
})

test('every widget shows its own state, on a phone too, and runs nothing of a name', async () => {
  const id = await make({ name: hostile, description: hostile, widgets: everyType })
  for (const width of [1280, 390]) {
    const page = await enter(`/dashboards/${id}`, { width, height: 900 })
    page.on('dialog', () => assert.fail('a script ran'))
    await page.getByRole('heading', { name: hostile, level: 1 }).waitFor()
    await page.getByRole('table', { name: 'Latest readings' }).getByText(hostile).waitFor()
    await page.getByText('No values in these 24 hours.').first().waitFor()
    await page.locator('strong', { hasText: 'bold' }).waitFor()
    await page
      .getByRole('status', { name: /^Loading/ })
      .first()
      .waitFor({ state: 'detached' })
    await settle(page)
    await page.getByRole('img', { name: hostile, exact: true }).waitFor()
    const images = page.locator('section img')
    assert.deepEqual(await images.evaluateAll((all) => all.map((one) => one.getAttribute('alt'))), [
      hostile,
      `Logo ${hostile}`,
    ])
    assert.equal(await page.locator('section script').count(), 0)
    await page
      .getByRole('list', { name: `Devices on ${hostile}` })
      .getByText(hostile)
      .waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Beep' }).click()
    await page.getByRole('dialog').getByText(hostile).waitFor()
    await page.getByRole('button', { name: 'Send to 2 devices' }).click()
    await page.getByRole('dialog').getByText(`${hostile}: `).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.locator('a[href^="javascript"]').count(), 0)
    await checkWidth(page, `dashboard at ${width}`)
    await checkAccessibility(page)
    await page.close()
  }
})

test('a widget that cannot be read says so, and the others are not concerned', async () => {
  const gone = await call('POST', '/device-groups', { groupName: 'Gone', selectedGroup: null })
  const widget = { type: 'ranking', x: 0, y: 0, w: 6, h: 4 }
  const id = await make({
    name: 'Half',
    widgets: [
      { ...widget, source: { ...source, group: gone.body.data.id } },
      { type: 'table', x: 6, y: 0, w: 6, h: 4 },
    ],
  })
  await call('DELETE', `/device-groups/${gone.body.data.id}`)
  const page = await enter(`/dashboards/${id}`)
  await page.getByText('What it shows is not there, or not for you.').waitFor()
  await page.getByRole('table', { name: 'Latest readings' }).waitFor()
  await page.close()
})

test('the dashboard of a group is copied, deleted and restored; an import names what is wrong', async () => {
  const page = await enter('/dashboards?show=service')
  await page.getByRole('link', { name: hostile }).click()
  await page.getByText('Made from what the sensors of this group measure.').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy' }).click()
  await page.getByText(`Copied as ${hostile} (copy).`).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
  await page.getByText('Deleted', { exact: true }).click()
  await page.getByRole('button', { name: `Restore ${hostile} (copy)` }).click()
  await page.getByText(`${hostile} (copy) is back.`).waitFor()
  await page.getByText('Made here', { exact: true }).click()
  await page.getByRole('link', { name: `${hostile} (copy)` }).waitFor()

  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const send = async (json: string) => {
    await dialog.getByLabel('JSON').fill(json)
    await dialog.getByRole('button', { name: 'Import' }).click()
  }
  await send('{')
  await dialog.getByText('This is not JSON').waitFor()
  await send(JSON.stringify({ name: 'A', widgets: [{ type: 'pie', x: 0, y: 0, w: 1, h: 1 }] }))
  await dialog.getByText('widgets.0.type: The type must be one of').waitFor()
  await send(JSON.stringify({ name: 'Imported', widgets: everyType }))
  await page.getByRole('heading', { name: 'Imported', level: 1 }).waitFor()
  await page.close()
})

test('measurements are explored in one chart, kept in the address, compared and pinned', async () => {
  const page = await enter('/explore')
  const add = async (measured: RegExp) => {
    await page.getByRole('button', { name: 'Add a line' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'What is measured' }).click()
    await page.getByRole('option', { name: measured }).click()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await add(/^Temperature/)
  await add(/^Humidity/)
  const to = page.getByLabel('To', { exact: true })
  const times = () => {
    const search = new URL(page.url()).searchParams
    return [search.get('from'), search.get('to')].map((time) => time && Date.parse(time))
  }
  await to.fill('2026-02-03 14:05')
  await to.press('Enter')
  await page.waitForURL(/from=/)
  const [begin, end] = times()
  assert.equal(Number(end) - Number(begin), 24 * 3_600_000)
  await to.fill('')
  await to.press('Enter')
  await page.waitForURL((url) => !/from=/.test(url.href))
  assert.deepEqual(times(), [null, null])
  const compare = page.getByRole('switch', { name: 'Compare with the period before' })
  await compare.click()
  await page.reload()
  await page.getByRole('button', { name: 'Humidity: All devices', exact: true }).waitFor()
  await page.getByText('No values in these 24 hours.').waitFor()
  assert.ok(await compare.isChecked())
  await settle(page)
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Pin to a dashboard' }).click()
  await page.getByRole('menuitem', { name: 'A new dashboard' }).click()
  const made = page.getByRole('dialog', { name: 'New dashboard' })
  await made.getByText('Range: Last 24 hours').waitFor()
  await made.getByLabel('Name').fill('Explored')
  await made.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Pinned to Explored.').waitFor()
  const { body } = await call('GET', '/dashboards?search=Explored')
  const [widget] = (await stored(body.data[0].id)).widgets
  const more = [{ quantity: 'air.relativeHumidity' }]
  assert.deepEqual([widget.type, widget.source], ['chart', { ...source, more }])
  await page.close()

  for (const series of ['{', '[1]', JSON.stringify([{ quantity: hostile, devices: [hostile] }])]) {
    const odd = await enter(`/explore?series=${encodeURIComponent(series)}`, { width: 390 })
    await odd.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
    await checkWidth(odd, 'explore')
    await odd.close()
  }
})

test('a logbook keeps notes of a device, which run nothing', async () => {
  const page = await enter('/devices/00AA0000000000B1')
  page.on('dialog', () => assert.fail('a script ran'))
  const logbook = page.getByRole('region', { name: 'Logbook' })
  await logbook.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('What happened').fill(hostile)
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await logbook.locator('p', { hasText: hostile }).waitFor()
  await checkAccessibility(page)
  await logbook.getByRole('button', { name: /^Edit/ }).click()
  await page.getByLabel('What happened').fill('Door repaired')
  await page.getByRole('button', { name: 'Save' }).click()
  await logbook.locator('p', { hasText: /^Door repaired$/ }).waitFor()
  await logbook.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await logbook.locator('p', { hasText: /^Door repaired$/ }).waitFor({ state: 'detached' })
  await page.close()
})
