import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import {
  type ChirpStackSimulator as FarChirpStack,
  startSimulator as startFarChirpStack,
} from '../../server/simulators/chirpstack/simulator.ts'
import { startSimulator } from '../../server/simulators/index.ts'
import type { SimulatedNetwork } from '../../server/simulators/simulated-network.ts'
import { startSimulator as startStack } from '../../server/simulators/thethingsnetwork/simulator.ts'
import { thingsNetworkFiles, zipOf } from '../../server/test/catalogues.ts'
import { plantStackDevice } from '../../server/test/network-connections.ts'
import { until } from '../../server/test/until.ts'
import { enterChirpStack, fill, seeChoice } from './account-form.ts'
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

/** A further application of the tenant, with one device. */
function addApplication(far: FarChirpStack, name: string, devEui: string): void {
  const id = randomUUID()
  far.store.applications.set(id, { id, name, tenantId: far.tenantId })
  far.addDevice(devEui, 'Gate')
  far.devices.get(devEui.toLowerCase())?.record.setApplicationId(id)
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

test('a user of ChirpStack: a wrong key is named, then the fleet of all applications comes over', async (t) => {
  const console = await startConsole(t)
  const simulator = await startFarChirpStack()
  t.after(() => simulator.close())
  simulator.addDevice(eui, 'Cellar door')
  addApplication(simulator, 'Warehouse', '00AA0000000000C2')
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
  await fill(page, simulator.account, 'server', 'api_key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await fill(page, simulator.account, 'tenant_id')
  await page.keyboard.press('Tab')
  await page.getByRole('combobox', { name: 'Application', exact: true }).click()
  await page.getByRole('option', { name: 'Simulated application' }).click()
  await seeChoice(page, 'Device profile', 'Simulated device profile')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Next step' }).click()
  await page.getByText(/such as Cellar door/).waitFor()
  await chooseType(page, /^Type of Simulated device profile/)
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Take over 2 of 2 devices' }).click()
  await page.getByText('Everything that ChirpStack v4 lists is here.').waitFor()
  await seeReadings(console, page, simulator)
  const { body } = await console.call('GET', '/fleet/devices')
  const groups = body.data.map((device: { groups: { name: string }[] }) => device.groups[0]?.name)
  assert.deepEqual(groups.sort(), ['Simulated application', 'Warehouse'])
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
  // The job is over at the page's first look.
  const holdBack = async (route: Route) => {
    const path = new URL(route.request().url()).pathname.replace('/v1', '')
    await until(async () => (await console.call('GET', path)).body.data.finished_at !== null)
    await route.continue()
  }
  // Later looks are left as they are: one may go on while the page is closed.
  await page.route(/\/v1\/jobs\/\d+$/, holdBack, { times: 1 })
  await page.getByRole('button', { name: 'Take over 1 of 1 devices' }).click()
  await page.getByText('Everything that ChirpStack v4 lists is here.').waitFor()
  await far.sendUplink(eui, '2a')
  const { body } = await console.call('GET', `/devices/${eui}/uplink`)
  assert.match(JSON.stringify(body), /"level":42/)
})

test('a user of the Radio Bridge console: a wrong file is named, then its list tells types and names', async (t) => {
  const console = await startConsole(t)
  const simulator = await simulate(t, 'chirpstack')
  const others = ['00AA0000000000C2', '00AA0000000000C3']
  for (const each of [eui, ...others]) simulator.addDevice(each, each)
  const page = await console.enter('/start')
  await chooseNetwork(page, 'ChirpStack v4')
  await enterChirpStack(page, simulator.account)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Next step' }).click()
  const read = (name: string, text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Read types from a list' }).waitFor()
  await read('uplinks.csv', 'Event Type,Message\nDOOR_SENSOR,Open\n')
  await page.getByText('Is it the list of devices?').waitFor()
  const rows = [
    `${eui},Cellar door,RBS301-DWS - LoRa Door/Window`,
    `${others[0]},Hall,RBS305-ATH`,
    `${others[1]},Attic,A sensor of another maker`,
  ]
  await read('devices.csv', `device_id,device_name,device_type_name\n${rows.join('\n')}\n`)
  await page.getByText('2 devices have a type.').waitFor()
  await page.getByText(/A sensor of another maker/).waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Take over 2 of 3 devices' }).click()
  await page.getByText('2 of 2 done').waitFor()
  await page.getByText(/not here yet: 1, such as 00AA0000000000C3/).waitFor()
  await seeReadings(console, page, simulator)
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
    (answer) =>
      answer.request().method() === 'POST' && answer.url().endsWith('/organization/first-steps'),
  )
  await page.getByRole('button', { name: 'Skip this step' }).click()
  await saved
  await page.getByRole('heading', { name: 'Bring your devices in' }).waitFor()
  await page.getByRole('link', { name: 'Import a file' }).waitFor()
  const { body } = await console.call('GET', '/organization/first-steps')
  assert.deepEqual(body.data.passed, ['network'], 'every member sees it')
  await page.reload()
  await page.getByRole('heading', { name: 'Bring your devices in' }).waitFor()
  await page.getByRole('button', { name: 'Connect a network' }).click()
  await page.getByRole('heading', { name: 'Connect a network' }).waitFor()
})
