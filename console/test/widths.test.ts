import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'
import { brokenWords, checkWidth, settle } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 2 })
const widths = [360, 390, 768, 1024, 1280, 1440, 1920]

const gateway = await console.call('POST', '/gateways', {
  gateway_bridge: 'chirpstack',
  gateway_name: 'Warehouse north, under the roof',
  gateway_eui: '00AA0000000000E1',
})
assert.equal(gateway.status, 200, JSON.stringify(gateway.body))
const [device] = (await console.call('GET', '/fleet/devices')).body.data
const renamed = await console.call('PATCH', `/devices/${device.device_id}`, {
  device_name: 'Loading dock, gate 4',
})
assert.equal(renamed.status, 200, JSON.stringify(renamed.body))
for (const { simulator } of console.simulators) {
  for (const eui of simulator.deviceEuis()) await simulator.sendUplink(eui)
}

const listPages = [
  '/gateways',
  '/activity',
  `/devices/${device.device_id}?tab=uplinks`,
  // With its guide beside it.
  '/networks/chirpstack',
]

for (const path of listPages) {
  test(`no word is broken inside on ${path.replace(device.device_id, '…')}, at any width`, async (t) => {
    const page = await console.enter(path)
    t.after(() => page.close())
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await settle(page)
      assert.deepEqual(await brokenWords(page), [], `at ${width} pixels`)
      await checkWidth(page, `${path} at ${width} pixels`)
    }
  })
}

test('on a phone, gateways and activity are rows of two lines, and gateways are sorted', async (t) => {
  const page = await console.enter('/gateways', { width: 360, height: 780 })
  t.after(() => page.close())
  const rowHeight = async () => (await page.locator('tbody tr').first().boundingBox())?.height ?? 0
  await page.getByRole('link', { name: 'Warehouse north' }).waitFor()
  assert.ok((await rowHeight()) < 90, `a row has ${await rowHeight()} pixels`)
  await page.getByRole('columnheader').getByRole('button', { name: 'Name' }).click()
  await page.waitForURL(/order=desc/)
  await page.goto(`${console.url}/activity`)
  await page.getByText('Device changed').first().waitFor()
  assert.ok((await rowHeight()) < 90, `a row has ${await rowHeight()} pixels`)
})

test('logs show the time itself, with the date where it is not today', async (t) => {
  const activity = await console.enter('/activity')
  t.after(() => activity.close())
  const clock = /^\d\d:\d\d:\d\d$/
  assert.match(await activity.locator('tbody time').first().innerText(), clock)
  await activity.clock.setSystemTime(Date.now() + 86_400_000)
  await activity.reload()
  const written = await activity.locator('tbody time').first().innerText()
  assert.match(written, /^\d+ \w{3,4}, \d\d:\d\d:\d\d$/)
  const uplinks = await console.enter(`/devices/${device.device_id}?tab=uplinks`)
  t.after(() => uplinks.close())
  assert.match(await uplinks.locator('tbody time').first().innerText(), clock)
})
