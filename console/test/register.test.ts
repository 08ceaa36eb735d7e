import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'
import { drawQrCode } from './picture.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'] })
const key = '00112233445566778899AABBCCDDEEFF'
const codeOf = (eui: string) => `LW:D0:70B3D57ED0000000:${eui}:00AA0001:SDOOR1`

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
  assert.equal(await textOf('Device EUI'), eui)
  assert.equal(await textOf('Join EUI'), '70B3D57ED0000000')
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

test('does the same by keyboard alone', async (t) => {
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
  const label = `DevEUI: 00-AA-00-00-00-00-00-B3\nAppKey: ${key}\nAppEUI 70B3D57ED00000`
  await page.getByLabel('Or paste the text of the label').fill(label)
  await page.getByText('The join EUI has 14 digits instead of 16').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Join EUI' }).inputValue(), '')
  assert.equal(await page.getByRole('textbox', { name: 'Device key' }).inputValue(), key)
  await page.getByText('from “DevEUI: 00-AA-00-00-00-00-00-B3”', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reverse bytes of the Device EUI' }).click()
  assert.equal(
    await page.getByRole('textbox', { name: 'Device EUI' }).inputValue(),
    'B30000000000AA00',
  )
})
