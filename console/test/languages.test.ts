import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkWidth, settle } from './open-page.ts'

const phone = { width: 390, height: 844 }
const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 8 })
const fleet: { device_id: string; device_type: { id: number } }[] = (
  await console.call('GET', '/fleet/devices')
).body.data
const door = fleet.find(({ device_type }) => device_type.id === 16)
assert.ok(door)
const [{ simulator }] = console.simulators as [(typeof console.simulators)[number]]
for (const { device_id } of fleet) await simulator.sendUplink(device_id)
// Opened.
await simulator.sendUplink(door.device_id, '100301')

const paths = [
  '/',
  '/devices',
  `/devices/${door.device_id}`,
  '/register?network=chirpstack',
  '/dashboards/type-16',
  '/alerts/rules',
  '/networks/chirpstack',
  '/settings',
]
const nameOf = (path: string) => path.replace(door.device_id, '…')

/** Opens the console in a language. */
async function enterIn(language: string): Promise<Page> {
  const page = await console.enter('/settings', phone)
  await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
  return page
}

test('the console says what the service says of a sensor in the language of the user', async (t) => {
  const page = await enterIn('de')
  t.after(() => page.close())
  await page.goto(`${console.url}/devices/${door.device_id}`)
  await page.getByText('Offen', { exact: true }).first().waitFor()
  await settle(page)
  const said = await page.locator('main').innerText()
  assert.match(said, /^Tür$/m)
  assert.doesNotMatch(said, /\b(Closed|Open)\b/)
})

/** A text that is longer than any translation: each letter has an accent, and 40 % are added. */
function lengthen(text: string): string {
  const more = 'ŝéñüîöàk '
    .repeat(Math.ceil(text.length / 20))
    .slice(0, Math.ceil(text.length * 0.4))
  return `${text.replaceAll('e', 'ę').replaceAll('a', 'å')} ${more.trim()}`
}

/** Lengthens the texts of a catalogue as the build has written it. */
function lengthenCatalogue(script: string): string {
  const text = /((?:[{,]"?(?!value)[0-9a-z]{4,7}"?|type:0,value):)`((?:[^`\\]|\\.)*)`/g
  return script.replace(text, (_, before, said) => `${before}\`${lengthen(said)}\``)
}

test('texts that are 40 % longer are read on a phone', { timeout: 120_000 }, async (t) => {
  const page = await enterIn('de')
  t.after(() => page.close())
  let lengthened = 0
  await page.route(/assets\/[a-z-]+-[\w-]{8}\.js$/, async (route) => {
    const response = await route.fetch()
    const script = await response.text()
    const isCatalogue = /^(import[^;]+;)?(var|let|const) \w+=\{"?[0-9a-z]{4,7}"?:[`[]/.test(script)
    if (isCatalogue) lengthened += 1
    await route.fulfill({ response, body: isCatalogue ? lengthenCatalogue(script) : script })
  })
  for (const path of paths) {
    await page.goto(console.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settle(page)
    await checkWidth(page, path)
    assert.deepEqual(await cutTexts(page), [], nameOf(path))
  }
  assert.ok(lengthened > paths.length, `${lengthened} catalogues`)
})

/** Texts that stand out of the window or are cut, without an ellipsis and nothing to scroll. */
async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const isLost = (node: Node) => {
      range.selectNodeContents(node)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0) return false
      for (let box = node.parentElement; box; box = box.parentElement) {
        const style = getComputedStyle(box)
        if (style.textOverflow === 'ellipsis' || /auto|scroll/.test(style.overflowX)) return false
        const edge = box.getBoundingClientRect()
        // Only heard.
        if (edge.width <= 1) return false
        const isClipped = /hidden|clip/.test(style.overflowX)
        if (isClipped && (right > edge.right + 1 || left < edge.left - 1)) return true
      }
      return right > innerWidth + 1 || left < -1
    }
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement
      if (!parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (parent.closest('.visually-hidden, script, style, noscript, [aria-hidden=true]')) continue
      if (node.textContent?.trim() && isLost(node)) cut.push(node.textContent.trim())
    }
    return cut
  })
}

test('from right to left, the pages are mirrored and nothing is scrolled', {
  timeout: 120_000,
}, async (t) => {
  const page = await enterIn('en')
  t.after(() => page.close())
  await page.route(
    (url) => paths.includes(url.pathname + url.search),
    async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('<html', '<html dir="rtl"')
      await route.fulfill({ response, body })
    },
  )
  for (const path of paths) {
    await page.setViewportSize(phone)
    await page.goto(console.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settle(page)
    assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
    await checkWidth(page, `${path} from right to left`)
    assert.deepEqual(await cutTexts(page), [], nameOf(path))
    await page.setViewportSize({ width: 1280, height: 900 })
    const navigation = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
    assert.ok(navigation && heading, path)
    assert.ok(navigation.x + navigation.width <= 1280 && navigation.x > 900, path)
    assert.ok(heading.x >= 0 && heading.x + heading.width <= navigation.x, path)
    await checkWidth(page, `${path} from right to left at 1280 pixels`)
  }
})
