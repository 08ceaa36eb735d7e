import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

/** A file that is loaded when the page of the API is opened. */
const part = /\/assets\/api-page-[\w-]+\.css$/

test('after an update, and after the service was away, a page loads by itself', async (t) => {
  const console = await startConsole(t)
  await t.test('a file of the former version is gone: the console loads again', async () => {
    const page = await console.enter('/', { expects: /404|preload|dynamically imported/i })
    let isUpdated = false
    await page.route(part, (route) =>
      isUpdated ? route.continue() : route.fulfill({ status: 404 }),
    )
    page.on('request', (request) => {
      isUpdated ||= request.isNavigationRequest()
    })
    await page.evaluate(() => sessionStorage.removeItem('reloaded-at'))
    await page.getByRole('link', { name: 'API', exact: true }).first().click()
    await page.getByRole('heading', { name: 'API', level: 1 }).waitFor()
    assert.ok(await page.evaluate(() => sessionStorage.getItem('reloaded-at')), 'it was reloaded')
  })
  await t.test('the service is away: the page says so, and opens when it is back', async () => {
    const page = await console.enter('/', { expects: /404|fetch|preload|ERR_|dynamically/i })
    const { comeBack } = await openWhileAway(page)
    await checkAccessibility(page)
    comeBack()
    await page.getByRole('heading', { name: 'API', level: 1 }).waitFor()
  })
  await t.test('whoever goes to another page meanwhile keeps what is typed there', async () => {
    const page = await console.enter('/', { expects: /fetch|preload|ERR_|dynamically/i })
    const { comeBack } = await openWhileAway(page)
    await page.goBack()
    const loads: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'HEAD' || request.isNavigationRequest()) loads.push(request.url())
    })
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    comeBack()
    // Longer than between two looks at the service.
    await page.waitForTimeout(2_500)
    assert.deepEqual(loads, [])
  })
  await t.test('an address without a page says so in a frame', async () => {
    const page = await console.enter('/nothing-here')
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  })
})

/** Opens the page of the API while the service does not answer, until `comeBack` is called. */
async function openWhileAway(page: Page): Promise<{ comeBack(): void }> {
  let isAway = true
  await page.route('**/*', (route) => {
    const isPart = part.test(route.request().url()) || route.request().method() === 'HEAD'
    return isAway && isPart ? route.abort('connectionrefused') : route.continue()
  })
  await page.getByRole('link', { name: 'API', exact: true }).first().click()
  await page.getByText('It opens by itself as soon as the service answers.').waitFor()
  return {
    comeBack() {
      isAway = false
    },
  }
}
