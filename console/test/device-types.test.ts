import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 2 })
const [door = ''] = console.simulators[0]?.simulator.deviceEuis() ?? []

async function open(path: string, use: (page: Page) => Promise<void>) {
  const page = await console.enter(path)
  try {
    await use(page)
  } finally {
    await page.close()
  }
}

/** Puts text in place of all that is in the editor, as a person would. */
async function writeCodec(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Codec in JavaScript' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

const broken = 'function decodeUplink(input) {\n  return { data: { level: input.bytes[0] }\n}\n'
const wrong = 'function decodeUplink(input) {\n  return { data: { level: input.bytes[1] } }\n}\n'
const right = 'function decodeUplink(input) {\n  return { data: { level: input.bytes[0] } }\n}\n'

test('a codec is written from nothing, fixed, saved, and used by a device', async () => {
  await open('/device-types/new', async (page) => {
    await page.getByLabel('Name', { exact: true }).first().waitFor()
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Level probe')
    await writeCodec(page, broken)
    await page
      .getByRole('alert')
      .getByText(/\(line 3\)|line \d/)
      .waitFor()
    await writeCodec(page, wrong)
    const given = page.getByRole('region', { name: 'Cases' })
    await given.getByLabel('Bytes (hexadecimal)').fill('2a 07')
    await given.getByLabel('Expected result (JSON)').fill('{ "data": { "level": 42 } }')
    await given.getByText('Failed', { exact: true }).waitFor()
    await given.getByRole('cell', { name: 'data.level' }).waitFor()
    await writeCodec(page, right)
    await given.getByText('Passed', { exact: true }).waitFor()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Save the type' }).click()
    await page.getByRole('heading', { level: 1, name: 'Level probe' }).waitFor()
  })
  const types = (await console.call('GET', '/device-types')).body.data
  const type = types.find((one: { type_name: string }) => one.type_name === 'Level probe')
  const body = { deviceType: type.id }
  const changed = await console.call('PATCH', `/devices/${door.toUpperCase()}`, body)
  assert.equal(changed.status, 200)
  await console.simulators[0]?.simulator.sendUplink(door, '2a07')
  const [uplink] = (await console.call('GET', `/devices/${door.toUpperCase()}/uplink`)).body.data
  assert.equal(uplink.decoded_object.level, 42)
  await open(`/device-types/${type.id}`, async (page) => {
    const values = page.getByRole('region', { name: 'Values' })
    const level = values.getByRole('group', { name: /^level/ })
    await level.getByLabel('Label').fill('Tank')
    await level.getByLabel('Unit').fill('cm')
    await level.getByLabel('In the reading').check()
    await checkAccessibility(page)
    await values.getByRole('button', { name: 'Save the values' }).click()
    await page.getByText('Saved. Readings and charts use it at once.').waitFor()
  })
  const device = await console.call('GET', `/fleet/devices/${door.toUpperCase()}`)
  assert.equal(device.body.data.reading.text, '42 cm')
})

test('a changed codec tells what would change before it is saved', async () => {
  const { body } = await console.call('GET', '/device-types')
  const [type] = body.data
  await open(`/device-types/${type.id}`, async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Level probe' }).waitFor()
    await writeCodec(page, wrong)
    await page.getByText('Failed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Review the changes' })
    await dialog.getByText(/would differ/).waitFor()
    await dialog.getByRole('cell', { name: 'decoded_object.level' }).first().waitFor()
    await dialog.getByText('1 case fails.').waitFor()
    await dialog.getByRole('button', { name: 'Back to the editor' }).click()
    const stored = (await console.call('GET', `/device-types/${type.id}`)).body.data
    assert.equal(stored.codec, right)
  })
})

test('a codec whose results are hostile shows them as text', async () => {
  const codec = `function decodeUplink() {
    return {
      data: { "<img src=x onerror=\\"window.harmed='key'\\">": "<script>window.harmed=1</script>" },
      warnings: ["<svg onload=\\"window.harmed='warning'\\">"],
    }
  }
  try { window.harmed = 'codec' } catch {}`
  await open('/device-types/new', async (page) => {
    await writeCodec(page, codec)
    const given = page.getByRole('region', { name: 'Cases' })
    await given.getByText('Failed', { exact: true }).waitFor()
    await given
      .getByText(/<img src=x onerror/)
      .first()
      .waitFor()
    assert.equal(await page.evaluate(() => (window as { harmed?: unknown }).harmed), undefined)
  })
})

test('a type is imported from the files of the public repository', async () => {
  const yaml = `uplinkDecoder:
  fileName: probe.js
  examples:
    - description: Level
      input:
        fPort: 2
        bytes: [42]
      output:
        data:
          level: 42
`
  await open('/device-types/import', async (page) => {
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })
    const chooser = page.locator('input[type=file]')
    await chooser.setInputFiles([file('probe-codec.yaml', yaml)])
    await page.getByText('probe.js is missing: add it too.').waitFor()
    await chooser.setInputFiles([file('probe.js', right), file('probe.yaml', 'name: Tank probe\n')])
    await page.getByText('Tank probe').first().waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported, 1 of 1 examples come out as published').waitFor()
    await page.getByRole('link', { name: /Open .*Tank probe/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Tank probe' }).waitFor()
  })
})

test('the catalogue is searched, and the search is in the address', async () => {
  await open('/device-types', async (page) => {
    await page.getByRole('searchbox', { name: 'Search types' }).fill('humidity')
    await page.getByText(/^[2-5] types$/).waitFor()
    assert.match(page.url(), /search=humidity/)
    await page
      .getByRole('table', { name: 'Device types' })
      .getByText('Radio Bridge')
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Air Temperature & Humidity', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Air Temperature & Humidity' }).waitFor()
    await page.getByLabel('Payload in hexadecimal').fill('10 0d 02 8f 60 3c 00')
    await page.getByRole('button', { name: 'Decode' }).click()
    await page.getByText('-15.6 °C').first().waitFor()
  })
})
