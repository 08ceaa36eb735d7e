import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 2 })
const air = '00AA000000000002'

async function readRecord() {
  return (await console.call('GET', `/fleet/devices/${air}`)).body.data
}

/** What the sensor of the air says, after it has sent some. */
async function readAir() {
  for (let count = 0; count < 50; count += 1) {
    const { reading } = await readRecord()
    if (reading?.parts.length === 2) return reading
    await console.simulators[0]?.simulator.sendUplink(air)
  }
  throw new Error('The sensor of the air sent no reading.')
}

async function choose(page: Page, name: string, option: string) {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const fahrenheit = (celsius: number) => `${(celsius * 1.8 + 32).toFixed(1)} °F`

test('readings are in the units of the organization, or those that the user chooses', async () => {
  const { parts } = await readAir()
  const { value } = parts[0]
  const humidity = `${parts[1].value.toFixed(0)} %`
  const page = await console.enter('/settings/organization')
  await choose(page, 'Temperature', '°F')
  await page.getByText('The formats of the organization are changed.').waitFor()
  await page.goto(`${console.url}/devices/${air}`)
  await page.getByText(`${fahrenheit(value)} · ${humidity}`, { exact: true }).waitFor()
  await page.goto(`${console.url}/devices`)
  await page.getByText(`${fahrenheit(value)} · ${humidity}`, { exact: true }).waitFor()
  await page.goto(`${console.url}/devices/${air}?tab=measurements&range=day`)
  await page.getByRole('button', { name: 'Show as table: Temperature' }).click()
  const table = page.getByRole('table', { name: 'Values of Temperature' })
  assert.match((await table.locator('tbody tr').first().textContent()) ?? '', /\d °F/)
  await page.goto(`${console.url}/settings`)
  await page.getByRole('combobox', { name: 'Temperature' }).waitFor()
  assert.equal(
    await page.getByRole('combobox', { name: 'Temperature' }).inputValue(),
    'As the organization (°F)',
  )
  await checkAccessibility(page)
  await choose(page, 'Temperature', '°C')
  await choose(page, 'Numbers', '1.234,5')
  await choose(page, 'Time', '2:30 PM')
  await page.getByText(/It is .* [AP]M .* there/).waitFor()
  await page.getByRole('link', { name: 'Devices', exact: true }).click()
  const text = `${value.toFixed(1).replace('.', ',')} °C · ${humidity}`
  await page.getByText(text, { exact: true }).waitFor()
  await page.close()
})

test('a limit that is typed in °F is stored in °C', async () => {
  const formats = { temperature: 'fahrenheit', numbers: 'comma_point' }
  await console.call('PATCH', '/user', { formats })
  const page = await console.enter('/alerts/rules')
  await page.getByRole('button', { name: 'New rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cold room')
  await dialog.getByRole('combobox', { name: 'Looks for' }).click()
  await page.getByRole('option', { name: 'Threshold' }).click()
  await dialog.getByLabel('Above').fill('50')
  await dialog.getByLabel('Margin').fill('9')
  assert.equal(await dialog.getByLabel('Above').inputValue(), '50 °F')
  await dialog.getByLabel('For at least', { exact: true }).fill('3')
  await dialog.getByLabel('Unit of: For at least').selectOption('days')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const table = page.getByRole('table', { name: 'Alert rules' })
  await table.getByText('temperature above 50 °F for 3 days').waitFor()
  const { settings } = (await console.call('GET', '/alert-rules')).body.data[0]
  assert.deepEqual(settings, {
    key: 'temperature',
    above: 10,
    below: null,
    margin: 5,
    minutes: 4320,
  })
  await table.getByRole('button', { name: 'Cold room' }).first().click()
  assert.equal(await dialog.getByLabel('Above').inputValue(), '50 °F')
  assert.equal(await dialog.getByLabel('Margin').inputValue(), '9 °F')
  assert.equal(await dialog.getByLabel('For at least', { exact: true }).inputValue(), '3')
  assert.equal(await dialog.getByLabel('Unit of: For at least').inputValue(), 'days')
  await page.close()
})

test('an organization says after how long a device is silent', async () => {
  const page = await console.enter('/settings/organization')
  const section = page.getByRole('region', { name: 'Silent devices' })
  await section.getByLabel('Silent after', { exact: true }).fill('3')
  await section.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The time is changed.').waitFor()
  assert.deepEqual((await console.call('GET', '/organization/verdict')).body.data, {
    window_hours: 72,
  })
  await page.close()
})
