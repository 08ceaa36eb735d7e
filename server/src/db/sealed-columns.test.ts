import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealContext } from './secret-keys.ts'

test('a context names the column and the row', () => {
  assert.equal(sealContext('deviceKey', 42), 'devices.sealed_key:42')
  assert.equal(sealContext('secondFactorSetup', 3), 'two_factor_tokens.sealed_secret:3')
  const scope = Buffer.from('0aff', 'hex')
  assert.equal(sealContext('idempotentAnswer', 2, scope), 'idempotency_keys.sealed_answer:2:0aff')
})
