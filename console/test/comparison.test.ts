import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth, settle } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 2 })
const [simulator] = console.simulators.map((network) => network.simulator)
const [door, store] = ['00AA000000000001', '00AA000000000002']
const attic = '00AA0000000000C1'
const gate = '00AA0000000000C2'
for (const [deviceId, deviceName, deviceType] of [
  [attic, '=Attic air', 112],
  [gate, 'Garden gate', 16],
] as const) {
  const registered = await console.call('POST', '/devices', {
    ...{ network: 10, deviceName, deviceId, deviceType },
    deviceKey: '00112233445566778899AABBCCDDEEFF',
    registerMethod: 'user_account',
    appRegion: 'EU868',
    action: 'confirm',
  })
  assert.equal(registered.status, 200)
}
await simulator?.settle()

const measurements = `/devices/${store}?tab=measurements&range=hour`

/** Sends a temperature and a humidity. */
async function send(eui: string, frames: readonly string[]): Promise<void> {
  for (const hex of frames) await simulator?.sendUplink(eui, hex)
}

async function save(page: Page, title: string, item: string): Promise<Buffer> {
  await page.getByRole('button', { name: `Export: ${title}` }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item }).click(),
  ])
  return readFile(await download.path())
}

await send(store, ['100d0015103300', '100d0016103400'])
await send(attic, ['100d0005102000', '100d0006102100'])
await send(door, ['100301', '100300'])
await send(gate, ['100301'])

test('other devices that measure the same are added to a chart, and the address has them', async () => {
  const page = await console.enter(measurements)
  const picker = page.getByRole('combobox', { name: 'Compare with other devices' })
  await picker.click()
  const options = page.getByRole('option')
  await options.first().waitFor()
  // The door measures nothing of it, and the device itself is no other one.
  assert.deepEqual(await options.allTextContents(), ['=Attic air'])
  const queries: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/measurements/query')) queries.push(request.method())
  })
  await options.first().click()
  await page.waitForURL(/with=00AA0000000000C1/)
  await page.keyboard.press('Escape')
  const chart = page.getByRole('figure', { name: 'Temperature' })
  const legend = chart.getByRole('listitem')
  await legend.nth(1).waitFor()
  assert.deepEqual(await legend.allTextContents(), ['Cold store air 1', '=Attic air'])
  const dashes = await chart
    .locator('li line')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('stroke-dasharray')))
  assert.equal(new Set(dashes).size, 2, 'the lines differ without colour')
  await settle(page)
  assert.deepEqual(queries, ['POST'], 'one request for all charts')
  await checkAccessibility(page)
  await page.close()
})

test('the states of several devices are bands of the same colours, below each other', async () => {
  const page = await console.enter(`/devices/${door}?tab=measurements&range=hour`)
  await page.getByRole('combobox', { name: 'Compare with other devices' }).click()
  const options = page.getByRole('option')
  await options.first().waitFor()
  // Only doors are alike, although all have a battery.
  assert.deepEqual(await options.allTextContents(), ['Garden gate'])
  await options.first().click()
  await page.keyboard.press('Escape')
  const bandOf = async (name: string) => {
    const band = page.getByRole('figure', { name })
    await band.waitFor()
    return band
      .getByRole('listitem')
      .evaluateAll((items) =>
        items.map((item) => [
          item.querySelector('strong')?.textContent,
          item.querySelector('[data-colour]')?.getAttribute('data-colour'),
        ]),
      )
  }
  assert.deepEqual(await bandOf('Garden gate'), [['Open', '1']])
  assert.deepEqual((await bandOf('Front door 1')).at(-1), ['Open', '1'])
  await checkAccessibility(page)
  await checkWidth(page, 'bands')
  await page.close()
})

test('a link to a comparison shows the same, on a phone too', async () => {
  const page = await console.enter(`${measurements}&with=${attic}`, { width: 390, height: 780 })
  const chart = page.getByRole('figure', { name: 'Humidity' })
  await chart.getByText('=Attic air').first().waitFor()
  await page.getByText('=Attic air').first().waitFor()
  await settle(page)
  await checkWidth(page, 'comparison')
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Show as table: Temperature' }).click()
  const table = page.getByRole('table', { name: 'Values of Temperature' })
  await table.getByRole('columnheader', { name: '=Attic air' }).waitFor()
  await page.close()
})

test('a chart is saved as CSV, in the time of the user, and as a PNG in light colours', async () => {
  const page = await console.enter(`${measurements}&with=${attic}`, { colorScheme: 'dark' })
  const chart = page.getByRole('figure', { name: 'Temperature' })
  await chart.getByRole('listitem').nth(1).waitFor()
  await chart.locator('canvas').waitFor()
  const text = (await save(page, 'Temperature', 'Table (CSV)')).toString()
  const [head, ...lines] = text.replace('\ufeff', '').trim().split('\r\n')
  assert.equal(head, 'time,time_zone,iso_time,device,measurement,unit,value,lowest,highest')
  const rows = lines.map((line) => line.split(','))
  assert.deepEqual(
    [
      ...new Set(
        rows.map(([, zone, , device, measurement, unit]) =>
          [zone, device, measurement, unit].join(),
        ),
      ),
    ],
    ['Europe/Berlin,Cold store air 1,Temperature,°C', "Europe/Berlin,'=Attic air,Temperature,°C"],
  )
  const [time = '', , iso = ''] = rows[0] ?? []
  const local = new Date(iso).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
  assert.equal(time, local)
  const picture = await save(page, 'Temperature', 'Picture (PNG)')
  assert.equal(picture.subarray(1, 4).toString(), 'PNG')
  const [width, corner] = await page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    return [image.width, [...(context?.getImageData(2, 2, 1, 1).data ?? [])]] as const
  }, picture.toString('base64'))
  assert.ok(width >= 1200, `${width}`)
  assert.deepEqual(corner, [255, 255, 255, 255])
  await page.close()
})

test('the level of an alert rule is a line of the chart, named', async () => {
  const rule = await console.call('POST', '/alert-rules', {
    name: 'Too warm',
    kind: 'threshold',
    recipients: [],
    settings: { key: 'temperature', above: 24, below: null },
  })
  assert.equal(rule.status, 201, JSON.stringify(rule.body))
  const page = await console.enter(measurements)
  const chart = page.getByRole('figure', { name: 'Temperature' })
  await chart.getByText('Limits: Too warm: above 24 °C').waitFor()
  await chart.locator('canvas').waitFor()
  await page.close()
})
