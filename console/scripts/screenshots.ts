import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { closeBrowser, launchBrowser } from '../test/browser.ts'
import { pages } from '../test/pages.ts'

const help = `npm run screenshots -- [options]

Photographs the pages of a running console, such as that of "npm run demo", at three widths, light and dark.

  --url U        the console (default http://127.0.0.1:8080)
  --email E      how to log in (default demo@example.test)
  --password P   (default ADMIN_PASSWORD)
  --only N,N     names of pages, or paths such as "/devices?silent=24"
  --widths N,N   pixels (default 360,820,1440)
  --themes T,T   light, dark (default both)
  --out DIR      (default screenshots)
`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    email: { type: 'string', default: 'demo@example.test' },
    password: { type: 'string', default: process.env.ADMIN_PASSWORD ?? '' },
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '360,820,1440' },
    themes: { type: 'string', default: 'light,dark' },
    out: { type: 'string', default: 'screenshots' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const chosen = values.only === '' ? pages : values.only.split(',').map(findPage)
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

async function photograph(colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await (await launchBrowser()).newContext({
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${values.url}/login`)
  await page.getByLabel('E-mail').fill(values.email)
  await page.locator('input[autocomplete=current-password]').fill(values.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  for (const width of values.widths.split(',').map(Number)) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 900 })
    for (const { name, path } of chosen) {
      await page.goto(values.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      // Charts and maps draw after their data has come; a live stream never becomes idle.
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
      const file = join(values.out, `${name}-${width}-${colorScheme}.png`)
      await page.screenshot({ path: file, animations: 'disabled' })
      process.stdout.write(`${file}\n`)
    }
  }
  await context.close()
}
