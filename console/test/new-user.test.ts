import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { startSimulator } from '../../server/simulators/index.ts'
import { enterChirpStack } from './account-form.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'

const key = '00112233445566778899AABBCCDDEEFF'

test('a new user connects a network, registers a sensor, and finds why another is silent', async (t) => {
  const console = await startConsole(t)
  const simulator = await startSimulator('chirpstack')
  t.after(() => simulator.close())
  const page = await console.enter('/')
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }

  await page.getByText('No uplink in 7 days').waitFor()
  await click(page.getByRole('link', { name: 'Connect a network' }))
  await click(page.getByRole('link', { name: 'ChirpStack v4' }))
  clicks += 1
  await enterChirpStack(page, simulator.account)
  await click(page.getByRole('button', { name: 'Connect' }))
  await page.getByText('Connected. Now its devices').waitFor()
  await checkAccessibility(page)

  await click(page.getByRole('link', { name: 'Register a device' }))
  // The page before has fields with a name, too.
  await page
    .getByRole('heading', { name: 'Register a device at ChirpStack v4', level: 1 })
    .waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Front door')
  await page.getByRole('textbox', { name: 'DevEUI' }).fill('00AA000000000001')
  await page.getByRole('textbox', { name: 'Device key' }).fill(key)
  await page.getByRole('combobox', { name: 'Type' }).fill('dws')
  await click(page.getByRole('option', { name: /RBS301-DWS/ }))
  await click(page.getByRole('button', { name: 'Continue' }))
  await click(page.getByRole('button', { name: 'Register', exact: true }))
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  await simulator.sendUplink('00AA000000000001')
  await page.getByText('The device works').waitFor()

  // Somebody has mistyped the key of the other one at the network.
  const other = '00AA000000000002'
  const registration = {
    ...{ network: 10, deviceName: 'Cellar door', deviceId: other, deviceKey: key },
    ...{ deviceType: 16, registerMethod: 'user_account', action: 'confirm' },
  }
  assert.equal((await console.call('POST', '/devices', registration)).status, 200)
  while (!simulator.findDevice(other)) await page.waitForTimeout(50)
  await simulator.settle()
  simulator.changeKey?.(other, `${key.slice(0, -2)}00`)

  await click(page.getByRole('link', { name: 'Overview' }))
  // It was just registered, so it is new and not silent.
  await page.getByText('Nothing needs attention.').waitFor()
  const readings = page.getByRole('region', { name: 'Readings' })
  await click(readings.getByRole('link', { name: 'Cellar door' }))
  const why = page.getByRole('alert').filter({ hasText: 'Not heard yet' })
  await why.waitFor()
  await settle(page)
  await checkAccessibility(page)
  const cause = why.getByText('The device has another key at the network than here.')
  // The service also compares by itself: on a slow machine it was first.
  if (!(await cause.isVisible())) await click(why.getByRole('button', { name: 'Compare now' }))
  await cause.waitFor()
  await click(why.getByRole('link', { name: 'Settings' }))
  await page.getByText('The network has another key for it.').waitFor()
  await page.getByRole('button', { name: 'Repair' }).waitFor()
  assert.ok(clicks <= 12, `It took ${clicks} clicks.`)
})
