import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { launchBrowser } from './browser.ts'
import { startConsole } from './open-console.ts'
import { drawQrVideo } from './picture.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 2 })
const eui = '00AA0000000000B9'
const folder = await mkdtemp(join(tmpdir(), 'camera-'))
after(() => rm(folder, { recursive: true }))
const video = join(folder, 'label.y4m')
await writeFile(video, drawQrVideo(`LW:D0:70B3D57ED0000000:${eui}:00AA0001:SDOOR1`))
// The browser of this file has a camera that sees the label.
await launchBrowser({
  isWhole: true,
  args: ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`],
})

test('reads the code of a label by the camera', async (t) => {
  const page = await console.enter('/register?network=chirpstack')
  t.after(() => page.close())
  await page.context().grantPermissions(['camera'])
  await page.getByRole('button', { name: 'Scan the QR code' }).click()
  await page.getByText('were read from the QR code').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'DevEUI' }).inputValue(), eui)
  // The camera is off again: its picture is gone.
  await page.getByLabel('Camera', { exact: true }).waitFor({ state: 'hidden' })
})

test('says what else to do where the camera is refused', async (t) => {
  const page = await console.enter('/register?network=chirpstack')
  t.after(() => page.close())
  await page.getByRole('button', { name: 'Scan the QR code' }).click()
  await page.getByText('The camera cannot be used').waitFor()
  await page.getByText('Allow the camera in your browser, or choose a picture.').waitFor()
  await page.getByRole('textbox', { name: 'DevEUI' }).fill(eui)
})

test('a chart follows one finger, and two fingers zoom it', async (t) => {
  const simulator = console.simulators[0]?.simulator
  const air = simulator?.deviceEuis()[1] ?? ''
  // The first uplink reports only its start.
  for (let count = 0; count < 4; count += 1) await simulator?.sendUplink(air)
  const path = `/devices/${air.toUpperCase()}?tab=measurements&range=day`
  const page = await console.enter(path, { width: 360, height: 780 })
  t.after(() => page.close())
  const chart = page.getByRole('application').first()
  await chart.locator('.u-over').waitFor()
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.locator('.u-over').boundingBox()
  assert.ok(box)
  const touch = await page.context().newCDPSession(page)
  const put = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...parts: number[]) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: parts.map((part, id) => ({
        ...{ x: box.x + part * box.width, y: box.y + box.height / 2, id },
      })),
    })
  const legend = chart.locator('xpath=following-sibling::*').first()
  const before = await legend.innerText()
  await put('touchStart', 0.5)
  for (const part of [0.7, 0.85, 0.99]) await put('touchMove', part)
  await page.waitForFunction(([element, text]) => (element as HTMLElement).innerText !== text, [
    await legend.elementHandle(),
    before,
  ] as const)
  await put('touchEnd')

  await put('touchStart', 0.4, 0.6)
  for (const part of [0.1, 0.2, 0.3]) await put('touchMove', 0.4 - part, 0.6 + part)
  await put('touchEnd')
  await page.waitForURL(/range=custom/)
  const { searchParams } = new URL(page.url())
  const timeOf = (name: string) => Date.parse(searchParams.get(name) ?? '')
  const hours = (timeOf('to') - timeOf('from')) / 3_600_000
  assert.ok(hours > 4 && hours < 8, `${hours} hours instead of a quarter of a day`)
})
