import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth } from './open-page.ts'
import { drawQrCode } from './picture.ts'

/** Installing devices by phone, one after the other, and their photos. */

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 1 })
const [network] = console.simulators
const key = '00112233445566778899AABBCCDDEEFF'
const phone = { width: 390, height: 780 }
const pictureOf = (text: string) => {
  return { name: 'a.png', mimeType: 'image/png', buffer: drawQrCode(text) }
}
const codeOf = (eui: string) => `LW:D0:70B3D57ED0000000:${eui}:00AA0001:SDOOR1`
const group = (await console.call('POST', '/device-groups', { groupName: 'Cellar' })).body.data.id
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="M0 0h4v3H0z"/></svg>'
const image = Buffer.from(svg).toString('base64')
await console.call('POST', '/floor-plans', { name: 'Basement', group_id: group, image })

async function readDevice(eui: string) {
  return (await console.call('GET', `/fleet/devices/${eui}`)).body.data
}

async function chooseType(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Type' }).fill('dws')
  await page.getByRole('option', { name: /RBS301-DWS/ }).click()
}

async function scan(page: Page, eui: string): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(pictureOf(codeOf(eui)))
  await page.getByText('were read from the QR code').waitFor()
}

/** What the browser keeps, as text. */
function readKept(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('installs')
        opening.onupgradeneeded = () => {
          opening.result.createObjectStore('installs', { keyPath: 'id' })
        }
        opening.onsuccess = () => {
          const all = opening.result.transaction('installs').objectStore('installs').getAll()
          all.onsuccess = () => {
            opening.result.close()
            resolve(JSON.stringify(all.result))
          }
        }
      }),
  )
}

test('a device has photos with captions, which a phone sends small', async (t) => {
  const air = '00AA000000000001'
  const page = await console.enter(`/devices/${air}`, phone)
  t.after(() => page.close())
  const card = page.getByRole('region', { name: 'Photos' })
  const photo = pictureOf('Cellar')
  const hostile = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg/>') }
  await card.locator('input[type=file]').setInputFiles(hostile)
  await card.getByText('This file cannot be read as a picture.').waitFor()
  await card.locator('input[type=file]').setInputFiles(photo)
  await card.getByRole('button', { name: 'Photo 1' }).click()
  await page.getByRole('img', { name: 'Photo 1' }).waitFor()
  await page.getByLabel('Caption').fill('<b>The meter</b>')
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Save caption' }).click()
  const named = card.getByRole('button', { name: '<b>The meter</b>' })
  await named.waitFor()
  const { body } = await console.call('GET', `/devices/${air}/photos`)
  assert.deepEqual(
    body.data.map(({ caption, type }: Record<string, unknown>) => [caption, type]),
    [['<b>The meter</b>', 'image/jpeg']],
  )
  await named.click()
  await page.getByRole('button', { name: 'Delete this photo' }).click()
  await page.getByRole('button', { name: 'Delete photo' }).click()
  await card.getByText('No photos yet').waitFor()
})

test('devices are installed one after the other without leaving the page', async (t) => {
  const [first, second] = ['00AA0000000000C1', '00AA0000000000C2']
  const page = await console.enter('/install', phone)
  t.after(() => page.close())
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: 48.137, longitude: 11.575 })
  await scan(page, first)
  await page.getByLabel('Name').fill('Room 09')
  await page.getByRole('textbox', { name: 'Device key' }).fill(key)
  // The type is missing: what is the same for all opens, with the reason.
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Choose one.').waitFor()
  await chooseType(page)
  await page.getByRole('combobox', { name: 'Groups' }).click()
  await page.getByRole('option', { name: 'Cellar' }).click()
  await page.keyboard.press('Escape')
  await checkAccessibility(page)
  await checkWidth(page, '/install')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  await page.locator('input[type=file]').setInputFiles(pictureOf('The door'))
  await page.getByText('1 photo sent').waitFor()
  await page.getByRole('button', { name: 'Where I am now' }).click()
  await page.getByText('Its place is 48.1370° N').waitFor()
  await page.getByRole('combobox', { name: 'Floor plan' }).click()
  await page.getByRole('option', { name: 'Basement (Cellar)' }).click()
  await page.getByRole('img', { name: 'Basement' }).waitFor()
  await page.getByRole('img', { name: 'Basement' }).click({ force: true })
  await page.getByRole('textbox', { name: 'Notes' }).fill('Key at the porter')
  await page.getByRole('button', { name: 'Keep notes' }).click()
  await page.getByRole('button', { name: 'Notes kept' }).waitFor()
  await checkAccessibility(page)
  await checkWidth(page, '/install')
  await network?.simulator.sendUplink(first)
  await page.getByText('The device works').waitFor()
  await page.getByRole('button', { name: 'Next device' }).click()
  // Name, type and group follow from the last one.
  assert.equal(await page.getByLabel('Name').inputValue(), 'Room 10')
  await page.getByText('Installed today: 1').waitFor()
  const csv = `dev_eui;app_key;serial\n${second};${key};1\n`
  const file = { name: 'box.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.locator('input[type=file][accept*=csv]').setInputFiles(file)
  await page.getByText('1 device in box.csv').waitFor()
  await scan(page, second)
  await page.getByText('from box.csv', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  const device = await readDevice(first)
  assert.deepEqual(
    [device.latitude, device.place_source, device.extra_notes, device.groups[0].name],
    [48.137, 'phone', 'Key at the porter', 'Cellar'],
  )
  assert.equal((await readDevice(second)).groups[0].name, 'Cellar')
  const { body: plans } = await console.call('GET', '/floor-plans')
  assert.equal(plans.data[0].devices, 1)
})

test('a device that was registered before needs only its photos, place and notes', async (t) => {
  const eui = '00AA000000000001'
  await console.call('PATCH', `/devices/${eui}`, { extra_notes: 'Ladder needed' })
  const page = await console.enter('/install', phone)
  t.after(() => page.close())
  await scan(page, eui)
  await page.getByText('is registered already').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Install it' }).click()
  const notes = page.getByRole('textbox', { name: 'Notes' })
  assert.equal(await notes.inputValue(), 'Ladder needed')
  await page.locator('input[type=file]').setInputFiles(pictureOf('The door'))
  await page.getByText('1 photo sent').waitFor()
  assert.equal((await console.call('GET', `/devices/${eui}/photos`)).body.data.length, 1)
})

test('without a connection nothing is lost, also when the page is loaded again', async (t) => {
  const [good, taken] = ['00AA0000000000C3', '00AA0000000000C1']
  const page = await console.enter('/install', { ...phone, expects: /ERR_INTERNET_DISCONNECTED/ })
  t.after(() => page.close())
  await page.getByLabel('Name').waitFor()
  await chooseType(page)
  let isCut = true
  await page.route(/\/v1\/devices/, (route) => (isCut ? route.abort() : route.continue()))
  const enter = async (name: string, eui: string) => {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('textbox', { name: 'DevEUI', exact: true }).fill(eui)
    await page.getByRole('textbox', { name: 'Device key' }).fill(key)
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByText('Waits for a connection.', { exact: true }).waitFor()
  }
  await enter('Shaft 1', good)
  await page.locator('input[type=file]').setInputFiles(pictureOf('The shaft'))
  await page.getByText('0 photos sent, 1 kept on this phone').waitFor()
  await page.getByRole('button', { name: 'Next device' }).click()
  await enter('Shaft 2', taken)
  await page.getByText('2 devices not sent').waitFor()
  await checkAccessibility(page)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByText('Installed today').waitFor()
  await page.getByText('2 devices not sent').waitFor()
  isCut = false
  await page.getByText('Not registered').waitFor()
  const { body } = await console.call('GET', `/devices/${good}/photos`)
  assert.equal(body.data.length, 1)
  await page.getByRole('button', { name: 'Correct it' }).click()
  await page.getByText('Shaft 2 was not registered').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'DevEUI', exact: true }).inputValue(), taken)
  await page.getByRole('textbox', { name: 'DevEUI', exact: true }).fill('00AA0000000000C4')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('Accepted by ChirpStack v4: done').waitFor()
  // Keys do not stay in the browser once the devices are registered.
  const kept = await readKept(page)
  assert.match(kept, /Shaft 2/)
  assert.ok(!kept.includes(key))
})

test('who logs out leaves nothing behind, not even what is being sent', async (t) => {
  const page = await console.enter('/install', phone)
  t.after(() => page.close())
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByLabel('Name').waitFor()
  await chooseType(page)
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/v1\/devices$/, async (route) => {
    await isAnswered
    await route.continue()
  })
  await page.getByLabel('Name').fill('Shaft 9')
  await page.getByRole('textbox', { name: 'DevEUI', exact: true }).fill('00AA0000000000C9')
  await page.getByRole('textbox', { name: 'Device key' }).fill(key)
  const asked = page.waitForRequest(/\/v1\/devices$/)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await asked
  await page.getByText('Installed today').waitFor()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Key at the porter')
  await page.getByRole('textbox', { name: 'Notes' }).blur()
  await page.getByRole('button', { name: 'Notes kept' }).waitFor()
  assert.match(await readKept(page), /Key at the porter/)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('E-mail').waitFor()
  const answered = page.waitForResponse(/\/v1\/devices$/)
  answer()
  await answered
  assert.equal(await readKept(page), '[]')
})
