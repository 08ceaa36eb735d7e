import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { languages } from '../../server/src/lora/languages.ts'
import { startConsole } from './open-console.ts'

/** Bytes on the wire: an own budget, which leaves a page of a phone on a slow line usable. */
const budget = 300_000
/** Polish has letters that stand in a second file of the typeface. */
const furtherLetters = 18_000

const { open, enter, url } = await startConsole({ after }, { networks: ['chirpstack'], devices: 8 })

for (const language of languages) {
  test(`the first page loads at most 300 kB in ${language}, and nothing that it does not show`, async (t) => {
    const first = await enter('/')
    const state = await first.context().storageState()
    await first.close()
    const page = await open('/login')
    t.after(() => page.close())
    await page.context().addCookies(state.cookies)
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
    // What the login page still loads is not counted.
    await page.goto('about:blank')
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    let bytes = 0
    const names: string[] = []
    const addresses = new Map<string, string>()
    session.on('Network.responseReceived', ({ requestId, response }) => {
      addresses.set(requestId, response.url.replace(url, ''))
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes += encodedDataLength
      names.push(`${addresses.get(requestId)} ${encodedDataLength}`)
    })
    await page.goto(url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), language)
    await page.waitForTimeout(1500)
    t.diagnostic(`${bytes} bytes in ${names.length} answers`)
    assert.ok(names.length > 3)
    const most = language === 'pl' ? budget + furtherLetters : budget
    assert.ok(bytes <= most, `${bytes} bytes: ${names.join('\n')}`)
    for (const name of names)
      assert.doesNotMatch(name, /maplibre|codemirror|zxing|papaparse|world/i)
  })
}
