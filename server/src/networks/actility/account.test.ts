import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { readAccount } from './account.ts'
import { actility } from './definition.ts'

const good = {
  server: 'community.thingpark.io',
  client_id: 'sub-100000001/api',
  client_secret: 's3cret',
  as_id: 'TWA_100000001.7.AS',
  as_key: '000102030405060708090A0B0C0D0E0F',
  device_model_id: 'LORA/GenericA.1.0.3a_ETSI',
}

test('takes a server by its name and by its address', () => {
  const addresses = {
    'community.thingpark.io': 'https://community.thingpark.io',
    'https://tpe.example.test/': 'https://tpe.example.test',
    'http://127.0.0.1:8090': 'http://127.0.0.1:8090',
    'tpe.example.test:8443': 'https://tpe.example.test:8443',
  }
  for (const [server, address] of Object.entries(addresses)) {
    assert.deepEqual(findAccountFaults(actility, { ...good, server }), {}, server)
    assert.equal(readAccount({ ...good, server }).server, address)
  }
})

test('names every field that is wrong', () => {
  const wrong = {
    server: ['ftp://host', 'host/path', 'https://user:pw@host', 'two words'],
    client_id: ['two words'],
    client_secret: ['line\nbreak'],
    as_id: ['two words', 'ä'],
    as_key: ['0'.repeat(31), 'g'.repeat(32)],
    device_model_id: ['two words'],
    base_station_model_id: ['two words'],
  }
  checkWrongFields(actility, good, wrong)
})

test('keeps the client secret and the AS key secret, and requires all but that and the base station profile', () => {
  assert.deepEqual(secretsOf(actility), ['client_secret', 'as_key'])
  const optional = actility.accountFields
    .filter(({ required }) => !required)
    .map(({ name }) => name)
  assert.deepEqual(optional, ['as_key', 'base_station_model_id'])
})
