import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { collectPages } from '../guide/collect-pages.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility, checkWidth } from './open-page.ts'

const console = await startConsole({ after })

test('the service serves the guide to everybody, under a strict policy', async () => {
  const moved = await fetch(`${console.url}/guide`, { redirect: 'manual' })
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, '/guide/'])
  for (const path of ['/guide/', '/guide/webhooks.html', '/guide/networks/chirpstack.html']) {
    const answer = await fetch(console.url + path)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';" +
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    assert.doesNotMatch(await answer.text(), /<style|style=|<script>|(src|href)="(\/|http:)/)
  }
  const script = await fetch(`${console.url}/guide/assets/guide.js`)
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  for (const path of ['/guide/nothing.html', '/guide/..%2findex.html']) {
    const missing = await fetch(console.url + path, { headers: { accept: 'text/html' } })
    assert.equal(missing.status, 404, path)
    assert.match(missing.headers.get('content-type') ?? '', /^text\/html/, path)
  }
})

test('a word is found by the keyboard, and leads to its section', async () => {
  const page = await console.open('/guide/', { width: 1400 })
  await page.keyboard.press('/')
  await page.keyboard.type('webhook-timestamp')
  await page.locator('.results a').first().waitFor()
  await checkAccessibility(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/webhooks\.html#how-to-receive-it$/)
  assert.equal(await page.locator('[aria-current=page]').textContent(), 'Webhooks')
  await page.keyboard.press('/')
  await page.keyboard.type('xyzzy')
  await page.getByText('Nothing is found.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Nothing is found.').waitFor({ state: 'hidden' })
})

for (const [name, width] of [
  ['on a desk', 1400],
  ['on a phone', 360],
] as const) {
  test(`axe finds nothing in the guide, light and dark, ${name}`, async () => {
    const page = await console.open('/guide/', { width })
    for (const path of ['', 'operation.html', 'networks/chirpstack.html', 'project/index.html']) {
      await page.goto(`${console.url}/guide/${path}`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await checkAccessibility(page)
      }
      await checkWidth(page, path)
    }
  })
}

test('the pages of the console link to pages of the guide that are there', async () => {
  const source = join(import.meta.dirname, '../src')
  const links = new Set<string>()
  for (const name of await readdir(source, { recursive: true })) {
    if (!name.endsWith('.tsx')) continue
    const text = await readFile(join(source, name), 'utf8')
    for (const [, link = ''] of text.matchAll(/ guide="([^"]+)"/g)) links.add(link)
  }
  assert.ok(links.size > 1)
  for (const link of links) {
    assert.equal((await fetch(`${console.url}/guide/${link}`)).status, 200, link)
  }
})

test('a broken link is named by its page', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'guide-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'docs'))
  const pages = {
    'README.md': '# Guide\n\n[a](one.md) [b](none.md) [c](one.md#lost) [d](one.md#a-b)\n',
    'one.md': '# One\n\n## A, `b`\n\n[up](../../secret)\n',
    'alone.md': '# Alone\n',
  }
  for (const [name, text] of Object.entries(pages)) await writeFile(join(root, 'docs', name), text)
  assert.deepEqual(collectPages(root).faults, [
    'docs/README.md: no file none.md',
    'docs/one.md: no file ../../secret',
    'docs/README.md: no heading one.md#lost',
    'docs/alone.md: no page links to it',
  ])
})

test('the guide has no broken link', () => {
  const { faults, pages } = collectPages(join(import.meta.dirname, '../..'))
  assert.ok(pages.size > 20)
  assert.deepEqual(faults, [])
})
