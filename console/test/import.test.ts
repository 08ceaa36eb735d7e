import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'] })
const rowCount = 1000
const hostile = '"<img src=x onerror=alert(1)>=cmd|\'/c calc\'!A1"'

function euiOf(number: number): string {
  return `00AA0000${number.toString(16).toUpperCase().padStart(8, '0')}`
}

/** An export as The Things Stack writes it, with five rows that must fail. */
function makeFile(): string {
  const lines = Array.from({ length: rowCount }, (_, index) => {
    const number = index + 1
    return [
      `sensor-${number}`,
      euiOf(number),
      '70B3D57ED0000000',
      `Sensor ${number}`,
      keyOf(number),
    ]
  })
  const change = (number: number, column: number, value: string) => {
    const line = lines[number - 1]
    assert.ok(line)
    line[column] = value
  }
  change(10, 4, 'too short')
  change(20, 1, '00AA')
  change(30, 1, euiOf(29))
  change(40, 2, 'NOHEX')
  change(50, 4, '')
  change(60, 3, hostile)
  const header = 'id;dev_eui;join_eui;name;app_key'
  return `\ufeff${[header, ...lines.map((line) => line.join(';'))].join('\r\n')}\r\n`
}

function keyOf(number: number): string {
  return number.toString(16).toUpperCase().padStart(32, '0')
}

test('imports 1,000 devices with five bad rows, and fixes one of them', async (t) => {
  const page = await console.enter('/import')
  t.after(() => page.close())
  await page.locator('input[type=file]').setInputFiles({
    name: 'fleet.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(makeFile()),
  })
  await page.getByRole('heading', { name: 'What are the columns?' }).waitFor()
  const fieldOf = (header: string) =>
    page.getByRole('combobox', { name: `What “${header}” is` }).inputValue()
  assert.equal(await fieldOf('dev_eui'), 'DevEUI')
  assert.equal(await fieldOf('app_key'), 'Device key')
  await page.getByRole('combobox', { name: 'Type', exact: true }).fill('RBS301-DWS')
  await page.getByRole('option', { name: /RBS301-DWS/ }).click()
  await page.getByText('5 rows of 1,000 will fail').waitFor()
  await page.getByText('1 column left out').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByRole('heading', { name: 'Dry run: Register 1,000 devices' }).waitFor()
  await page.getByText('5 rows would fail').waitFor()
  assert.equal((await console.call('GET', '/devices')).body.meta.total, 0)
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Register 995 devices' }).click()
  await page.getByRole('heading', { name: 'Register 1,000 devices', exact: true }).waitFor()
  await page.getByText('Done, 5 failed', { exact: true }).waitFor()
  assert.equal((await console.call('GET', '/devices')).body.meta.total, rowCount - 5)

  await page.getByText('Failed 5', { exact: true }).click()
  await page.getByText('The device key has other characters than 0 to 9').first().waitFor()
  await page.getByRole('button', { name: 'Repair row 21' }).click()
  const dialog = page.getByRole('dialog', { name: 'Repair row 21' })
  await dialog.getByLabel('DevEUI').fill(euiOf(20))
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Done, 4 failed', { exact: true }).waitFor()
  assert.equal(
    (await console.call('GET', `/devices/${euiOf(20)}`)).body.data.device_name,
    'Sensor 20',
  )
  assert.equal((await console.call('GET', `/devices/${euiOf(60)}`)).status, 200)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Failed rows as CSV' }).click()
  const lines = (await readText(await (await downloading).createReadStream()))
    .trimEnd()
    .split('\r\n')
  assert.equal(lines.length, 5)
  assert.match(lines[0] ?? '', /^\ufeffdevice_name,device_id,.*,row,status,message$/)
})

test('a job is found again at its list, from any page', async (t) => {
  const page = await console.enter('/jobs')
  t.after(() => page.close())
  await page.getByRole('link', { name: 'Register 1,000 devices' }).click()
  await page.getByText('Done, 4 failed', { exact: true }).waitFor()
  await page.getByText('fleet.csv').waitFor()
})

test('an import goes on when its page is closed, and after a transfer that was cut', async (t) => {
  const first = await console.enter('/import')
  // More rows than one request takes; nearly all are faulty, so that the job is short.
  const total = 1503
  const lines = Array.from({ length: total }, (_, index) => {
    const number = 5001 + index
    return `${euiOf(number)};Resumed ${number};${index % 501 === 0 ? keyOf(number) : 'none'}`
  })
  const choose = async (page: Page) => {
    await page.locator('input[type=file]').setInputFiles({
      name: 'resumed.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['dev_eui;name;app_key', ...lines].join('\n')),
    })
    await page.getByRole('combobox', { name: 'Type', exact: true }).fill('RBS301-DWS')
    await page.getByRole('option', { name: /RBS301-DWS/ }).click()
    await page.getByText('1,500 rows of 1,503 will fail').waitFor()
  }
  await choose(first)
  // The connection is lost after the first portion.
  await first.route('**/v1/jobs/*/rows', (route) => route.abort())
  await first.getByRole('button', { name: 'Register 1,503 devices at once' }).click()
  await first.getByText('Waiting for the service').waitFor()
  await first.getByText('1,500 of 1,503 rows are sent').waitFor()
  await first.close()

  const page = await console.enter('/jobs')
  t.after(() => page.close())
  await page.getByRole('link', { name: /^Register 1,50. devices$/ }).click()
  await page.getByText('The transfer has stopped').waitFor()
  await page.getByRole('link', { name: 'Continue with the file' }).click()
  await choose(page)
  await page.getByRole('button', { name: 'Resume sending' }).click()
  await page.waitForURL(/\/jobs\/\d+$/)
  const address = page.url()
  await page.close()

  // The job needs no page: its rows are there when one comes back.
  const back = await console.enter(new URL(address).pathname)
  t.after(() => back.close())
  await back.getByText('Done, 1,500 failed', { exact: true }).waitFor()
  await back.getByText('Failed 1,500', { exact: true }).waitFor()
  await back.getByRole('button', { name: 'Repair row 3', exact: true }).waitFor()
  for (const number of [5001, 5502, 6003]) {
    assert.equal((await console.call('GET', `/devices/${euiOf(number)}`)).status, 200)
  }
})

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of stream) text += piece.toString()
  return text
}

test('leaving an import with a chosen file asks first', async (t) => {
  const page = await console.enter('/import')
  t.after(() => page.close())
  await page.locator('input[type=file]').setInputFiles({
    name: 'doors.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`dev_eui;app_key\n${euiOf(9001)};${keyOf(9001)}\n`),
  })
  await page.getByRole('heading', { name: 'What are the columns?' }).waitFor()
  const main = page.getByRole('navigation', { name: 'Main' })
  const leave = () => main.getByRole('link', { name: 'Devices', exact: true }).click()
  await leave()
  const question = page.getByRole('dialog', { name: 'Leave the import?' })
  await question.getByText('doors.csv').waitFor()
  await checkAccessibility(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  assert.match(page.url(), /import$/)
  await leave()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
})
