import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleCall, exampleOutput, judge } from './codec-example.ts'

test('an example whose codec gave JSON that is no object has failed', () => {
  const example = { function: 'decodeUplink', input: exampleCall, output: exampleOutput } as const
  for (const text of ['null', '5', '"text"', '[]']) {
    assert.deepEqual(judge(example, { ok: true, text }), {
      description: null,
      passed: false,
      output: null,
      error: 'The codec gave no object.',
      differences: [],
    })
  }
})
