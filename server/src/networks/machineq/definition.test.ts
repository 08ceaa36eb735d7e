import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { readAccount } from './client.ts'
import { machineq } from './definition.ts'

const good = {
  client_id: 'client-1',
  client_secret: 's3cret',
  service_profile: 'sp-1',
  device_profile: 'b29fcf98-1a5b-4d2c-8d6d-0c8b5f7a1e11',
}

test('calls machineQ, one of its other systems, or an address that is given', () => {
  assert.deepEqual(findAccountFaults(machineq, good), {})
  const addresses = [
    [undefined, 'https://api.machineq.net', 'https://identity.machineq.net'],
    [
      'https://api.dev.machineq.net',
      'https://api.dev.machineq.net',
      'https://identity.dev.machineq.net',
    ],
    ['http://127.0.0.1:8090/', 'http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
  ] as const
  for (const [server, api, identity] of addresses) {
    const values = { ...good, ...(server ? { server } : {}) }
    assert.deepEqual(findAccountFaults(machineq, values), {})
    const account = readAccount(values)
    assert.deepEqual([account.api, account.identity], [api, identity])
  }
})

test('names every field that is wrong', () => {
  const wrong = {
    client_id: ['two words'],
    client_secret: ['line\nbreak'],
    service_profile: ['../x', 'a b'],
    device_profile: ['a/b'],
    output_profile: ['a?b'],
    gateway_profile: ['ü'],
    server: ['api', 'https://host/v1'],
  }
  checkWrongFields(machineq, good, wrong)
})

test('keeps the client secret secret', () => {
  assert.deepEqual(secretsOf(machineq), ['client_secret'])
})
