import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { logIn, ownerEmail, ownerPassword, startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

const login = '/login?next=%2Fsettings%2Fsecurity'

/** Gives the page a passkey that is touched at once, as a phone's after its fingerprint. */
async function giveAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added, logs in, gets another name, and is removed', async (t) => {
  // Browsers have no passkeys at 127.0.0.1.
  const console = await startConsole(t, { host: 'localhost' })
  const page = await console.open(login)
  await giveAuthenticator(page)
  await logIn(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const adding = page.getByRole('dialog')
  await adding.getByLabel('Name').fill('Phone')
  await adding.getByLabel('Current password').fill(ownerPassword)
  await checkAccessibility(page)
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  const codes = adding.getByRole('list', { name: 'Recovery codes' }).locator('code')
  await codes.first().waitFor()
  assert.equal(await codes.count(), 10)
  await checkAccessibility(page)
  await adding.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  await page.getByRole('table', { name: 'Your passkeys' }).getByText('Phone').waitFor()
  await checkAccessibility(page)

  await page.context().clearCookies()
  await page.goto(console.url + login)
  await page.getByLabel('E-mail').fill(ownerEmail)
  await page.locator('input[autocomplete=current-password]').fill(ownerPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  const use = page.getByRole('button', { name: 'Use a passkey' })
  await use.waitFor()
  await checkAccessibility(page)
  await use.click()
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Rename Phone' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Old phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Remove Old phone' }).click()
  await page.getByText('It is your only second factor').waitFor()
  await page.getByRole('dialog').getByLabel('Current password').fill(ownerPassword)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The passkey is removed.').waitFor()
  assert.equal(await page.getByRole('table', { name: 'Your passkeys' }).count(), 0)
})

test('where browsers have no passkeys, the settings say so', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/security')
  await page.getByText('Browsers have passkeys only over HTTPS, and at a name.').waitFor()
  const add = page.getByRole('button', { name: 'Add a passkey' })
  assert.equal(await add.getAttribute('aria-disabled'), 'true')
})
