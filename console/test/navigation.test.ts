import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'

const console = await startConsole({ after })

test('the navigation marks the place of every page, also of those that it does not list', async () => {
  const page = await console.enter('/')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const places = [
    ['/', 'Overview'],
    ['/devices', 'Devices'],
    ['/register', 'Devices'],
    ['/install', 'Devices'],
    ['/import', 'Devices'],
    ['/alerts/rules', 'Alerts'],
    ['/networks/chirpstack', 'Networks'],
    ['/billing', 'Settings'],
    ['/settings/members', 'Settings'],
  ] as const
  for (const [path, name] of places) {
    await page.goto(console.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const marked = navigation.locator('[aria-current=page]')
    await marked.filter({ hasText: name }).waitFor()
    assert.equal(await marked.count(), 1, path)
  }
})
