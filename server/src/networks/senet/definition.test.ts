import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { readServer } from './connection.ts'
import { senet } from './definition.ts'

const good = { api_key: 'AK3:abc', contract: 'Fleet 2026', device_profile: 'Class A, US915' }

test('takes an account, with another address of the API or without', () => {
  assert.deepEqual(findAccountFaults(senet, good), {})
  assert.equal(readServer(good).origin, 'https://api.senetco.io')
  for (const server of ['https://portal.example.test', 'http://127.0.0.1:8090/']) {
    assert.deepEqual(findAccountFaults(senet, { ...good, server }), {})
    assert.equal(readServer({ ...good, server }).origin, new URL(server).origin)
  }
})

test('names every field that is wrong', () => {
  const wrong = {
    api_key: ['two words', 'line\nbreak', 'schlüssel'],
    server: ['api.senetco.io', 'ftp://host', 'https://host/rest', 'https://user:pw@host'],
  }
  checkWrongFields(senet, good, wrong)
})

test('keeps the API key secret', () => {
  assert.deepEqual(secretsOf(senet), ['api_key'])
})
