import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { closeBrowser, launchBrowser } from '../test/browser.ts'
import { demoPages, type KnownPage, pages as testedPages } from '../test/pages.ts'
import { answerAs, type ViewState, viewStates } from './view-states.ts'

const help = `npm run screenshots -- [options]

Photographs the pages of a running console, such as that of "npm run demo", at all widths that matter, light
and dark, and in each state: with its data, while they load, without any, and when they cannot be read.

  --url U        the console (default http://127.0.0.1:8080)
  --email E      how to log in (default demo@example.test)
  --password P   (default ADMIN_PASSWORD)
  --only N,N     names of pages, or paths such as "/devices?silent=24"
  --widths N,N   pixels (default 360,390,768,1024,1280,1440,1920)
  --themes T,T   light, dark (default both)
  --states S,S   data, loading, empty, error (default data)
  --out DIR      (default screenshots)
`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    email: { type: 'string', default: 'demo@example.test' },
    password: { type: 'string', default: process.env.ADMIN_PASSWORD ?? '' },
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '360,390,768,1024,1280,1440,1920' },
    themes: { type: 'string', default: 'light,dark' },
    states: { type: 'string', default: 'data' },
    out: { type: 'string', default: 'screenshots' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const pages: readonly KnownPage[] = [...testedPages, ...demoPages]
const chosen = values.only === '' ? pages : values.only.split(',').map(findPage)
const states = values.states.split(',').map(findState)
const widths = values.widths.split(',').map(Number)
await mkdir(values.out, { recursive: true })
try {
  for (const theme of values.themes.split(',')) await photograph(theme as 'light' | 'dark')
} finally {
  await closeBrowser()
}

function findPage(name: string) {
  if (!name.startsWith('/')) {
    const page = pages.find((known) => known.name === name)
    if (page) return page
    throw new Error(`There is no page ${name}: ${pages.map((known) => known.name).join(', ')}.`)
  }
  return { name: name.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, ''), path: name }
}

function findState(name: string): ViewState {
  const state = viewStates.find((known) => known === name)
  if (state) return state
  throw new Error(`There is no state ${name}: ${viewStates.join(', ')}.`)
}

async function photograph(colorScheme: 'light' | 'dark'): Promise<void> {
  const browser = await launchBrowser()
  const settings = { colorScheme, locale: 'en-GB', reducedMotion: 'reduce' } as const
  const outside = await browser.newContext(settings)
  const inside = await browser.newContext(settings)
  const page = await inside.newPage()
  await page.goto(`${values.url}/login`)
  await page.getByLabel('E-mail').fill(values.email)
  await page.locator('input[autocomplete=current-password]').fill(values.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  await page.close()
  for (const state of states) {
    for (const isOutside of [false, true]) {
      const some = chosen.filter((one) => (one.isOutside ?? false) === isOutside)
      const view = await (isOutside ? outside : inside).newPage()
      await answerAs(view, state)
      for (const width of widths) await photographAt(view, some, { width, state, colorScheme })
      await view.close()
    }
  }
  await outside.close()
  await inside.close()
}

async function photographAt(
  page: Page,
  some: typeof pages,
  { width, state, colorScheme }: { width: number; state: ViewState; colorScheme: string },
): Promise<void> {
  await page.setViewportSize({ width, height: width < 500 ? 780 : 900 })
  for (const { name, path } of some) {
    await page.goto(values.url + path)
    // Some pages have no heading before their data have come.
    await page
      .getByRole('heading')
      .first()
      .waitFor({ timeout: 5000 })
      .catch(() => undefined)
    // A page asks again for some seconds before it says that it cannot read its data.
    if (state === 'error') {
      await page
        .getByRole('alert')
        .first()
        .waitFor({ timeout: 12_000 })
        .catch(() => undefined)
    }
    // Charts and maps draw after their data has come; a live stream never becomes idle.
    const patience = state === 'loading' ? 500 : 3000
    await page.waitForLoadState('networkidle', { timeout: patience }).catch(() => undefined)
    const suffix = state === 'data' ? '' : `-${state}`
    const file = join(values.out, `${name}${suffix}-${width}-${colorScheme}.png`)
    await page.screenshot({ path: file, animations: 'disabled' })
    process.stdout.write(`${file}\n`)
  }
}
