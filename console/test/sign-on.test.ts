import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientSecret, startProvider } from '../../server/test/oidc-provider.ts'
import { findFreePort } from '../../server/test/port.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

test('a person logs in at the provider, comes to the page asked for, and out again', async (t) => {
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  const console = await startConsole(t, {
    settings: {
      SIGN_ON_ISSUER: issuer,
      SIGN_ON_CLIENT_ID: 'fleet',
      SIGN_ON_CLIENT_SECRET: clientSecret,
      SIGN_ON_NAME: 'Harbour Login',
      SIGN_ON_NEW_USERS: 'true',
      SIGN_ON_ROLES: JSON.stringify([{ group: 'watchers', organization: 1, role: 'viewer' }]),
    },
  })
  await startProvider(t, {
    port,
    redirectUris: [`${console.url}/sign-on`],
    people: {
      nell: { email: 'nell@example.test', email_verified: true, groups: ['watchers'] },
      eve: { email: 'eve@example.test', email_verified: false, groups: ['watchers'] },
    },
  })
  const page = await console.open('/login?next=%2Fdevices', {
    expects: /status of 4\d\d/,
    // The provider's pages have a font from elsewhere.
    visits: new RegExp(`^(${issuer}|https://fonts\\.googleapis\\.com)$`),
  })
  const signIn = async (login: string) => {
    await page.getByRole('button', { name: 'Log in with Harbour Login' }).click()
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button', { name: /sign-in/i }).click()
    await page.getByRole('button', { name: /continue/i }).click()
  }
  await page.getByRole('button', { name: 'Log in with Harbour Login' }).waitFor()
  await checkAccessibility(page)
  await signIn('nell')
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/devices')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByText('nell@example.test').waitFor()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(`${issuer}/**`)
  await page.getByRole('button', { name: /yes/i }).click()
  await page.waitForURL(`${console.url}/login**`)
  await signIn('eve')
  await page.getByText('There is no login here for your account at Harbour Login.').waitFor()
  await checkAccessibility(page)
})
