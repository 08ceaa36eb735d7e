import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { readAccount } from './client.ts'
import { loriot } from './definition.ts'

const good = { server: 'eu1', api_key: 'AAAAw.key-1', application_id: 'be7a2562' }

test('takes the name of a server, a host or a whole address', () => {
  const bases = {
    eu1: 'https://eu1.loriot.io',
    'iot.example.test': 'https://iot.example.test',
    'https://iot.example.test': 'https://iot.example.test',
    'http://127.0.0.1:8090': 'http://127.0.0.1:8090',
  }
  for (const [server, base] of Object.entries(bases)) {
    assert.deepEqual(findAccountFaults(loriot, { ...good, server }), {}, server)
    assert.equal(readAccount({ ...good, server }).base, base)
  }
})

test('takes ids in either case', () => {
  const values = { ...good, network_id: 'a0000001', application_token: 'vnoY_w==' }
  assert.deepEqual(findAccountFaults(loriot, values), {})
  const { applicationId, networkId } = readAccount(values)
  assert.deepEqual([applicationId, networkId], ['BE7A2562', 'A0000001'])
})

test('names every field that is wrong', () => {
  const wrong = {
    server: ['eu 1', 'ftp://host', 'https://host/path', 'https://user:pw@host', '-eu1-'],
    api_key: ['two words', 'line\nbreak'],
    application_id: ['BE7A256', '3187736576', 'x'],
    application_token: ['two words'],
    network_id: ['x', 'A000 0001'],
  }
  checkWrongFields(loriot, good, wrong)
})

test('keeps key and token secret', () => {
  assert.deepEqual(secretsOf(loriot), ['api_key', 'application_token'])
})
