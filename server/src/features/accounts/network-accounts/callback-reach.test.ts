import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellReach } from './callback-entry.ts'

const path = '/v1/callbacks/thethingsnetwork/0b7c1d8e-0000-4000-8000-000000000001'

test('tells of a local address what a network out in the world cannot reach', () => {
  const told = [
    ['http://127.0.0.1:8080', { cluster: 'eu1' }],
    ['http://127.0.0.1:8080', { server: 'https://chirpstack.example.com' }],
    ['http://192.168.1.5:8080', { region: 'us-east-1' }],
    ['http://fleet.lan', { cluster: 'tenant.eu1.cloud.thethings.industries' }],
  ] as const
  for (const [origin, fields] of told) {
    const words = tellReach(origin + path, fields)
    assert.ok(words.includes(`${origin} is an address of the local network`), words)
    assert.match(words, /Set PUBLIC_URL/)
  }
  const fine = [
    ['https://fleet.example.com', { cluster: 'eu1' }],
    ['http://127.0.0.1:8080', { server: 'http://127.0.0.1:8090' }],
    ['http://192.168.1.5:8080', { server: 'http://chirpstack.lan:8080' }],
    ['http://192.168.1.5:8080', { cluster: 'eu1', mqtt_url: 'mqtts://eu1.example.com' }],
  ] as const
  for (const [origin, fields] of fine) assert.equal(tellReach(origin + path, fields), '')
})
