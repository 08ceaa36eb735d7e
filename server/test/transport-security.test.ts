import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from './service.ts'

const urls = ['/v1/devices', '/v1/nothing', '/livez', '/docs', '/v1/openapi.json']

test('tells browsers to keep to TLS for a year where the public URL has it', async (t) => {
  const { app } = await startTestService(t, { publicUrl: 'https://fleet.example.test' })
  for (const url of urls) {
    const { headers } = await app.inject({ url })
    assert.equal(headers['strict-transport-security'], 'max-age=31536000', url)
  }
})

test('says nothing of TLS where the public URL is without', async (t) => {
  const { app } = await startTestService(t, { publicUrl: 'http://fleet.example.test' })
  for (const url of urls) {
    const { headers } = await app.inject({ url })
    assert.equal(headers['strict-transport-security'], undefined, url)
  }
})

test('names the subdomains where the operator wants it', async (t) => {
  const publicUrl = 'https://fleet.example.test'
  const { app } = await startTestService(t, { publicUrl, isHstsForSubdomains: true })
  const { headers } = await app.inject({ url: '/v1/devices' })
  assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
})

test('nothing may be shown in a frame', async (t) => {
  const { app } = await startTestService(t)
  for (const url of [...urls, '/readyz', '/guide/', '/']) {
    const { headers } = await app.inject({ url })
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, url)
  }
})
