import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMessage, renderObject } from './render.ts'
import type { Reading } from './sensor.ts'

const reading: Reading = {
  event: 'TEMPERATURE_EVENT',
  description: 'Hot & humid',
  sequence: [3],
  values: { temperature: 31.5, isIndoors: true },
  lines: ['Hot & humid', '<script>"31.5"</script>', "it's over"],
  status: {},
}

test('joins the lines of a message and escapes what they hold', () => {
  assert.equal(
    renderMessage(reading),
    'Hot &amp; humid<br>&lt;script&gt;&quot;31.5&quot;&lt;/script&gt;<br>it&#39;s over',
  )
})

test('puts the description before the values', () => {
  assert.equal(
    JSON.stringify(renderObject(reading)),
    '{"eventDescription":"Hot & humid","temperature":31.5,"isIndoors":true}',
  )
})

test('gives one line the shape of many', () => {
  assert.equal(renderMessage({ ...reading, lines: ['Door Opened'] }), 'Door Opened')
})
