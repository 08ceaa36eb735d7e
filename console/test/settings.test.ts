import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAs, firstPassword, makeMember, ownPassword } from './members.ts'
import { startConsole, type TestConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'

const refused = /status of 4\d\d/
test('a time zone is found by its city and holds for all times at once', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings', { expects: refused })
  await page.getByText(/It is .* (CET|CEST|GMT\+[12]) there/).waitFor()
  const field = page.getByRole('combobox', { name: 'Time zone' })
  await field.click()
  await page.keyboard.type('kolkata')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText(/It is .* GMT\+5:30 there/).waitFor()
  await page.reload()
  await page.getByText(/It is .* GMT\+5:30 there/).waitFor()
  await field.click()
  await page.keyboard.type('browser')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText(/It is .* (CET|CEST|GMT\+[12]) there/).waitFor()
})

test('a session ends from the list, and its browser asks for the password', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/security', { expects: refused })
  const other = await console.enter('/settings/security', { expects: refused })
  await page.reload()
  await page.getByText('This session').waitFor()
  const ends = page.getByRole('button', { name: /^End the session of Chrome/ })
  await ends.first().click()
  await ends.first().waitFor({ state: 'detached' })
  await other.getByRole('link', { name: 'Members' }).click()
  await other.getByRole('dialog', { name: 'Log in again' }).waitFor()
})

test('an invitation has a link, and whoever has a login accepts after logging in', async (t) => {
  const console = await startConsole(t)
  const child = {
    name: 'Below',
    owner: {
      email: 'guest@example.test',
      password: firstPassword,
      first_name: 'G',
      last_name: 'U',
    },
  }
  assert.equal((await console.call('POST', '/organizations', child)).status, 201)
  const page = await console.enter('/settings/members', { expects: refused })
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('guest@example.test')
  await dialog.getByRole('checkbox', { name: 'Devices' }).check()
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog.getByText('guest@example.test is invited').waitFor()
  const link = await dialog.getByLabel('Link').inputValue()
  assert.match(link, /\/invitation#[\w-]{43}$/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByRole('cell', { name: 'guest@example.test' }).waitFor()
  await checkAccessibility(page)
  await acceptAsGuest(console, pathOf(link))
  await page.reload()
  await page.getByText('No pending invitations.').waitFor()
})

/** The link has the public address of the service, which is not that of the test. */
function pathOf(link: string): string {
  const { pathname, hash } = new URL(link)
  return pathname + hash
}

test('somebody without a login chooses a password by the link, and is a member', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/invitations', { expects: refused })
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('dialog').getByLabel('E-mail').fill('new@example.test')
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
  const link = page.getByRole('dialog').getByLabel('Link', { exact: true })
  const first = await link.inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'New link for new@example.test' }).click()
  const second = await link.inputValue()
  await checkAccessibility(page)

  const ended = await console.open(pathOf(first), { expects: refused })
  await ended.getByText(/Please ask for another one/).waitFor()
  const guest = await console.open(pathOf(second), { expects: refused })
  await guest.getByRole('heading', { name: 'Join Organization 1' }).waitFor()
  await checkAccessibility(guest)
  await guest.getByLabel('First name').fill('Nia')
  await guest.getByLabel('Last name').fill('New')
  await guest.locator('input[autocomplete=new-password]').fill('password')
  await guest.getByRole('button', { name: 'Join' }).click()
  await guest.getByText('The password is too common.').waitFor()
  await guest.locator('input[autocomplete=new-password]').fill(ownPassword)
  await guest.getByRole('button', { name: 'Join' }).click()
  await guest.getByRole('banner').getByText('Organization 1').waitFor()
  const { body } = await console.call('GET', '/organization/users?search=new@example.test')
  assert.equal(body.data.length, 1)
})

async function acceptAsGuest(console: TestConsole, path: string) {
  const page = await console.open(path, { expects: refused })
  await page.getByRole('link', { name: 'Log in to accept' }).click()
  await page.getByLabel('E-mail').fill('guest@example.test')
  await page.locator('input[autocomplete=current-password]').fill(firstPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Current password').fill(firstPassword)
  await page.getByLabel('New password').fill(ownPassword)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Organization 1').first().waitFor()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('You are a member of Organization 1 now.').waitFor()
  // The switcher has a choice now.
  assert.equal(
    await page.getByRole('combobox', { name: 'Organization' }).inputValue(),
    'Organization 1',
  )
}

test('permissions are given, and what is lacking is said', async (t) => {
  const console = await startConsole(t)
  await makeMember(console, 'mia@example.test')
  const owner = await console.enter('/settings/members?search=mia', { expects: refused })
  await owner.getByRole('cell', { name: 'Viewer Read only', exact: true }).waitFor()
  const page = await enterAs(console, 'mia@example.test', '/settings/members')
  const invite = page.getByRole('button', { name: 'Invite' })
  assert.equal(await invite.getAttribute('aria-disabled'), 'true')
  assert.match(String(await invite.getAttribute('title')), /no permission to manage the account/)
  await checkAccessibility(page)
  await owner.getByRole('button', { name: 'Change the permissions of Mia Mem' }).click()
  await owner.getByRole('combobox', { name: 'Role' }).click()
  await owner.getByRole('option', { name: 'Operator' }).click()
  assert.equal(await owner.getByRole('checkbox', { name: 'Groups' }).isChecked(), true)
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.getByRole('cell', { name: 'Operator Devices, Gateways, Groups' }).waitFor()
  await owner.getByRole('button', { name: 'Change the permissions of Mia Mem' }).click()
  for (const name of ['Devices', 'Gateways', 'Groups', 'Dashboards']) {
    await owner.getByRole('checkbox', { name }).uncheck()
  }
  await owner.getByRole('checkbox', { name: 'Account' }).check()
  assert.equal(await owner.getByRole('combobox', { name: 'Role' }).inputValue(), '')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.getByRole('cell', { name: 'Account' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Invite' }).click()
  const gateways = page.getByRole('checkbox', { name: 'Gateways' })
  assert.equal(await gateways.isDisabled(), true)
  await page.getByRole('combobox', { name: 'Role' }).click()
  const operator = page.getByRole('option', { name: 'Operator' })
  assert.equal(await operator.getAttribute('aria-disabled'), 'true')
  await page.getByRole('option', { name: 'Viewer' }).click()
  await operator.waitFor({ state: 'detached' })
  await checkAccessibility(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'No organization' }).waitFor()
})

test('a member is limited to a group, and that is all that the console has for them', async (t) => {
  const console = await startConsole(t)
  for (const groupName of ['House', 'Yard']) {
    assert.equal((await console.call('POST', '/device-groups', { groupName })).status, 200)
  }
  await makeMember(console, 'mia@example.test', ['manage_devices', 'manage_account'])
  const owner = await console.enter('/settings/members?search=mia', { expects: refused })
  await owner.getByRole('button', { name: 'Change the permissions of Mia Mem' }).click()
  await owner.getByRole('combobox', { name: 'Only devices of the group' }).click()
  await owner.getByRole('option', { name: 'House' }).click()
  await checkAccessibility(owner)
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.getByRole('cell', { name: 'only House' }).waitFor()

  const page = await enterAs(console, 'mia@example.test', '/settings/members')
  const refusals: string[] = []
  page.on('response', (answer) => {
    if (answer.status() === 403) refusals.push(answer.url())
  })
  await page.getByText('you do not see the other members').waitFor()
  await page.goto(console.url)
  await page.waitForURL(/groups/)
  await page.getByRole('navigation', { name: 'Main' }).getByText('Uplinks').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Gateways' }).count(), 0)
  await checkAccessibility(page)
  for (const name of ['Groups', 'Devices', 'Uplinks']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await settle(page)
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Search devices/ }).fill('Yard')
  await page.getByText('Nothing found. Try').waitFor()
  assert.deepEqual(refusals, [])
})

test('an organization is renamed, and gets a child to change to', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/organization', { expects: refused })
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour')
  await page
    .getByRole('region', { name: 'Name, address and time zone' })
    .getByRole('button', { name: 'Save' })
    .click()
  await page.getByRole('banner').getByText('Harbour').waitFor()
  await page.getByRole('button', { name: 'New child organization' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cold storage')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Change to Cold storage' }).click()
  const switcher = page.getByRole('combobox', { name: 'Organization' })
  await page.waitForURL(/\?org=2$/)
  assert.equal(await switcher.inputValue(), 'Cold storage')
  await page.goto(`${console.url}/settings/organization`)
  await page.getByText('ID 2').waitFor()
})

test('uplinks are kept for a number of days, after a question', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/organization')
  await page.getByRole('radio', { name: 'For a number of days' }).check()
  await page.getByLabel('Days', { exact: true }).fill('90')
  const form = page.getByRole('region', { name: 'Uplinks' })
  await form.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: 'Delete old uplinks?' })
  await question.getByText('older than 90 days').waitFor()
  await question.getByRole('button', { name: 'Delete old uplinks' }).click()
  await page.getByText('The time is changed.').waitFor()
  const kept = await console.call('GET', '/organization/retention')
  assert.deepEqual(kept.body.data, { uplink_days: 90 })
})
