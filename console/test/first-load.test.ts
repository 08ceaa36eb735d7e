import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from './open-console.ts'

/** Bytes on the wire: an own budget, which leaves a page of a phone on a slow line usable. */
const budget = 300_000

test('the first page loads at most 300 kB, and nothing that it does not show', async (t) => {
  const { open, enter, url } = await startConsole(t, { networks: ['chirpstack'], devices: 8 })
  const first = await enter('/')
  const state = await first.context().storageState()
  await first.close()
  const page = await open('/login')
  await page.context().addCookies(state.cookies)
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
  await page.waitForTimeout(1500)
  t.diagnostic(`${bytes} bytes in ${names.length} answers`)
  assert.ok(names.length > 3)
  assert.ok(bytes <= budget, `${bytes} bytes: ${names.join('\n')}`)
  for (const name of names) assert.doesNotMatch(name, /maplibre|codemirror|zxing|papaparse|world/i)
})
