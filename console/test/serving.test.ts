import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from './open-console.ts'

const html = { accept: 'text/html' }

test('the service serves the console under a strict policy, compressed and cached', async (t) => {
  const { url } = await startConsole(t)
  for (const path of ['/', '/devices', '/devices/00AA000000000001?tab=radio']) {
    const answer = await fetch(url + path, { headers: html })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; /)
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'.*unsafe-eval'|https?:/)
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    const page = await answer.text()
    assert.ok(nonce && page.includes(`nonce="${nonce}"`))
    assert.doesNotMatch(page, /__NONCE__|<style|style=/)
  }
  const nonces = await Promise.all([1, 2].map(() => readPolicy(url)))
  assert.notEqual(nonces[0], nonces[1])
  const page = await (await fetch(url, { headers: html })).text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
  for (const encoding of ['br', 'gzip']) {
    const asset = await fetch(url + script, { headers: { 'accept-encoding': encoding } })
    assert.equal(asset.status, 200)
    assert.equal(asset.headers.get('content-encoding'), encoding)
    assert.match(asset.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.match(asset.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  }
})

test('programs and mistyped addresses of the API get a 404 in JSON', async (t) => {
  const { url } = await startConsole(t)
  const requests = [
    ['/devices', { accept: '*/*' }],
    ['/v1/nothing', html],
    ['/assets/nothing.js', html],
    ['/assets/..%2f..%2fpackage.json', html],
  ] as const
  for (const [path, headers] of requests) {
    const answer = await fetch(url + path, { headers })
    assert.equal(answer.status, 404, path)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  }
})

test('a program learns at / where everything is', async (t) => {
  const { url } = await startConsole(t)
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  const { name, ...places } = (await answer.json()) as Record<string, string>
  assert.equal(name, 'LoRa fleet console')
  for (const place of Object.values(places)) {
    assert.ok(place.startsWith(url), place)
    const found = await fetch(place, { headers: { accept: 'text/html, application/json' } })
    // The API itself has addresses below.
    if (!place.endsWith('/v1')) assert.equal(found.status, 200, place)
  }
})

async function readPolicy(url: string): Promise<string | null> {
  return (await fetch(url, { headers: html })).headers.get('content-security-policy')
}
