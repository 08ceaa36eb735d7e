import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 30 })
const hostile = '<img src=x onerror="document.title=1"> {{7*7}} "\'`=1+1'
const eui = (number: number) => `00AA${number.toString(16).toUpperCase().padStart(12, '0')}`

const rows = (page: Page) => page.locator('tbody [role=row]')
const count = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /device/ })
    .first()
const boxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })

async function waitForCount(page: Page, text: string) {
  await count(page).getByText(text, { exact: true }).waitFor()
}

async function waitForJob(page: Page) {
  await page
    .getByRole('region', { name: 'Work on the chosen devices' })
    .getByText('Done', { exact: true })
    .waitFor()
}

test('filters are in the address, which shows the same to others and goes back and forward', async (t) => {
  const page = await console.enter('/devices')
  await waitForCount(page, '30 devices')
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('door')
  await page.waitForURL(/search=door/)
  await page.getByText(/(devices match|device matches)$/).waitFor()
  const found = await count(page).textContent()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('checkbox', { name: 'Low battery' }).check()
  await page.waitForURL(/low_battery=yes/)
  await page.keyboard.press('Escape')

  await t.test('a second page with this address has the same filters', async () => {
    const other = await console.enter(new URL(page.url()).pathname + new URL(page.url()).search)
    await other.getByRole('button', { name: 'Remove the filter Low battery' }).waitFor()
    assert.equal(await other.getByRole('searchbox').inputValue(), 'door')
  })

  await t.test('back takes the last filter away, and forward brings it again', async () => {
    await page.goBack()
    await waitForCount(page, found ?? '')
    assert.equal(await page.getByRole('button', { name: /Remove the filter Low/ }).count(), 0)
    await page.goForward()
    await page.getByRole('button', { name: 'Remove the filter Low battery' }).waitFor()
  })

  await t.test('a chip takes its filter away', async () => {
    await page.getByRole('button', { name: 'Remove the filter Low battery' }).click()
    await waitForCount(page, found ?? '')
    await page.getByRole('button', { name: 'Clear all' }).click()
    await waitForCount(page, '30 devices')
    assert.equal(await page.getByRole('searchbox').inputValue(), '')
  })

  await t.test('what devices measure is chosen in words', async () => {
    await page.goto(`${console.url}/devices?measures=action.contactState`)
    await page.getByRole('button', { name: /^Remove the filter.*Doors and contacts/ }).waitFor()
    await waitForCount(page, '9 devices match')
  })
})

test('the order follows the head of a column, and is told to screen readers', async () => {
  const page = await console.enter('/devices')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'DevEUI', exact: true }).click()
  await page.waitForURL(/sort=device_id/)
  const head = page.getByRole('columnheader', { name: 'DevEUI' })
  assert.equal(await head.getAttribute('aria-sort'), 'ascending')
  await page.locator('[data-index="0"]').getByText(eui(1)).waitFor()
  await page.getByRole('button', { name: 'DevEUI', exact: true }).click()
  await page.locator('[data-index="0"]').getByText(eui(30)).waitFor()
  assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '31')
})

test('chosen devices are renamed and moved, with a result each', async () => {
  const group = await console.call('POST', '/device-groups', { groupName: 'Cellar' })
  assert.equal(group.status < 300, true, JSON.stringify(group.body))
  const page = await console.enter('/devices?sort=device_id')
  await rows(page).first().waitFor()
  await page.locator('[data-index="0"] input').click()
  await page.locator('[data-index="2"] input').click({ modifiers: ['Shift'] })
  await page.getByText('3 devices chosen').waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('New name').fill(`{nn} ${hostile}`)
  await page.getByRole('dialog').getByText('01 <img').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Rename 3 devices' }).click()
  await waitForJob(page)
  await page.getByText('3 of 3 done', { exact: true }).waitFor()
  await page.locator('[data-index="2"]').getByText(`03 ${hostile}`, { exact: true }).waitFor()
  assert.notEqual(await page.title(), '1')

  await page.locator('[data-index="1"] input').click()
  await page.getByRole('button', { name: 'Groups' }).click()
  await page.getByRole('menuitem', { name: 'Move to a group' }).click()
  await page.getByRole('dialog').getByRole('combobox').or(page.getByLabel('Group')).first().click()
  await page.getByRole('option', { name: 'Cellar' }).click()
  await page.getByRole('button', { name: 'Move 1 device' }).click()
  await page.getByText('1 of 1 done', { exact: true }).waitFor()
  await page.locator('[data-index="1"]').getByText('Cellar').waitFor()
})

test('chosen columns are there in another browser', async () => {
  const page = await console.enter('/devices')
  await page.getByRole('columnheader', { name: 'Battery' }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  // A column that is chosen changes its place in the menu.
  await page.getByRole('checkbox', { name: 'Battery' }).click()
  await page.getByRole('columnheader', { name: 'Battery' }).waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'JoinEUI' }).click()
  await page.getByRole('columnheader', { name: 'JoinEUI' }).waitFor()
  await settle(page)
  const other = await console.enter('/devices')
  await other.getByRole('columnheader', { name: 'JoinEUI' }).waitFor()
  assert.equal(await other.getByRole('columnheader', { name: 'Battery' }).count(), 0)
  await other.getByRole('button', { name: 'Columns' }).click()
  await other.getByRole('button', { name: 'Reset' }).click()
  await other.getByRole('columnheader', { name: 'Battery' }).waitFor()
})

test('deleting many asks for their number', async () => {
  // The window is high enough for all rows.
  const page = await console.enter('/devices?sort=device_id&order=desc', { height: 2400 })
  await rows(page).first().waitFor()
  await page.locator('[data-index="0"] input').click()
  await page.locator('[data-index="20"] input').click({ modifiers: ['Shift'] })
  await page.getByText('21 devices chosen').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  const sure = page.getByRole('button', { name: 'Delete 21 devices' })
  assert.equal(await sure.isDisabled(), true)
  await page.getByLabel('Type 21 to confirm').fill('21')
  await sure.click()
  await waitForJob(page)
  await waitForCount(page, '9 devices')
})

test('chosen devices are compared in the charts of the first', async () => {
  const page = await console.enter('/devices?sort=device_id')
  await page.locator('[data-index="0"] input').check()
  await page.getByText('1 device chosen').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Compare' }).count(), 0)
  await page.locator('[data-index="1"] input').check()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.waitForURL(/tab=measurements/)
  assert.match(page.url(), /range=day/)
  assert.match(page.url(), /with=00AA[0-9A-F]{12}(&|$)/)
})

test('the table is used only by keyboard', async () => {
  const page = await console.enter('/devices?sort=device_id')
  await rows(page).first().waitFor()
  await page.locator('[data-index="0"] input').focus()
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index'))
  await page.keyboard.press('ArrowDown')
  assert.equal(await focused(), '1')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 devices chosen').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('2 devices chosen').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  assert.equal(await focused(), '8')
  await page.keyboard.press('Control+a')
  await page.getByText('9 devices chosen').waitFor()
  await page.keyboard.press('Home')
  assert.equal(await focused(), '0')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/devices/${eui(1)}`))
})

test('a view is saved, and opened again in another browser', async () => {
  const view = `\u202e${hostile}`
  const page = await console.enter('/devices?search=cellar&sort=last_seen')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Save what is shown as').fill(view)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: view, exact: true }).waitFor()
  const other = await console.enter('/devices')
  await other.getByRole('button', { name: 'Views' }).click()
  await other.getByRole('link', { name: view, exact: true }).click()
  await other.waitForURL(/search=cellar/)
  assert.equal(await other.getByRole('searchbox').inputValue(), 'cellar')
})

test('the export has what is shown', async () => {
  const page = await console.enter('/devices?sort=device_id&order=desc')
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  // The mark by which spreadsheets know UTF-8, once.
  assert.equal(text.lastIndexOf('\ufeff'), 0)
  const lines = text.slice(1).trimEnd().split('\r\n')
  assert.equal(lines.length, 10)
  assert.match(lines[0] ?? '', /^device_name,reading,/)
  assert.match(lines[9] ?? '', new RegExp(eui(1)))
})

test('a phone shows cards, and nothing is wider than the screen', async () => {
  const page = await console.enter('/devices', { width: 360, height: 780 })
  await boxOf(page, hostile).or(rows(page).first()).first().waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  assert.equal(width, 360)
  await rows(page).first().getByRole('checkbox').click()
  await page.getByText('1 device chosen').waitFor()
  await checkAccessibility(page)
})
