import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nameOfDatabase, splitHosts } from './addresses.ts'

describe('the address of a database', () => {
  test('with one host stays as it is', () => {
    for (const url of [
      'postgres://lora:p%2Cw@db.test/lora?sslmode=require',
      'postgresql://lora@localhost/lora?host=/run/postgresql',
      'http://one,two/',
    ]) {
      assert.deepEqual(splitHosts(url), [url])
    }
  })

  test('with several hosts is one address for each', () => {
    assert.deepEqual(splitHosts('postgres://lora:a,b@one:5433,[::1]:5434,two/lora?x=1,2'), [
      'postgres://lora:a,b@one:5433/lora?x=1,2',
      'postgres://lora:a,b@[::1]:5434/lora?x=1,2',
      'postgres://lora:a,b@two/lora?x=1,2',
    ])
  })

  test('is named without its user and password', () => {
    assert.equal(
      nameOfDatabase('postgres://lora:secret@one:5433,two/lora?x=1'),
      'one:5433,two/lora',
    )
  })
})
