import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startConsole, type TestConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'

/** Makes groups, and returns the ids by name. */
async function addGroups(
  console: TestConsole,
  ...groups: [name: string, parent?: string][]
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const [groupName, parent] of groups) {
    const body = { groupName, selectedGroup: parent === undefined ? null : ids.get(parent) }
    const answer = await console.call('POST', '/device-groups', body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    ids.set(groupName, answer.body.data.id)
  }
  return ids
}

/** The tree as the service has it: the parent's name of each group. */
async function parentsOf({ call }: TestConsole): Promise<Record<string, string | null>> {
  const { body } = await call('GET', '/fleet/groups')
  const groups: { id: number; name: string; parent_id: number | null }[] = body.data
  const nameOf = (id: number | null) => groups.find((one) => one.id === id)?.name ?? null
  return Object.fromEntries(groups.map(({ name, parent_id }) => [name, nameOf(parent_id)]))
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true })

/** Drags a row by its handle onto another, as a mouse does. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  const start = await middleOf(page.getByRole('button', { name: `Drag ${from}` }))
  const end = await middleOf(rowOf(page, to))
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 12, start.y + 4, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 8 })
  await page.waitForTimeout(200)
  await page.mouse.up()
}

async function middleOf(thing: Locator): Promise<{ x: number; y: number }> {
  const box = await thing.boundingBox()
  assert.ok(box, 'it is not in sight')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail(what)
}

test('a group is moved by mouse, by keyboard and by dialog', async (t) => {
  const console = await startConsole(t)
  await addGroups(console, ['Barn'], ['House'], ['Floor', 'House'], ['Yard'])
  const page = await console.enter('/groups')
  const isIn = (name: string, parent: string | null) =>
    until(async () => (await parentsOf(console))[name] === parent, `${name} is not in ${parent}`)

  await drag(page, 'Barn', 'House')
  await page.getByText('Barn is in House now.').waitFor()
  await isIn('Barn', 'House')
  assert.equal(await rowOf(page, 'Barn').getAttribute('aria-level'), '2')

  await page.getByRole('button', { name: 'Drag Yard' }).focus()
  await page.keyboard.press('Enter')
  const target = page.locator(':focus[aria-label^="Insert"], :focus[aria-label^="Drop on"]')
  for (let presses = 0; presses < 10; presses += 1) {
    await target.waitFor({ state: 'attached' })
    const label = await target.getAttribute('aria-label')
    if (label === 'Drop on Floor') break
    await page.keyboard.press('ArrowDown')
    await page.locator(`:focus[aria-label="${label}"]`).waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Enter')
  await isIn('Yard', 'Floor')

  await page.getByRole('button', { name: 'Actions of Floor' }).click()
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Floor' })
  assert.equal(await dialog.getByRole('radio', { name: 'Yard' }).count(), 0)
  await dialog.getByRole('radio', { name: 'The top level' }).check()
  await dialog.getByRole('button', { name: 'Move group' }).click()
  await isIn('Floor', null)
})

test('a move that is refused is taken back with its reason', async (t) => {
  const console = await startConsole(t)
  const ids = await addGroups(console, ['Barn'], ['House'])
  const page = await console.enter('/groups')
  await rowOf(page, 'House').waitFor()
  // Another member moves the one into the other; this page learns of it only after the drag.
  const { promise: isDragged, resolve: endDrag } = Promise.withResolvers<void>()
  await page.route('**/fleet/groups', async (route) => {
    await isDragged
    await route.continue()
  })
  const change = { parent_id: ids.get('Barn') }
  await console.call('PATCH', `/fleet/groups/${ids.get('House')}`, change)
  await drag(page, 'Barn', 'House')
  endDrag()
  await page.getByText('Barn was not moved').waitFor()
  await page
    .getByText('A group cannot be moved into itself or into one of its subgroups.')
    .waitFor()
  // Both are where the service has them.
  await page.locator('[role=row][aria-label=Barn][aria-expanded]').focus()
  await page.keyboard.press('ArrowRight')
  await rowOf(page, 'House').waitFor()
  assert.equal(await rowOf(page, 'House').getAttribute('aria-level'), '2')
  assert.equal(await rowOf(page, 'Barn').getAttribute('aria-level'), '1')
})

test('a group is created, renamed in place and deleted', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/groups')
  await page.getByText('No groups yet').waitFor()
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByLabel('Name').fill('<b>House</b>')
  await page.getByRole('button', { name: 'Create group' }).click()
  await rowOf(page, '<b>House</b>').waitFor()
  await page.getByRole('button', { name: 'Actions of <b>House</b>' }).click()
  await page.getByRole('menuitem', { name: 'New subgroup' }).click()
  await page.getByLabel('Name').fill('Floor')
  await page.getByRole('button', { name: 'Create group' }).click()
  await rowOf(page, 'Floor').waitFor()
  await rowOf(page, '<b>House</b>').focus()
  await page.keyboard.press('F2')
  await page.getByLabel('New name of <b>House</b>').fill('Villa two')
  await page.keyboard.press('Enter')
  await rowOf(page, 'Villa two').waitFor()
  await page.reload()
  await rowOf(page, 'Floor').waitFor()
  await page.getByRole('button', { name: 'Actions of Villa two' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Villa two?' })
  await dialog.getByText('1 subgroup with their devices move to the top.').waitFor()
  await dialog.getByRole('button', { name: 'Delete group' }).click()
  await rowOf(page, 'Villa two').waitFor({ state: 'detached' })
  assert.equal(await rowOf(page, 'Floor').getAttribute('aria-level'), '1')
})

const looks = [
  { name: 'light', width: 1280, colorScheme: 'light' },
  { name: 'dark, on a phone', width: 360, colorScheme: 'dark' },
] as const

for (const look of looks) {
  test(`axe finds nothing on the pages of groups, ${look.name}`, async (t) => {
    const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
    const ids = await addGroups(console, ['House'], ['Floor', 'House'])
    const devices = (await console.call('GET', '/fleet/devices')).body.data
    const add = devices.map(({ id }: { id: number }) => id)
    await console.call('POST', `/fleet/groups/${ids.get('Floor')}/devices`, { add })
    const page = await console.enter('/groups', look)
    await rowOf(page, 'Floor').waitFor()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Actions of Floor' }).click()
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await page.getByRole('dialog', { name: 'Move Floor' }).waitFor()
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await checkAccessibility(page)
    for (const tab of ['devices', 'subgroups', 'configure']) {
      await page.goto(`${console.url}/groups/${ids.get('House')}?tab=${tab}`)
      await page.getByRole('heading', { name: /^House/, level: 1 }).waitFor()
      await settle(page)
      await checkAccessibility(page)
    }
  })
}
