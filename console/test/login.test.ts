import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { logIn, ownerEmail, ownerPassword, startConsole, type TestConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'
import { setUpTwoFactor, spaced } from './two-factor.ts'

const refused = /status of 4\d\d/

async function givePassword(page: Page, email = ownerEmail, password = ownerPassword) {
  await page.getByLabel('E-mail').fill(email)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const memberPassword = 'seven green lanterns'

/** Makes a member who has chosen a password, and returns their e-mail. */
async function addMember(console: TestConsole): Promise<string> {
  const email = 'member@example.test'
  const given = 'four words make sense'
  const person = { email, password: given, first_name: 'Ada', last_name: 'Member' }
  const made = await console.call('POST', '/organization/users', { ...person, permissions: [] })
  assert.equal(made.status, 201)
  const send = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', organization: '1' }
    const answer = await fetch(`${console.url}/v1${path}`, {
      method: 'POST',
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    assert.ok(answer.ok, path)
    return answer
  }
  const { token } = (await (await send('/auth/login', { email, password: given })).json()) as {
    token: string
  }
  await send('/user/password', { current_password: given, password: memberPassword }, token)
  return email
}

test('two-factor is set up, asked for, and replaced by a recovery code', async (t) => {
  const console = await startConsole(t)
  const email = await addMember(console)
  const page = await console.enter('/', { expects: refused })
  const { secret, recoveryCodes } = await setUpTwoFactor(page, console.url)
  await t.test('a login asks for a code of the app', async () => {
    const other = await console.open('/login?next=%2Fsettings%2Fsecurity', { expects: refused })
    await givePassword(other)
    const field = other.getByLabel('Code of your authenticator app')
    assert.equal(await field.getAttribute('autocomplete'), 'one-time-code')
    await checkAccessibility(other)
    await field.fill('000000')
    await other.keyboard.press('Enter')
    await other.getByText('is wrong, too old, or was used before').waitFor()
    await field.fill(spaced(generateSync({ secret })))
    await other.keyboard.press('Enter')
    await other.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  })
  await t.test('an organization that requires it leads other members to its set-up', async () => {
    await page.goto(`${console.url}/settings/organization`)
    await page.getByRole('button', { name: 'Require' }).click()
    await page.getByText('Required for every member.').waitFor()
    await checkAccessibility(page)
    const other = await console.open('/login', { expects: refused })
    await givePassword(other, email, memberPassword)
    await other.getByRole('heading', { name: 'Set up two-factor', level: 1 }).waitFor()
    await other.getByLabel('Current password').fill(memberPassword)
    await other.getByRole('button', { name: 'Next' }).click()
    await other.getByRole('img', { name: /^QR code/ }).waitFor()
    await checkAccessibility(other)
    await page.getByRole('button', { name: 'Make optional' }).click()
    await page.getByText('Optional for each member.').waitFor()
  })
  await t.test('a recovery code lets in once', async () => {
    const other = await console.open('/login', { expects: refused })
    await enterByRecoveryCode(other, recoveryCodes[0] ?? '')
    await other.getByRole('navigation', { name: 'Main' }).waitFor()
    await other.goto(`${console.url}/settings/security`)
    await other.getByText('9 recovery codes left').waitFor()
    const again = await console.open('/login', { expects: refused })
    await enterByRecoveryCode(again, recoveryCodes[0] ?? '')
    await again.getByText('The recovery code is wrong or was used before').waitFor()
  })
  await t.test('it is turned off with the password', async () => {
    const other = await console.open('/login', { expects: refused })
    await enterByRecoveryCode(other, recoveryCodes[1] ?? '')
    await other.getByRole('navigation', { name: 'Main' }).waitFor()
    await other.goto(`${console.url}/settings/security`)
    await other.getByRole('button', { name: 'Turn off' }).click()
    const dialog = other.getByRole('dialog')
    await dialog.getByLabel('Current password').fill('wrong')
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByText('You have entered wrong password.').waitFor()
    await dialog.getByLabel('Current password').fill(ownerPassword)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await other.getByRole('link', { name: 'Set up' }).waitFor()
  })
})

async function enterByRecoveryCode(page: Page, code: string) {
  await givePassword(page)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(code.toLowerCase())
  await page.keyboard.press('Enter')
}

test('the keyboard is enough to log in, and comes to the page that was asked for', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/settings/members?search=owner', { expects: refused })
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type(ownerEmail)
  await page.keyboard.press('Tab')
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('do not match our records').waitFor()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(ownerPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  assert.match(page.url(), /\/settings\/members\?search=owner/)
  await page.getByRole('cell', { name: ownerEmail }).waitFor()
})

test('a link in the address leads to no other host', async (t) => {
  const console = await startConsole(t)
  for (const next of ['//elsewhere.example.test/', '/\\elsewhere.example.test', 'https://x.test']) {
    const page = await console.open(`/login?next=${encodeURIComponent(next)}`, { expects: refused })
    await logIn(page)
    assert.equal(new URL(page.url()).origin, console.url)
  }
})

/** Ends every session of the owner but the one that the test calls with. */
async function endBrowserSessions({ call }: TestConsole) {
  assert.equal((await call('DELETE', '/user/sessions')).status, 204)
}

test('an ended session asks for the password over the page, and nothing typed is lost', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings', { expects: refused })
  await page.getByLabel('First name').fill('Ines typed this')
  await endBrowserSessions(console)
  await page.getByRole('button', { name: 'Save name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in again' })
  await dialog.waitFor()
  await checkAccessibility(page)
  assert.equal(await page.getByLabel('First name').inputValue(), 'Ines typed this')
  assert.equal(await dialog.getByLabel('E-mail').inputValue(), ownerEmail)
  await page.keyboard.press('Escape')
  await page.keyboard.type(ownerPassword)
  await page.keyboard.press('Enter')
  await page.getByText('Your name is changed.').waitFor()
  const { body } = await console.call('GET', '/user/get-org-user/me')
  assert.equal(body.data.name, 'Ines typed this')
})

test('a dialog below the login stays open with what was typed', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/members', { expects: refused })
  await page.getByRole('button', { name: 'Invite' }).click()
  const below = page.getByRole('dialog', { name: 'Invite a member' })
  await below.getByLabel('E-mail').fill('typed@example.test')
  await endBrowserSessions(console)
  await below.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in again' })
  await dialog.locator('input[autocomplete=current-password]').press('Escape')
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await below.getByText('You are logged out, so nothing was sent.').waitFor()
  await below.getByRole('button', { name: 'Invite', exact: true }).click()
  await dialog.locator('input[autocomplete=current-password]').fill(ownerPassword)
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('typed@example.test is invited').waitFor()
})

test('a renewal elsewhere asks nobody, and another user loads the page again', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/security', { expects: refused })
  await page.evaluate(async () => {
    const headers = { 'x-requested-with': 'console' }
    const before = fetch('/v1/user/sessions', { headers: { ...headers, organization: '1' } })
    await fetch('/v1/auth/session', { method: 'PUT', headers })
    await before
  })
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('cell', { name: ownerEmail }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  const other = { email: 'other@example.test', password: 'seven green lanterns' }
  const person = { ...other, first_name: 'Otto', last_name: 'Her', permissions: [] }
  assert.equal((await console.call('POST', '/organization/users', person)).status, 201)
  await page.evaluate(() => {
    ;(window as { mark?: string }).mark = 'not loaded again'
  })
  await endBrowserSessions(console)
  await page.getByLabel('Search members by name or e-mail').fill('otto')
  const dialog = page.getByRole('dialog', { name: 'Log in again' })
  await dialog.getByLabel('E-mail').fill(other.email)
  await dialog.locator('input[autocomplete=current-password]').fill(other.password)
  await dialog.getByRole('button', { name: 'Log in' }).click()
  // Otto's password was set by somebody else.
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
  assert.equal(await page.evaluate(() => (window as { mark?: string }).mark), undefined)
})

test('a password that somebody else has set is changed first', async (t) => {
  const console = await startConsole(t)
  const password = 'seven green lanterns'
  const person = { email: 'new@example.test', password, first_name: 'N', last_name: 'E' }
  assert.equal((await console.call('POST', '/organization/users', person)).status, 201)
  const page = await console.open('/login', { expects: refused })
  await page.getByLabel('E-mail').fill(person.email)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill('password')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is too common.').waitFor()
  await page.getByLabel('New password').fill('eight quiet harbours')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
})

test('a logout shows the login, and a forgotten password says what to do', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/', { expects: refused })
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.getByRole('link', { name: 'Forgotten your password?' }).click()
  await page.getByText('user reset-password').waitFor()
  await checkAccessibility(page)
  await page.getByLabel('E-mail').fill(ownerEmail)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Code from the mail').fill('unknown')
  await page.getByLabel('New password').fill('eight quiet harbours')
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('is wrong or too old').waitFor()
})
