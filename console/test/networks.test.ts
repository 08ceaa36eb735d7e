import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startSimulator as startFarChirpStack } from '../../server/simulators/chirpstack/simulator.ts'
import { startSimulator } from '../../server/simulators/index.ts'
import type { SimulatedNetwork } from '../../server/simulators/simulated-network.ts'
import { enterChirpStack, fill, seeChoice } from './account-form.ts'
import { startConsole } from './open-console.ts'
import { checkWidth, settle } from './open-page.ts'

const eui = '00AA0000000000C1'

async function simulate(t: TestContext, key: string): Promise<SimulatedNetwork> {
  const simulator = await startSimulator(key)
  t.after(() => simulator.close())
  return simulator
}

/** The state of a check, by its name: "Works" or what is wrong. */
function checkLine(page: Page, name: string) {
  return page
    .getByRole('region', { name: 'Result of the check' })
    .getByRole('listitem')
    .filter({ hasText: name })
}

test('connects ChirpStack from nothing: a wrong key is named, the callback is heard', async (t) => {
  const console = await startConsole(t)
  const simulator = await simulate(t, 'chirpstack')
  const page = await console.enter('/networks')
  await page.getByRole('heading', { name: 'Connect the first network' }).waitFor()
  await page.getByRole('link', { name: 'ChirpStack v4' }).click()
  await page.getByRole('heading', { level: 1, name: 'ChirpStack v4' }).waitFor()
  const guide = page.getByRole('region', { name: 'Guide of the network' })
  await guide.getByRole('heading', { name: 'At ChirpStack' }).waitFor()
  assert.doesNotMatch(await guide.innerText(), /npm run|shell function|_id/)

  await fill(page, { ...simulator.account, api_key: 'wrong' }, 'server', 'api_key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await checkLine(page, 'Credentials')
    .getByText(/API key/)
    .first()
    .waitFor()
  assert.equal(await page.locator('[name=api_key]').getAttribute('aria-invalid'), 'true')
  assert.equal((await console.call('GET', '/network-accounts/chirpstack')).status, 404)

  await enterChirpStack(page, simulator.account)
  await page.getByText(/^The tenant of the devices.*lists tenants for an administrator/).waitFor()
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('All checks passed.').waitFor()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Waiting for the first uplink').waitFor()

  simulator.addDevice(eui, 'Cellar door')
  await simulator.sendUplink(eui)
  await page.getByText(/^Heard/).waitFor()
  assert.equal(await page.getByText('Waiting for the first uplink').count(), 0)
})

test("with an administrator's key everything is chosen by name, and stays so when it is stored", async (t) => {
  const console = await startConsole(t)
  const far = await startFarChirpStack({ keyKind: 'admin' })
  t.after(() => far.close())
  const page = await console.enter('/networks/chirpstack')
  await fill(page, far.account, 'server', 'api_key')
  await page.keyboard.press('Enter')
  const names = [
    ['Tenant', 'Simulated tenant'],
    ['Application', 'Simulated application'],
    ['Device profile', 'Simulated device profile'],
  ] as const
  for (const [label, name] of names) await seeChoice(page, label, name)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Waiting for the first uplink').waitFor()
  const { body } = await console.call('GET', '/network-accounts/chirpstack')
  const { server, tenant_id, application_id, device_profile_id } = far.account
  assert.deepEqual(body.data.account, { server, tenant_id, application_id, device_profile_id })
  await page.reload()
  for (const [label, name] of names) await seeChoice(page, label, name)
})

test('a network that is away can be connected by hand', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/networks/chirpstack')
  const server = 'http://127.0.0.1:1'
  await fill(page, { server, api_key: 'key' }, 'server', 'api_key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await checkLine(page, 'The network answers')
    .getByText(/could not be reached/)
    .waitFor()
  await page.getByRole('button', { name: 'Enter the rest by hand' }).click()
  const id = '00000000-0000-4000-a000-000000000001'
  const ids = { tenant_id: id, application_id: id, device_profile_id: id }
  await fill(page, ids, 'tenant_id', 'application_id', 'device_profile_id')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { name: 'State' }).waitFor()
})

test('connects The Things Stack from nothing, and tells which right is missing', async (t) => {
  const console = await startConsole(t)
  const simulator = await simulate(t, 'thethingsnetwork')
  const page = await console.enter('/networks/thethingsnetwork')
  await fill(page, simulator.account, 'cluster', 'api_key')
  await page.getByRole('button', { name: 'Continue' }).click()
  await seeChoice(page, 'Application', 'Simulated application')
  await page.getByText('More settings').click()
  await fill(page, simulator.account, 'user_id')
  simulator.deny?.(['send_downlinks'])
  await page.getByRole('button', { name: 'Check' }).click()
  await checkLine(page, 'Send downlinks')
    .getByText(/RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE/)
    .waitFor()
  simulator.deny?.([])
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('All checks passed.').waitFor()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Waiting for the first uplink').waitFor()
  simulator.addDevice(eui, 'Cellar door')
  await simulator.sendUplink(eui)
  await page.getByText(/^Heard/).waitFor()
})

test('connects a second ChirpStack beside the first, and registers by either', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'] })
  const second = await simulate(t, 'chirpstack')
  const page = await console.enter('/networks/chirpstack')
  await page.getByRole('button', { name: 'Add an account' }).click()
  const name = page.getByLabel('Name of the account')
  await name.fill('North!')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Lower-case letters, digits and hyphens, 32 at most.').waitFor()
  await name.fill('north')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: '1. Account' }).waitFor()
  await enterChirpStack(page, second.account)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Waiting for the first uplink').waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Account' }).inputValue(), 'north')

  await page.goto(`${console.url}/networks`)
  const row = page.getByRole('row').filter({ hasText: 'north' })
  await row.getByText('Connected').waitFor()
  await page.goto(`${console.url}/register?network=chirpstack`)
  await page.getByLabel('Name').fill('Gate')
  await page.getByLabel('DevEUI').fill(eui)
  await page.getByLabel('Device key').fill('00112233445566778899AABBCCDDEEFF')
  await chooseType(page, 'Type')
  await page.getByRole('combobox', { name: 'Account' }).click()
  await page.getByRole('option', { name: 'north' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: /^Register/ }).click()
  await page.waitForURL(`**/register/${eui}`)
  const { body } = await console.call('GET', `/fleet/devices/${eui}`)
  assert.equal(body.data.account_name, 'north')
})

test('adopts a fleet: one from the quarantine, the others at once', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'] })
  const simulator = console.simulators[0]?.simulator
  assert.ok(simulator)
  for (const number of [1, 2, 3, 4])
    simulator.addDevice(`00AA0000000000D${number}`, `Door ${number}`)
  await simulator.sendUplink('00AA0000000000D1')
  const page = await console.enter('/networks/chirpstack?tab=quarantine')
  await page.getByRole('button', { name: / of 00AA0000000000D1/ }).click()
  await page
    .getByRole('dialog')
    .getByText(/deviceInfo/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Adopt 00AA0000000000D1' }).click()
  await chooseType(page, 'Type of the device')
  await page.getByRole('dialog').getByRole('button', { name: 'Adopt', exact: true }).click()
  await page.getByText('00AA0000000000D1 is adopted').waitFor()

  await page.getByRole('tab', { name: 'Differences' }).click()
  await page.getByRole('button', { name: 'Compare now' }).click()
  await page.getByText('Only at the network: 3').waitFor()
  await page.getByLabel('What to do with 00AA0000000000D2').selectOption('Ignore')
  await page.getByRole('button', { name: 'Apply 1 row' }).click()
  await page.getByText('1 row done, 0 refused').waitFor()
  await page.getByRole('button', { name: 'Adopt what can be' }).click()
  await page.getByLabel('What to do with 00AA0000000000D2').selectOption('Leave it')
  await chooseType(page, 'Type of adopted devices')
  await chooseType(page, 'Type of 00AA0000000000D4', 'RBS306-ATH-EXT')
  await page.getByRole('button', { name: 'Apply 2 rows' }).click()
  await page.getByText('2 rows done, 0 refused').waitFor()
  const typeOf = async (eui: string) =>
    (await console.call('GET', `/fleet/devices/${eui}`)).body.data.device_type.name
  assert.match(await typeOf('00AA0000000000D3'), /Door\/Window/)
  assert.match(await typeOf('00AA0000000000D4'), /ATH-EXT/)

  simulator.addDevice('00AA0000000000D5', 'Door 5')
  simulator.addDevice('00AA0000000000D6', 'Door 6')
  await page.getByRole('button', { name: 'Compare now' }).click()
  await page.getByRole('button', { name: 'Adopt all 2 devices' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Adopt 2 devices' }).click()
  await page.getByText('2 rows done, 0 refused').waitFor()
  const { body } = await console.call('GET', '/fleet/networks')
  const account = body.data.find(({ key }: { key: string }) => key === 'chirpstack').accounts[0]
  assert.equal(account.counts.devices, 5)
})

async function chooseType(page: Page, label: string, type = 'Door/Window'): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(type)
  await page.getByRole('option', { name: type }).first().click()
}

test('drops from the quarantine only by keyboard', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'] })
  const simulator = console.simulators[0]?.simulator
  simulator?.addDevice(eui, 'Stranger')
  await simulator?.sendUplink(eui)
  const page = await console.enter('/networks/chirpstack?tab=quarantine')
  const drop = page.getByRole('button', { name: `Drop ${eui}` })
  await drop.waitFor()
  for (let presses = 0; presses < 60; presses += 1) {
    if (await drop.evaluate((button) => button === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Quarantine is empty' }).waitFor()
  assert.equal((await console.call('GET', '/network-accounts/chirpstack/quarantine')).body.total, 0)
})

test('hostile words of a network are text, and break no page', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'] })
  const simulator = console.simulators[0]?.simulator
  assert.ok(simulator)
  const words = `<img src=x onerror="window.harmed=1">${'Wide'.repeat(60)}`
  simulator.addDevice(eui, words)
  await simulator.sendUplink(eui)
  simulator.refuse(words)
  await console.call('POST', '/network-accounts/chirpstack/reconcile', {})
  const page = await console.enter('/networks/chirpstack?tab=differences', { width: 360 })
  for (const path of [
    '/networks/chirpstack?tab=differences',
    `/networks/chirpstack?tab=quarantine&eui=${eui}`,
    '/networks/chirpstack',
    '/networks',
  ]) {
    await page.goto(console.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settle(page)
    assert.equal(await page.evaluate(() => 'harmed' in window), false)
    await checkWidth(page, path)
  }
})
