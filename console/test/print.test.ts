import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkWidth } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 14 })

test('paper has the content, without navigation and buttons, and no row is cut off', async (t) => {
  const page = await console.enter('/devices', { height: 480, colorScheme: 'dark' })
  t.after(() => page.close())
  const rows = page.getByRole('table', { name: 'Devices' }).locator('tbody tr')
  await page.waitForFunction(() => document.querySelectorAll('tbody tr a').length === 14)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 1040, height: 720 })
  assert.equal(await page.getByRole('banner').isVisible(), false)
  assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false)
  assert.equal(await page.getByRole('button', { name: 'Columns' }).isVisible(), false)
  assert.equal(await page.getByRole('link', { name: 'Register' }).isVisible(), false)
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  const boxes = await rows.evaluateAll((all) =>
    all.map((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      const scroller = row.closest('table')?.parentElement?.getBoundingClientRect()
      const name = row.querySelector('a')?.innerText ?? ''
      return { top, name, isIn: bottom <= (scroller?.bottom ?? 0) + 1 }
    }),
  )
  assert.equal(boxes.length, 14)
  assert.ok(boxes.every(({ isIn }) => isIn))
  const printed = boxes.toSorted((one, other) => one.top - other.top).map(({ name }) => name)
  assert.deepEqual(printed, printed.toSorted())
  await checkWidth(page, 'The printed list')
  const colour = await page.evaluate(() => getComputedStyle(document.body).color)
  assert.equal(colour, 'rgb(32, 37, 43)')
})
