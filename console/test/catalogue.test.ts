import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import {
  chirpStackFiles,
  startGitHost,
  thingsNetworkFiles,
  writeFolder,
  zipOf,
} from '../../server/test/catalogues.ts'
import { enterAs, makeMember } from './members.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth, fieldsOf, settle } from './open-page.ts'

const folder = await writeFolder(chirpStackFiles())
after(() => rm(folder, { recursive: true }))
const host = await startGitHost({ token: 'an-invented-token' })
after(() => host.close())
const console = await startConsole(
  { after },
  { networks: ['chirpstack'], devices: 1, settings: { CATALOGUE_DIR: folder } },
)
const [device = ''] = console.simulators[0]?.simulator.deviceEuis() ?? []

const form = '/register?network=chirpstack'
const key = '00112233445566778899AABBCCDDEEFF'

test('a registration begins with brand and model, and makes the type that is missing', async (t) => {
  const page = await console.enter(form, { width: 390 })
  t.after(() => page.close())
  const { field } = fieldsOf(page)
  const models = page.getByRole('list', { name: 'Models' })
  const search = page.getByRole('searchbox', { name: 'brand and model' })
  await search.fill('no such thing')
  await page.getByText('No model has this in its name.').waitFor()
  await search.fill('rbs301-dws')
  await models.getByRole('button', { name: /^Choose Radio Bridge/ }).click()
  await page.locator('input[value*="RBS301-DWS"]').waitFor()

  await search.fill('prob acm')
  await search.press('Enter')
  const probe = models.getByRole('listitem').filter({ hasText: 'Acme Cold probe' })
  await probe.getByText('EU868, US915 · Folder of the operator').waitFor()
  const sheet = probe.getByRole('link', { name: 'Data sheet' })
  assert.equal(await sheet.getAttribute('href'), 'https://docs.example.com/cold-probe.pdf')
  await checkAccessibility(page)
  await checkWidth(page, 'the models')
  await probe.getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('with 1 test case').waitFor()
  assert.equal(await dialog.getByLabel('Firmware version').count(), 0, 'only one has a codec')
  assert.equal(
    await dialog.getByRole('button', { name: 'Make' }).getAttribute('aria-disabled'),
    'true',
  )
  await dialog.getByRole('combobox', { name: 'Region' }).click()
  await page.getByRole('option', { name: 'EU868' }).click()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Make the type' }).click()
  await page.getByText('Acme Cold probe is made: 1 of 1 test cases pass.').waitFor()
  await page.locator('input[value="Acme Cold probe"]').waitFor()
  await field('Name').fill('Freezer')
  await field('DevEUI').fill('00AA0000000000C1')
  await field('Device key').fill(key)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Register this device?' }).waitFor()
  await page.getByText('Acme Cold probe', { exact: true }).waitFor()
  await page
    .getByText(
      'One for Acme Cold probe in EU868. It is made at ChirpStack v4 if it is not there yet.',
    )
    .waitFor()
  const [{ id }] = (await console.call('GET', '/device-types')).body.data
  const made = (await console.call('GET', `/device-types/${id}`)).body.data
  assert.partialDeepStrictEqual(made.catalogue, {
    model_id: 'folder.acme.cold-probe',
    region: 'EU868',
  })

  await page.goto(console.url + form)
  await search.fill('rbs301-dws')
  await models.getByRole('button', { name: /^Choose Radio Bridge/ }).click()
  await search.fill('cold probe')
  await models.getByRole('button', { name: 'Choose Acme Cold probe' }).click()
  await page.getByRole('region', { name: 'Brand and model' }).getByText('Acme Cold probe').waitFor()
  await page.locator('input[value="Acme Cold probe"]').waitFor()
})

test('the profile of a QR code finds the model, and how it speaks', async (t) => {
  const page = await console.enter(form)
  t.after(() => page.close())
  const label = page.getByLabel('Or paste the text of the label')
  const scan = () => label.fill('LW:D0:70B3D57ED0000000:00AA0000000000C2:006D0006')
  const type = page.getByRole('combobox', { name: 'Type' })
  await scan()
  await page.getByText('By the QR code it is:').waitFor()
  assert.equal(await type.inputValue(), '')
  await page.getByRole('button', { name: 'Choose Acme Valve' }).click()
  await page.getByRole('dialog').getByText('1.0.x, class C').waitFor()
  await page.getByRole('button', { name: 'Make the type' }).click()
  await page.getByText('Acme Valve is made').waitFor()
  await page.locator('input[value^="C: "]').waitFor()

  const another = await console.enter(form)
  t.after(() => another.close())
  await another
    .getByLabel('Or paste the text of the label')
    .fill('LW:D0:70B3D57ED0000000:00AA0000000000C2:006D0006')
  await another.locator('input[value="Acme Valve"]').waitFor()
})

test('on site, the code finds the model, and its device is registered as it speaks', async (t) => {
  const page = await console.enter('/install', { width: 390 })
  t.after(() => page.close())
  const eui = '00AA0000000000C3'
  await page
    .getByLabel('Or paste the text of the label')
    .fill(`LW:D0:70B3D57ED0000000:${eui}:006D0006`)
  await page.locator('input[value="Acme Valve"]').waitFor()
  await page.locator('input[value^="C: "]').waitFor()
  await fieldsOf(page).field('Name').fill('Valve')
  await fieldsOf(page).field('Device key').fill(key)
  await checkAccessibility(page)
  await checkWidth(page, 'the model')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  const { data } = (await console.call('GET', `/fleet/devices/${eui}`)).body
  assert.equal(data.lorawan.device_class, 'C')
})

test('catalogues are added, read again, renamed and deleted by who may', async (t) => {
  const page = await console.enter('/device-types', { width: 390 })
  t.after(() => page.close())
  const { field } = fieldsOf(page)
  await page.getByRole('link', { name: 'Catalogues' }).click()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Folder of the operator').getByText('Read', { exact: true }).waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a catalogue' }).click()
  await dialog.getByRole('button', { name: 'Add and read' }).click()
  await dialog.getByText('The name field is required.').waitFor()
  await field('Name').fill('Profiles')
  await field('Address').fill(host.url)
  host.push('1'.repeat(40), chirpStackFiles())
  await dialog.getByRole('button', { name: 'Add and read' }).click()
  await dialog.getByText(/token/i).last().waitFor()
  await checkAccessibility(page)
  await field('Token').fill('an-invented-token')
  await dialog.getByRole('button', { name: 'Add and read' }).click()
  await page.getByText('Profiles: 2 models.').waitFor()

  await page.getByRole('button', { name: 'Add a catalogue' }).click()
  await dialog.getByText('Zip', { exact: true }).click()
  await field('Name').fill('Rain')
  const files = {
    ...thingsNetworkFiles,
    'vendor/borealis/index.yaml': 'endDevices: [rain-gauge, no-such]',
  }
  const buffer = zipOf(files)
  const zip = { name: 'rain.zip', mimeType: 'application/zip', buffer }
  await page.locator('input[type=file]').setInputFiles(zip)
  await dialog.getByRole('button', { name: 'Add and read' }).click()
  await row('Rain').getByText('1 problem').click()
  await row('Rain')
    .getByText(/no-such\.yaml is missing/)
    .waitFor()
  await checkAccessibility(page)
  await checkWidth(page, 'the catalogues')

  await page.getByRole('button', { name: 'Change Rain' }).click()
  await field('Name').fill('Weather')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row('Weather').waitFor()
  host.push('2'.repeat(40), { 'README.md': 'moved' })
  await page.getByRole('button', { name: 'Read again Profiles' }).click()
  await page.getByText('Profiles could not be read').waitFor()
  await row('Profiles').getByText('Could not be read').waitFor()

  await makeMember(console, 'mia@example.test', ['manage_devices'])
  const reader = await enterAs(console, 'mia@example.test', '/device-types/catalogues')
  t.after(() => reader.close())
  await reader.getByRole('row').filter({ hasText: 'Weather' }).waitFor()
  assert.equal(await reader.getByRole('main').getByRole('button').count(), 0)

  await page.getByRole('button', { name: 'Delete Weather' }).click()
  await dialog.getByRole('button', { name: 'Delete the catalogue' }).click()
  await row('Weather').waitFor({ state: 'detached' })
  const names = (await console.call('GET', '/device-catalogue/sources')).body.data
  assert.deepEqual(
    names.map(({ name }: { name: string }) => name),
    ['Built in', 'Folder of the operator', 'Profiles'],
  )
})

test('a type shows where it is from, and what an update would change', async (t) => {
  const archive = (files: Record<string, string>) => zipOf(files).toString('base64')
  const sources = '/device-catalogue/sources'
  const added = await console.call('POST', sources, {
    name: 'Ours',
    archive: archive(chirpStackFiles()),
  })
  const { id: source } = added.body.data
  const model = `/device-catalogue/${source}.acme.cold-probe`
  const made = await console.call('POST', `${model}/types`, { region: 'EU868' })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id, codec } = made.body.data
  await console.call('PATCH', `/devices/${device.toUpperCase()}`, { deviceType: id })
  await console.simulators[0]?.simulator.sendUplink(device, '00d7')

  const page = await console.enter(`/device-types/${id}`)
  t.after(() => page.close())
  const card = page.getByRole('region', { name: 'From the catalogue' })
  await card.getByText('1.0.x, class A, joins over the air (OTAA)').waitFor()
  await card.getByRole('link', { name: /cold-probe\.pdf$/ }).waitFor()
  const dialog = page.getByRole('dialog')
  const check = card.getByRole('button', { name: 'Check for an update' })
  await check.click()
  await dialog.getByText('The catalogue has no other revision of this model.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const newer = chirpStackFiles({ source: codec.replace('/ 10', '/ 100') })
  const path = 'vendors/acme/devices/cold-probe.toml'
  newer[path] = (newer[path] ?? '').replace('cold-probe.pdf', 'cold-probe-2.pdf')
  await console.call('PATCH', `${sources}/${source}`, { archive: archive(newer) })
  await console.call('PATCH', `/device-types/${id}`, { codec: `// Ours\n${codec}` })
  await check.click()
  await dialog.getByText('Your own changes would be lost').waitFor()
  await dialog.getByText('0 of 1 passed.').waitFor()
  await dialog.getByRole('row').filter({ hasText: 'data_sheet' }).waitFor()
  await dialog.getByText('1 uplink decoded. 1 would differ.').waitFor()
  await checkAccessibility(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await checkWidth(page, 'the update')
  await dialog.getByRole('button', { name: 'Take the update' }).click()
  await page.getByText('The type is updated.').waitFor()
  await card.getByRole('link', { name: /cold-probe-2\.pdf$/ }).waitFor()
  await page.getByRole('textbox', { name: 'Codec in JavaScript' }).getByText('/ 100').waitFor()
  await settle(page)
  const stored = (await console.call('GET', `/device-types/${id}`)).body.data
  assert.match(stored.codec, /\/ 100/)
})
