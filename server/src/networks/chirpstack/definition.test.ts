import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { chirpstack } from './definition.ts'

const good = {
  server: 'http://chirpstack.example.test:8080',
  api_key: 'eyJ0eXAiOiJKV1QifQ.e30.c2ln',
  tenant_id: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
  application_id: '17C82E96-BE03-4F38-AEF3-F83D48582D97',
  device_profile_id: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
}

test('takes an account with or without an MQTT broker', () => {
  assert.deepEqual(findAccountFaults(chirpstack, good), {})
  for (const server of ['https://cs.example.test', 'http://127.0.0.1:8080/', 'http://[::1]:8080']) {
    assert.deepEqual(findAccountFaults(chirpstack, { ...good, server }), {})
  }
  for (const mqtt_url of ['mqtt://b.example.test:1883', 'wss://b.example.test/mqtt']) {
    assert.deepEqual(
      findAccountFaults(chirpstack, { ...good, mqtt_url, mqtt_username: 'u', mqtt_password: 'p' }),
      {},
    )
  }
})

test('names every field that is wrong', () => {
  const wrong = {
    server: ['chirpstack:8080', 'ftp://host', 'http://host/path', 'http://user:pw@host', 'http://'],
    api_key: ['two words', 'line\nbreak', 'schlüssel'],
    tenant_id: ['1', '52f14cd4c6f14fbd8f874025e1d49242'],
    application_id: ['x'],
    device_profile_id: ['17c82e96-be03-4f38-aef3-f83d48582d9'],
    mqtt_url: ['broker:1883', 'http://broker', 'mqtt://user:pw@broker'],
  }
  checkWrongFields(chirpstack, good, wrong)
})

test('asks for the user name that goes with an MQTT password', () => {
  assert.deepEqual(Object.keys(findAccountFaults(chirpstack, { ...good, mqtt_password: 'p' })), [
    'mqtt_username',
  ])
})

test('keeps the API key and the password of the broker secret', () => {
  assert.deepEqual(secretsOf(chirpstack), ['api_key', 'mqtt_password'])
})
