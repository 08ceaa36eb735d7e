import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { daysUntilNow } from '../src/charts/days-until-now.ts'
import { readWritten } from '../src/ui/written-time.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth } from './open-page.ts'

const console = await startConsole({ after })

const now = Date.parse('2026-03-01T12:30:00Z')

function read(text: string, order: 'day_month' | 'month_day' = 'day_month') {
  const time = readWritten(text, { timeZone: 'Europe/Berlin', order, now })
  return time === undefined ? undefined : new Date(time).toISOString()
}

test('a time is read as people write it', () => {
  const same = '2026-02-03T13:05:00.000Z'
  for (const text of [
    ...['3 Feb 2026, 14:05', 'Feb 3, 2026, 2:05 PM', '2026-02-03 14:05', '2026-02-03T14:05:00'],
    ...['3.2.2026 14:05', '3/2/2026 2:05 p.m.', '14:05 3 February', ' 3 feb  2:05\u202fpm '],
  ]) {
    assert.equal(read(text), same, text)
  }
  assert.equal(read('2/3/2026 14:05', 'month_day'), same)
  assert.equal(read('2026-02-03'), '2026-02-02T23:00:00.000Z')
  assert.equal(read('14:05:07'), '2026-03-01T13:05:07.000Z')
  assert.equal(read('yesterday 9:00'), '2026-02-28T08:00:00.000Z')
  assert.equal(read('12:00 am'), '2026-02-28T23:00:00.000Z')
  // Summer time.
  assert.equal(read('1 Jul 2026, 12:00'), '2026-07-01T10:00:00.000Z')
})

test('what is no time is not taken for one', () => {
  const wrong = [
    '',
    'soon',
    '31 Feb 2026',
    '25:00',
    '13:00 pm',
    '12:60',
    '2026-13-01',
    '3 Foo 2026',
  ]
  for (const text of wrong) assert.equal(read(text), undefined, text)
})

test('the range of the history is written in the zone and the format of the user', async () => {
  const page = await console.enter('/uplinks?view=history', { width: 390, height: 780 })
  const from = page.getByRole('textbox', { name: 'From' })
  await from.fill('3 Feb 2026, 14:05')
  await from.press('Enter')
  await page.waitForURL(/since=2026-02-03T13%3A05%3A00.000Z/)
  assert.equal(await from.inputValue(), '3 Feb 2026, 14:05')
  await from.fill('nonsense')
  await from.press('Tab')
  await page.getByText(/^Write it as \d+ \w+ \d{4}, \d\d:\d\d\.$/).waitFor()
  await checkAccessibility(page)
  await checkWidth(page, 'uplinks')
  await from.fill('3 Feb 2026, 14:05')
  await page.getByRole('button', { name: 'Choose the day: From' }).click()
  const chosen = page.getByRole('button', { name: 'Tuesday, 3 Feb 2026' })
  await chosen.waitFor()
  const columns = () => page.locator('th[abbr]').allTextContents()
  assert.deepEqual(await columns(), ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'])
  await checkAccessibility(page)
  await checkWidth(page, 'calendar')
  for (const key of ['ArrowDown', 'End', 'PageDown', 'Enter']) await page.keyboard.press(key)
  await page.waitForURL(/since=2026-03-15T13%3A05%3A00.000Z/)
  await from.fill('')
  await from.press('Enter')
  await page.waitForURL((url) => !url.searchParams.has('since'))
  const formats = { time: '12h', date: 'month_day', week_start: 'sunday' }
  assert.equal((await console.call('PATCH', '/organization/formats', formats)).status, 200)
  await page.goto(`${console.url}/uplinks?since=2026-02-03T13:05:00.000Z`)
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some(({ value }) =>
      /^Feb 3, 2026, 2:05\sPM$/.test(value),
    ),
  )
  await page.getByRole('button', { name: 'Choose the day: From' }).click()
  await page.locator('th[abbr="Sunday"]:first-child').waitFor()
  await page.close()
})

test('weeks and months begin where the user has them, in their zone', () => {
  const begins = (week: 'monday' | 'saturday' | 'sunday') =>
    daysUntilNow('Europe/Berlin', week, now).map(({ label, from }) => {
      return `${label}: ${new Date(from).toISOString().slice(5, 16)}`
    })
  // It is Sunday.
  assert.deepEqual(begins('monday'), [
    'Today: 02-28T23:00',
    'Yesterday: 02-27T23:00',
    'This week: 02-22T23:00',
    'Last week: 02-15T23:00',
    'This month: 02-28T23:00',
  ])
  assert.ok(begins('sunday').includes('This week: 02-28T23:00'))
  assert.ok(begins('saturday').includes('Last week: 02-20T23:00'))
})

test('activity is limited to a range of time', async () => {
  const page = await console.enter('/activity')
  const rows = page.getByRole('table').getByRole('row')
  await rows.nth(1).waitFor()
  const to = page.getByRole('textbox', { name: 'To' })
  await to.fill('1 Jan 2020')
  await to.press('Enter')
  await page.getByText('No matching activity').waitFor()
  const from = page.getByRole('textbox', { name: 'From' })
  await to.fill('')
  await to.press('Enter')
  await from.fill('1 Jan 2020')
  await from.press('Enter')
  await page.waitForURL(/since=2019-12-31/)
  await rows.nth(1).waitFor()
  await checkAccessibility(page)
  await page.close()
})
