import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { JsonObject } from '../message-fields.ts'
import type { CallbackRequest } from '../network-message.ts'
import { checkSignature, signCall } from './signature.ts'

interface Signed {
  as_key: string
  sent_query: string
  body: Record<string, JsonObject>
}

const examples = new URL('./examples/', import.meta.url)

function readSigned(name: string): Signed {
  return JSON.parse(readFileSync(new URL(name, examples), 'utf8'))
}

function check({ as_key, sent_query, body }: Signed) {
  const request: CallbackRequest = {
    path: '',
    query: {},
    sentQuery: sent_query,
    headers: {},
    body,
    receivedAt: '2026-01-01T00:00:00.000000Z',
  }
  return checkSignature(request, { as_key })
}

const names = readdirSync(examples).filter((name) => name.startsWith('signed-'))
const uplink = readSigned('signed-uplink-2021.json')

test('finds the tokens of all published messages right', () => {
  assert.equal(names.length, 4)
  for (const name of names) assert.equal(check(readSigned(name)), undefined, name)
})

test('takes the key in either case and the parameters in any order', () => {
  assert.equal(check({ ...uplink, as_key: uplink.as_key.toUpperCase() }), undefined)
  const sent_query = uplink.sent_query.split('&').reverse().join('&')
  assert.equal(check({ ...uplink, sent_query }), undefined)
})

test('takes a plus sign in the time for itself, encoded or not', () => {
  const sent_query = uplink.sent_query.replace('%2B', '+')
  assert.notEqual(sent_query, uplink.sent_query)
  assert.equal(check({ ...uplink, sent_query }), undefined)
})

test('finds out what was changed', () => {
  for (const name of names) {
    const signed = readSigned(name)
    const [[kind, report] = ['', {}]] = Object.entries(signed.body)
    const changes: Partial<Signed>[] = [
      { as_key: '0'.repeat(32) },
      { body: { [kind]: { ...report, DevEUI: '00AA0000000000A1' } } },
      { body: { [kind]: { ...report, CustomerID: '1' } } },
      { sent_query: signed.sent_query.replace('LrnFPort=', 'LrnFPort=9') },
      { sent_query: signed.sent_query.replace(/Token=.*/, 'Token=') },
      { sent_query: signed.sent_query.replace(/Token=.*/, 'Token=%zz') },
    ]
    for (const change of changes) {
      assert.match(check({ ...signed, ...change }) ?? '', /Token/, JSON.stringify(change))
    }
  }
})

test('finds out a payload, a port and a counter that were changed', () => {
  const { DevEUI_uplink } = uplink.body
  for (const change of [{ payload_hex: '00' }, { FPort: 18 }, { FCntUp: 19 }]) {
    const body = { DevEUI_uplink: { ...DevEUI_uplink, ...change } }
    assert.match(check({ ...uplink, body }) ?? '', /another AS key/)
  }
})

test('misses the token of a message that has none', () => {
  for (const sent_query of ['', uplink.sent_query.replace(/&Token=.*/, '')]) {
    assert.match(check({ ...uplink, sent_query }) ?? '', /has no Token/)
  }
})

test('asks for no token of what IoT Flow sends, and checks one that comes with it', () => {
  const iotFlow = JSON.parse(readFileSync(new URL('iot-flow-uplink.json', examples), 'utf8'))
  assert.equal(check({ ...uplink, sent_query: '', body: iotFlow }), undefined)
  assert.match(check({ ...uplink, body: iotFlow }) ?? '', /another AS key/)
  const rejected = JSON.parse(readFileSync(new URL('downlink-rejected.json', examples), 'utf8'))
  assert.equal(check({ ...uplink, sent_query: '', body: rejected }), undefined)
})

test('signs a call over its query in the order of sending', () => {
  // Computed apart from this program: printf '%s' '<the text><the key>' | sha256sum
  const query = { DevEUI: '000000000F1D8693', FPort: '1', Payload: '00', AS_ID: 'app1.sample.com' }
  const key = '00112233445566778899AABBCCDDEEFF'
  assert.equal(
    signCall({ ...query, Time: '2016-01-11T14:28:00.333+02:00' }, key),
    '3c8fcb1836f495d44a694fe8f3de16f0713a13d61d325917b6eb9a9a2abb4c67',
  )
})

test('a member that is no text makes the token wrong, and nothing else', () => {
  const report = (uplink.body as { DevEUI_uplink: object }).DevEUI_uplink
  for (const DevEUI of [{ toString: '' }, [], null, true]) {
    const body = { DevEUI_uplink: { ...report, DevEUI } }
    assert.match(check({ ...uplink, body }) ?? '', /another AS key/)
  }
})
