import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrongFields, secretsOf } from '../../../test/account-fields.ts'
import { findAccountFaults } from '../account-fields.ts'
import { readAccount } from './account.ts'
import { kerlink } from './definition.ts'

const good = { server: 'wmc-poc', login: 'jdoe', password: 'p', cluster_id: '1152' }

test('takes a server by its name, its host, its address and that of its API', () => {
  const addresses = {
    'wmc-poc': 'https://wmc-poc.wanesy.com/gms/application',
    'wmc.example.test': 'https://wmc.example.test/gms/application',
    'https://wmc.example.test/': 'https://wmc.example.test/gms/application',
    'https://wmc.example.test/gms/application': 'https://wmc.example.test/gms/application',
    'http://127.0.0.1:8090/gms/application/': 'http://127.0.0.1:8090/gms/application',
  }
  for (const [server, base] of Object.entries(addresses)) {
    assert.deepEqual(findAccountFaults(kerlink, { ...good, server }), {}, server)
    assert.equal(readAccount({ ...good, server }).base, base)
  }
})

test('names every field that is wrong', () => {
  const wrong = {
    server: ['ftp://host', 'https://host/other', 'https://user:pw@host', 'two words'],
    cluster_id: ['x', '1.5', '-1'],
    fleet_id: ['Roofs'],
    brand_id: ['KERLINK'],
  }
  checkWrongFields(kerlink, good, wrong)
})

test('keeps the password secret, and requires neither fleet nor brand', () => {
  assert.deepEqual(secretsOf(kerlink), ['password'])
  const optional = kerlink.accountFields.filter(({ required }) => !required).map(({ name }) => name)
  assert.deepEqual(optional, ['fleet_id', 'brand_id'])
})
