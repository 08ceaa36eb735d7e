import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { readAccount } from './client.ts'
import { everynet } from './definition.ts'

const good = {
  region: 'eu',
  access_token: '9ec85978f3fa',
  connection_id: '5eb858c86c1837f2550ae2cb',
}

test('takes a region, a host or a whole address', () => {
  const bases = {
    atc: ['https://ns.atc.everynet.io', 'https://adapters.ns.atc.everynet.io'],
    'ns.iot.example.test': ['https://ns.iot.example.test', 'https://adapters.ns.iot.example.test'],
    'http://127.0.0.1:8090': ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
  }
  for (const [region, [base, adapters]] of Object.entries(bases)) {
    assert.deepEqual(findAccountFaults(everynet, { ...good, region }), {}, region)
    const account = readAccount({ ...good, region })
    assert.deepEqual([account.base, account.adapters], [base, adapters])
  }
  const other = readAccount({ ...good, server: 'https://iot.example.test/' })
  assert.equal(other.base, 'https://iot.example.test')
})

test('names every field that is wrong', () => {
  const wrong = {
    region: ['e u', 'ftp://host', 'https://host/path'],
    access_token: ['two words', 'line\nbreak'],
    connection_id: ['x', '../devices'],
    authorization: ['line\nbreak'],
    server: ['eu', 'https://user:pw@host'],
  }
  checkWrongFields(everynet, good, wrong)
  assert.deepEqual(findAccountFaults(everynet, { ...good, authorization: 'Token 123' }), {})
})

test('keeps token and authorization secret', () => {
  assert.deepEqual(secretsOf(everynet), ['access_token', 'authorization'])
})
