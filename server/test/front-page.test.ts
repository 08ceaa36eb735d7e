import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from './service.ts'

test('a browser at / is told what runs here, and programs find nothing', async (t) => {
  const { app } = await startTestService(t, { publicUrl: 'https://lora.example.test/console' })
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const page = await app.inject({ url: '/', headers: { accept } })
  assert.equal(page.statusCode, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(page.body, /<a href="\/console\/docs">/)
  assert.match(page.body, /color-scheme: light dark/)
  const style = /<style>(.*)<\/style>/s.exec(page.body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; /)
  assert.ok(policy.includes(`style-src 'sha256-${hash}'`))
  assert.doesNotMatch(page.body, /<script|style=|onload/)
  assert.equal(
    (await app.inject({ method: 'HEAD', url: '/', headers: { accept } })).statusCode,
    200,
  )
  for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
    const answer = await app.inject({ url: '/', headers })
    assert.equal(answer.statusCode, 404)
    assert.deepEqual(answer.json(), { message: 'There is nothing at this address.' })
  }
})
