import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startSimulator as startFarChirpStack } from '../../server/simulators/chirpstack/simulator.ts'
import { startSimulator } from '../../server/simulators/index.ts'
import type { SimulatedNetwork } from '../../server/simulators/simulated-network.ts'
import { startSimulator as startStack } from '../../server/simulators/thethingsnetwork/simulator.ts'
import { thingsNetworkFiles, zipOf } from '../../server/test/catalogues.ts'
import { plantStackDevice } from '../../server/test/network-connections.ts'
import { enterChirpStack, fill } from './account-form.ts'
import { startConsole, type TestConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

/** From the first start to the own fleet on a dashboard, as users of other consoles go. */

const eui = '00AA0000000000C1'
/** A door sensor says that it was opened. */
const opened = '110300'

async function simulate(t: TestContext, key: string): Promise<SimulatedNetwork> {
  const simulator = await startSimulator(key)
  t.after(() => simulator.close())
  return simulator
}

async function chooseNetwork(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Where your devices are now' }).click()
  await page.getByRole('option', { name }).click()
}

async function chooseType(page: Page, label: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill('RBS301-DWS')
  await page.getByRole('option', { name: /RBS301-DWS/ }).click()
}

/** The steps after the devices: an uplink comes, and the dashboard of its type shows it. */
async function seeReadings(
  console: TestConsole,
  page: Page,
  simulator: SimulatedNetwork,
): Promise<void> {
  await page.getByRole('button', { name: 'Next step' }).click()
  await page.getByText('Waiting for the first uplink').waitFor()
  await simulator.sendUplink(eui, opened)
  await page.getByText('Uplinks have come.').waitFor()
  await page.getByRole('button', { name: 'Next step' }).click()
  await page.getByRole('heading', { name: 'Look at a dashboard' }).waitFor()
  await page.goto(`${console.url}/dashboards/type-16`)
  await page.getByText('Cellar door').first().waitFor()
}

test('a user of ChirpStack: a wrong server and key are named, then the fleet comes over', async (t) => {
  const console = await startConsole(t)
  const simulator = await simulate(t, 'chirpstack')
  simulator.addDevice(eui, 'Cellar door')
  const page = await console.enter('/')
  await page.getByRole('link', { name: 'Begin step by step' }).click()
  await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  await checkAccessibility(page)
  await chooseNetwork(page, 'ChirpStack v4')
  await fill(page, { ...simulator.account, api_key: 'wrong' }, 'server', 'api_key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByRole('region', { name: 'Result of the check' })
    .getByText(/API key/)
    .first()
    .waitFor()
  await enterChirpStack(page, simulator.account)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Next step' }).click()
  await page.getByText(/such as Cellar door/).waitFor()
  await chooseType(page, /^Type of Simulated device profile/)
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Take over 1 of 1 devices' }).click()
  await page.getByText('Everything that ChirpStack v4 lists is here.').waitFor()
  await seeReadings(console, page, simulator)
  const { body } = await console.call('GET', '/fleet/devices')
  assert.equal(
    body.data[0].groups[0].group_name ?? body.data[0].groups[0].name,
    'Simulated application',
  )
})

test('a profile with a codec at ChirpStack becomes a type of its own', async (t) => {
  const console = await startConsole(t)
  const far = await startFarChirpStack()
  t.after(() => far.close())
  const profile = far.store.deviceProfiles.get(far.deviceProfileId)
  assert.ok(profile)
  profile.codec = 'function decodeUplink(input) { return { data: { level: input.bytes[0] } } }'
  far.addDevice(eui, 'Tank')
  await console.call('PUT', '/network-accounts/chirpstack', far.account)
  const page = await console.enter('/start?step=devices')
  await page
    .getByRole('checkbox', { name: /^Type of Simulated device profile: a new type/ })
    .waitFor()
  await page.getByRole('button', { name: 'Take over 1 of 1 devices' }).click()
  await page.getByText('Everything that ChirpStack v4 lists is here.').waitFor()
  await far.sendUplink(eui, '2a')
  const { body } = await console.call('GET', `/devices/${eui}/uplink`)
  assert.match(JSON.stringify(body), /"level":42/)
})

test('a user of The Things Stack takes an application over', async (t) => {
  const console = await startConsole(t)
  const simulator = await simulate(t, 'thethingsnetwork')
  simulator.addDevice(eui, 'Cellar door')
  const page = await console.enter('/start')
  await chooseNetwork(page, 'The Things Stack')
  await page.locator('input[name=cluster]').fill(simulator.account.cluster ?? '')
  await fill(page, simulator.account, 'api_key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Next step' }).click()
  await page.getByText(/such as Cellar door/).waitFor()
  await chooseType(page, /^Type of /)
  await page.getByRole('button', { name: 'Take over 1 of 1 devices' }).click()
  await page.getByText('Everything that The Things Stack lists is here.').waitFor()
  await seeReadings(console, page, simulator)
})

test('a model that The Things Stack names becomes a type of the device catalogue', async (t) => {
  const console = await startConsole(t)
  const stack = await startStack()
  t.after(() => stack.close())
  const version_ids = { brand_id: 'borealis', model_id: 'rain-gauge' }
  plantStackDevice(stack, 'gauge', { ids: { dev_eui: eui }, name: 'Roof gauge', version_ids })
  await console.call('PUT', '/network-accounts/thethingsnetwork', stack.account)
  const archive = zipOf(thingsNetworkFiles).toString('base64')
  await console.call('POST', '/device-catalogue/sources', { name: 'Repository', archive })
  const page = await console.enter('/start?step=devices')
  await page.getByRole('checkbox', { name: /a new type, of its model/ }).waitFor()
  await page.getByRole('button', { name: 'Take over 1 of 1 devices' }).click()
  await page.getByText('Everything that The Things Stack lists is here.').waitFor()
  const { body } = await console.call('GET', '/fleet/devices')
  assert.equal(body.data[0].device_type.name, 'BO-RG-2 - Borealis Ltd. Rain gauge')
})

test('a skipped step stays skipped, and is found again', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/start')
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === 'PATCH' && answer.url().endsWith('/user/preferences'),
  )
  await page.getByRole('button', { name: 'Skip this step' }).click()
  await saved
  await page.getByRole('heading', { name: 'Bring your devices in' }).waitFor()
  await page.getByRole('link', { name: 'Import a file' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Bring your devices in' }).waitFor()
  await page.getByRole('button', { name: 'Connect a network' }).click()
  await page.getByRole('heading', { name: 'Connect a network' }).waitFor()
})
