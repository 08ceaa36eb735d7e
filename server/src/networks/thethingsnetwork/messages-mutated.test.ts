import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { NotOurMessage } from '../network-message.ts'
import { readMessage } from './messages.ts'

type Json = Record<string, unknown>

const examples = new URL('./examples/', import.meta.url)

test('reads anything made from its messages to a message or a NotOurMessage', () => {
  const names = readdirSync(examples).filter((name) => name.endsWith('.json'))
  assert.ok(names.length >= 7)
  const bodies: Json[] = names.map((name) =>
    JSON.parse(readFileSync(new URL(name, examples), 'utf8')),
  )
  const { end_device_ids } = bodies[0] ?? {}
  const location = { latitude: 1, longitude: 2 }
  bodies.push({ end_device_ids, location_solved: { service: 'x', location } })
  bodies.push({ end_device_ids, downlink_queue_invalidated: { last_f_cnt_down: 1 } })
  const value = fc.oneof(fc.jsonValue(), fc.string(), fc.integer(), fc.constant(undefined))
  const changes = fc.array(fc.record({ at: fc.nat(), value }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...bodies), changes, (body, list) => {
      const changed = list.reduce((whole, { at, value }) => changeMember(whole, at, value), body)
      try {
        const { kind } = readMessage({ body: changed, receivedAt: '2020-02-20T00:00:00.000000Z' })
        assert.match(kind, /^(uplink|join|log|downlink|nothing)$/)
      } catch (error) {
        assert.ok(error instanceof NotOurMessage, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})

/** A copy with one member, anywhere inside, replaced. */
function changeMember(body: Json, at: number, value: unknown): Json {
  const copy: Json = structuredClone(body)
  const members: [Json, string][] = []
  const collect = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const name of Object.keys(node)) {
      members.push([node as Json, name])
      collect((node as Json)[name])
    }
  }
  collect(copy)
  const member = members[at % Math.max(members.length, 1)]
  if (member) member[0][member[1]] = value
  return copy
}
