import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAccountFaults } from '../account-fields.ts'
import { awsIotCore } from './definition.ts'

const good = {
  region: 'eu-central-1',
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  topic_prefix: 'fleet',
}

test('takes a prefix of up to five levels', () => {
  for (const topic_prefix of ['fleet', 'a/b/c/d/e', 'dt/fleet_1', 'A.b-c:d@e=f']) {
    assert.deepEqual(findAccountFaults(awsIotCore, { ...good, topic_prefix }), {})
  }
})

test('refuses a prefix that is a filter, or no part of a topic of AWS', () => {
  for (const topic_prefix of [
    'fleet/',
    '/fleet',
    'a//b',
    'a/+',
    '#',
    "a'b",
    'a b',
    'a/b/c/d/e/f',
  ]) {
    assert.deepEqual(Object.keys(findAccountFaults(awsIotCore, { ...good, topic_prefix })), [
      'topic_prefix',
    ])
  }
})
