import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPasskeySite } from './passkey-site.ts'

test('passkeys work over HTTPS and at localhost, but not at addresses', () => {
  const sites = {
    'https://fleet.example.com': { host: 'fleet.example.com', origin: 'https://fleet.example.com' },
    'https://fleet.example.com:8443/console': {
      host: 'fleet.example.com',
      origin: 'https://fleet.example.com:8443',
    },
    'http://localhost:3000': { host: 'localhost', origin: 'http://localhost:3000' },
    'http://fleet.localhost': { host: 'fleet.localhost', origin: 'http://fleet.localhost' },
    'http://fleet.example.com': undefined,
    'http://127.0.0.1:3000': undefined,
    'https://192.0.2.7': undefined,
    'https://[2001:db8::1]': undefined,
  }
  for (const [url, site] of Object.entries(sites)) assert.deepEqual(findPasskeySite(url), site, url)
})
