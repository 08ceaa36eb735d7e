import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { enterAs, makeMember } from './members.ts'
import { startConsole, type TestConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 1 })
const [device] = (await console.call('GET', '/fleet/devices')).body.data
const settings = `/devices/${device.device_id}?tab=settings`

/** The addresses that were refused to the page from now on. */
function refusalsOf(page: Page): string[] {
  const refusals: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 403) refusals.push(new URL(answer.url()).pathname)
  })
  return refusals
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(console.url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settle(page)
}

test('a reader is offered nothing that they may not do', async (t) => {
  await makeMember(console, 'mia@example.test')
  const gateway = await console.call('POST', '/gateways', {
    gateway_bridge: 'chirpstack',
    gateway_name: 'Roof',
    gateway_eui: '00AA0000000000E1',
  })
  const page = await enterAs(console, 'mia@example.test', settings)
  t.after(() => page.close())
  const refusals = refusalsOf(page)
  await open(page, settings)
  await page.getByRole('heading', { name: 'Identity' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('textbox').count(), 0)
  for (const name of ['Save', 'Try again', 'Configure', 'Send bytes']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  }
  await page.getByRole('button', { name: 'More actions' }).click()
  const offered = await page.getByRole('menuitem').allTextContents()
  assert.ok(offered.length > 0 && offered.every((name) => name.startsWith('Export')), `${offered}`)
  await page.keyboard.press('Escape')
  await checkAccessibility(page)
  const pages = ['/', '/devices', '/gateways', '/jobs', '/device-types', '/settings/organization']
  const catalogues = '/device-types/catalogues'
  for (const path of [...pages, catalogues, `/gateways/${gateway.body.gateway.id}?tab=place`]) {
    await open(page, path)
    const offers = page.getByRole('main').getByRole('link', { name: /^(Register|Import|New type)/ })
    assert.equal(await offers.count(), 0, path)
    assert.equal(await page.getByRole('button', { name: /^Save/ }).count(), 0, path)
  }
  for (const path of [
    '/register',
    '/install',
    '/import',
    '/gateways/register',
    '/device-types/new',
  ]) {
    await open(page, path)
    await page.getByText(/^You have no permission to manage/).waitFor()
  }
  assert.deepEqual(refusals, [])
})

test('a member of one group meets no refusal, on no page and by no link', async (t) => {
  await limitToGroup(console, 'ben@example.test')
  const page = await enterAs(console, 'ben@example.test', '/devices')
  t.after(() => page.close())
  const refusals = refusalsOf(page)
  await open(page, settings)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete the device' }).waitFor()
  assert.equal(await page.getByText('Move to another network').count(), 0)
  await open(page, '/devices')
  assert.equal(await page.getByRole('main').getByRole('link', { name: 'Register' }).count(), 0)
  for (const path of ['/gateways', '/settings/webhooks', '/settings/webhooks/1', '/register']) {
    await open(page, path)
    await page.getByText('You see the devices of one group.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  }
  await checkAccessibility(page)
  assert.deepEqual(refusals, [])
})

/** Makes a member who may manage the devices of a group, which has the device. */
async function limitToGroup(console: TestConsole, email: string): Promise<void> {
  await makeMember(console, email, ['manage_devices'])
  const group = await console.call('POST', '/device-groups', { groupName: 'House' })
  assert.equal(group.status, 200)
  const [{ id }] = (await console.call('GET', '/fleet/groups')).body.data
  const put = await console.call('PATCH', `/devices/${device.device_id}`, { groups: [id] })
  assert.equal(put.status, 200, JSON.stringify(put.body))
  const members = (await console.call('GET', '/organization/users')).body.data
  const member = members.find((one: { email: string }) => one.email === email)
  const limited = await console.call('PATCH', `/organization/users/${member.id}`, { group: id })
  assert.equal(limited.status, 200, JSON.stringify(limited.body))
}
