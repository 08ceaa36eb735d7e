import assert from 'node:assert/strict'
import type { TestConsole } from './open-console.ts'
import type { BrowserOptions } from './open-page.ts'

const refused = /status of 4\d\d/
export const firstPassword = 'seven green lanterns'
export const ownPassword = 'eight quiet harbours'

/** Makes a user with these permissions, who has chosen an own password. */
export async function makeMember(console: TestConsole, email: string, permissions: string[] = []) {
  const person = { email, password: firstPassword, first_name: 'Mia', last_name: 'Mem' }
  const made = await console.call('POST', '/organization/users', { ...person, permissions })
  assert.equal(made.status, 201)
  const url = `${console.url}/v1`
  const post = (path: string, body: object, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const login = await post('/auth/login', { email, password: firstPassword })
  const { token } = (await login.json()) as { token: string }
  const passwords = { current_password: firstPassword, password: ownPassword }
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  assert.equal((await post('/user/password', passwords, headers)).status, 204)
}

/** A page of the browser at this path, logged in as this user. */
export async function enterAs(
  console: TestConsole,
  email: string,
  path: string,
  options?: BrowserOptions,
) {
  const page = await console.open(`/login?next=${encodeURIComponent(path)}`, {
    expects: refused,
    ...options,
  })
  await page.getByLabel('E-mail').fill(email)
  await page.locator('input[autocomplete=current-password]').fill(ownPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}
