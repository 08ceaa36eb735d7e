import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { startSimulator } from '../../server/simulators/chirpstack/simulator.ts'
import type { SimulatedNetwork } from '../../server/simulators/simulated-network.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth, fieldsOf } from './open-page.ts'
import { drawQrCode } from './picture.ts'

type ChirpStackSimulator = Awaited<ReturnType<typeof startSimulator>>

const console = await startConsole({ after }, { networks: ['chirpstack', 'aws_iot_core_lora'] })
const abpProfile = '11111111-0000-4000-a000-000000000012'
addProfile()
const key = '00112233445566778899AABBCCDDEEFF'
const codeOf = (eui: string) => `LW:D0:70B3D57ED0000000:${eui}:00AA0001:SDOOR1`

/** A profile of class C without a join, as its owner adds one at ChirpStack. */
function addProfile(): void {
  const simulator = console.simulators[0]?.simulator
  assert.ok(simulator && isChirpStack(simulator))
  const { tenantId, deviceProfiles } = simulator.store
  deviceProfiles.set(abpProfile, {
    id: abpProfile,
    tenantId,
    name: 'Valves',
    flushQueueOnActivate: true,
    supportsClassC: true,
    supportsOtaa: false,
  })
}

function isChirpStack(simulator: SimulatedNetwork): simulator is ChirpStackSimulator {
  return simulator.network === 'chirpstack'
}

async function sendUplink(eui: string): Promise<void> {
  const [network] = console.simulators
  assert.ok(network)
  await network.simulator.sendUplink(eui)
}

test('registers a device by a picture of its code, and sees its first uplink come', async (t) => {
  const eui = '00AA0000000000B1'
  const page = await console.enter('/register')
  t.after(() => page.close())
  await page.getByRole('link', { name: /ChirpStack/ }).click()
  const picture = { name: 'label.png', mimeType: 'image/png', buffer: drawQrCode(codeOf(eui)) }
  await page.locator('input[type=file]').setInputFiles(picture)
  await page.getByText('were read from the QR code').waitFor()
  const textOf = (name: string) => page.getByRole('textbox', { name }).inputValue()
  assert.equal(await textOf('DevEUI'), eui)
  assert.equal(await textOf('JoinEUI'), '70B3D57ED0000000')
  await page.getByRole('textbox', { name: 'Name' }).fill('<b>Barn</b> door')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The device key field is required.').waitFor()
  await page
    .getByRole('textbox', { name: 'Device key' })
    .fill('00-11-22-33-44-55-66-77-88-99-AA-BB-CC-DD-EE-FF')
  await page.getByRole('combobox', { name: 'Type' }).fill('dws')
  await page.getByRole('option', { name: /RBS301-DWS/ }).click()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Register this device?' }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.waitForURL(`**/register/${eui}`)
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  await checkAccessibility(page)
  await sendUplink(eui)
  await page.getByText('The device works').waitFor()
  await page.getByRole('link', { name: 'Open the device' }).waitFor()
})

test('the networks to register at are counted as on their own page', async (t) => {
  const page = await console.enter('/register')
  t.after(() => page.close())
  const aws = page.getByRole('link', { name: /^AWS IoT Core/ }).first()
  await aws.getByText(/^\d+ devices?, \d+ devices? at AWS IoT Core for LoRaWAN$/).waitFor()
  await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  await page.goto(`${console.url}/networks`)
  await page.getByText('2 accounts at 2 networks').waitFor()

  await page.route('**/v1/fleet/networks', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const connected = /^(chirpstack|aws_iot_core.*)$/
    const json = { data: data.filter(({ key }: { key: string }) => connected.test(key)) }
    await route.fulfill({ response, json })
  })
  await page.goto(`${console.url}/register`)
  await aws.waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Not connected' }).count(), 0)
})

test('does the same only by keyboard', async (t) => {
  const eui = '00AA0000000000B2'
  const page = await console.enter('/register')
  t.after(() => page.close())
  const { keyboard } = page
  // The browser needs a moment to begin to watch for it, which a key press does not give.
  const choosing = page.waitForEvent('filechooser')
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await keyboard.press('Tab')
      const focused = page.locator(':focus')
      const label = await focused.evaluate((element) => {
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
        const words = [element.getAttribute('aria-label'), ...labels.map((each) => each.innerText)]
        return [...words, (element as HTMLElement).innerText].filter(Boolean).join(' ')
      })
      if (name.test(label)) return
    }
    assert.fail(`the keyboard does not reach ${name}`)
  }
  await page.getByRole('link', { name: /ChirpStack/ }).waitFor()
  await tabTo(/ChirpStack/)
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Picture of the code' }).waitFor()
  await tabTo(/Picture of the code/)
  await keyboard.press('Enter')
  const picture = { name: 'label.png', mimeType: 'image/png', buffer: drawQrCode(codeOf(eui)) }
  await (await choosing).setFiles(picture)
  await page.getByText('were read from the QR code').waitFor()
  await tabTo(/^Name/)
  await keyboard.type('Gate')
  await tabTo(/^Device key/)
  await keyboard.type(key)
  await tabTo(/^Type/)
  await keyboard.type('RBS301-DWS')
  await page.getByRole('option', { name: /RBS301-DWS/ }).waitFor()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await tabTo(/^Continue/)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Register this device?' }).waitFor()
  await tabTo(/^Register$/)
  await keyboard.press('Enter')
  await page.waitForURL(`**/register/${eui}`)
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  await sendUplink(eui)
  await page.getByText('The device works').waitFor()
})

test('takes the text of a label, and turns bytes only when asked to', async (t) => {
  const page = await console.enter('/register?network=chirpstack')
  t.after(() => page.close())
  const readField = (name: string) => page.getByRole('textbox', { name }).inputValue()
  const text = page.getByLabel('Or paste the text of the label')
  await text.fill(`DevEUI: 00-AA-00-00-00-00-00-B3\nAppKey: ${key}\nAppEUI 70B3D57ED00000`)
  await page.getByText('The JoinEUI has 14 digits instead of 16').waitFor()
  assert.deepEqual([await readField('JoinEUI'), await readField('Device key')], ['', key])
  await page.getByText('from “DevEUI: 00-AA-00-00-00-00-00-B3”', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reverse bytes of the DevEUI' }).click()
  assert.equal(await readField('DevEUI'), 'B30000000000AA00')
  await text.fill('LW:D0:1122334455667788:00AA0000000000B5')
  await page.getByText('The code has no profile of the device').waitFor()
  await page.getByText('DevEUI 00AA0000000000B5, from the QR code').waitFor()
})

test('registers a device without a join, in class C and by its own profile', async (t) => {
  const eui = '00AA0000000000B4'
  const networkKey = 'AABBCCDDEEFF00112233445566778899'
  const page = await console.enter('/register?network=chirpstack', {
    width: 360,
    colorScheme: 'dark',
  })
  t.after(() => page.close())
  const { field, choose } = fieldsOf(page)
  await field('Name').fill('Valve')
  await field('DevEUI').fill(eui)
  await choose('LoRaWAN version', /^1\.1/)
  await field('Network key (NwkKey)').waitFor()
  await choose('Activation', /ABP/)
  assert.equal(await field('JoinEUI').count(), 0)
  assert.equal(await page.getByRole('combobox', { name: 'LoRaWAN version' }).count(), 0)
  await choose('Class', /^C/)
  await field('Device key (AppSKey)').fill(key)
  await page.getByRole('combobox', { name: 'Type' }).fill('dws')
  await page.getByRole('option', { name: /RBS301-DWS/ }).click()
  await field('Device profile ID').fill('eu868')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The device address field is required.').waitFor()
  await page.getByText('The network key field is required.').waitFor()
  await page.getByText('The device profile ID must be a UUID.').waitFor()
  const focused = page.locator(':focus')
  assert.equal(await focused.getAttribute('aria-invalid'), 'true')
  await checkAccessibility(page)
  await checkWidth(page, 'the form')
  await field('Device address').fill('26011AB1')
  await field('Network session key').fill(networkKey)
  await field('Device profile ID').fill(abpProfile)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Register this device?' }).waitFor()
  await page.getByText('1.0.x, class C, without a join (ABP)').waitFor()
  assert.equal(await page.getByText(networkKey).count(), 0)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  await sendUplink(eui)
  await page.getByText('The device works').waitFor()

  await page.goto(`${console.url}/devices/${eui}?tab=settings`)
  await page.getByText('1.0.x, class C, without a join (ABP)').waitFor()
  await page.getByText('26011AB1').waitFor()
  await page.getByText(abpProfile).waitFor()
  await page.getByText(/LoRaWAN settings stay as they were registered/).waitFor()
  await page.getByLabel('New AppSKey').waitFor()
  await checkAccessibility(page)
  await checkWidth(page, 'the settings')
})

test('registers a device of AWS by its plan, and asks what its LoRaWAN network takes', async (t) => {
  const eui = '00AA0000000000B5'
  const page = await console.enter('/register', { width: 360 })
  t.after(() => page.close())
  await page.getByRole('link', { name: /^AWS IoT Core.*Connected/ }).click()
  const { field, choose } = fieldsOf(page)
  await field('Name').fill('Pump')
  await page.getByText(/is registered at AWS IoT Core for LoRaWAN/).waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Activation' }).count(), 0)
  await page.getByRole('combobox', { name: 'Frequency plan' }).fill('863')
  await page.getByRole('option', { name: /863/ }).click()
  await choose('Activation', /ABP/)
  await choose('Class', /^C/)
  await field('DevEUI').fill(eui)
  await field('Device key (AppSKey)').fill(key)
  await field('Device address').fill('26011AB1')
  await field('Network session key').fill('AABBCCDDEEFF00112233445566778899')
  await page.getByRole('combobox', { name: 'Type' }).fill('dws')
  await page.getByRole('option', { name: /RBS301-DWS/ }).click()
  await field('Device profile ID').fill('2c0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10')
  await checkAccessibility(page)
  await checkWidth(page, 'the form for AWS')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('1.0.x, class C, without a join (ABP)').waitFor()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText(/Accepted by AWS IoT Core for LoRaWAN: done/).waitFor()
})

test('chooses device profiles by type, and names those that the network does not have', async (t) => {
  const profile = console.simulators[0]?.simulator.account.device_profile_id ?? ''
  const page = await console.enter('/networks/chirpstack', { width: 360 })
  t.after(() => page.close())
  const step = page.getByRole('region', { name: 'Device profiles' })
  const save = step.getByRole('button', { name: 'Save the profiles' })
  await step.getByText(profile).waitFor()
  await step.getByRole('button', { name: 'Add a device type' }).press('Enter')
  await save.press('Enter')
  await step.getByText('The device type field is required.').waitFor()
  await step.getByText('The profile field is required.').waitFor()
  await page.getByRole('combobox', { name: 'Device type 1' }).fill('dws')
  await page.getByRole('option', { name: /RBS301-DWS/ }).click()
  await step.getByLabel('Profile 1', { exact: true }).fill('11111111-0000-4000-a000-000000000009')
  await save.press('Enter')
  await step
    .getByText(/no device profile with/)
    .first()
    .waitFor()
  await checkAccessibility(page)
  await checkWidth(page, 'the account with profiles')
  await step.getByLabel('Profile 1', { exact: true }).fill(profile)
  await save.press('Enter')
  await page.getByText('New devices get these profiles.').waitFor()
  const stored = () => console.call('GET', '/network-accounts/chirpstack/profiles')
  assert.deepEqual((await stored()).body.data.profiles, [{ device_type: 16, profile }])

  await page.reload()
  await step.getByRole('button', { name: 'Remove profile 1' }).press('Enter')
  await save.press('Enter')
  await page.getByText('New devices get these profiles.').waitFor()
  assert.deepEqual((await stored()).body.data.profiles, [])
})
