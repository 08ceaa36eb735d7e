import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { launchBrowser } from './browser.ts'
import { startConsole } from './open-console.ts'
import { drawQrVideo } from './picture.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'] })
const eui = '00AA0000000000B9'
const folder = await mkdtemp(join(tmpdir(), 'camera-'))
after(() => rm(folder, { recursive: true }))
const video = join(folder, 'label.y4m')
await writeFile(video, drawQrVideo(`LW:D0:70B3D57ED0000000:${eui}:00AA0001:SDOOR1`))
// The browser of this file has a camera that sees the label.
await launchBrowser([
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${video}`,
])

test('reads the code of a label by the camera', async (t) => {
  const page = await console.enter('/register?network=chirpstack')
  t.after(() => page.close())
  await page.context().grantPermissions(['camera'])
  await page.getByRole('button', { name: 'Scan the QR code' }).click()
  await page.getByText('were read from the QR code').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Device EUI' }).inputValue(), eui)
  // The camera is off again: its picture is gone.
  await page.getByLabel('Camera', { exact: true }).waitFor({ state: 'hidden' })
})

test('says what else to do where the camera is refused', async (t) => {
  const page = await console.enter('/register?network=chirpstack')
  t.after(() => page.close())
  await page.getByRole('button', { name: 'Scan the QR code' }).click()
  await page.getByText('The camera cannot be used').waitFor()
  await page.getByText('Allow the camera in your browser, or choose a picture.').waitFor()
  await page.getByRole('textbox', { name: 'Device EUI' }).fill(eui)
})
