import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { NotOurMessage } from '../network-message.ts'
import { readMessages } from './messages.ts'

type Json = Record<string, unknown>

const examples = new URL('./examples/', import.meta.url)

test('reads anything made from its messages to a message or a NotOurMessage', () => {
  const names = readdirSync(examples).filter((name) => name.endsWith('.json'))
  assert.ok(names.length >= 2)
  const bodies: Json[] = names.map((name) =>
    JSON.parse(readFileSync(new URL(name, examples), 'utf8')),
  )
  bodies.push({ ...bodies[0], ismBand: 'US915', datarate: 3 })
  const value = fc.oneof(fc.jsonValue(), fc.string(), fc.integer(), fc.constant(undefined))
  const changes = fc.array(fc.record({ at: fc.nat(), value }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...bodies), changes, (body, list) => {
      const changed = list.reduce((whole, { at, value }) => changeMember(whole, at, value), body)
      try {
        for (const { kind } of readMessages(changed)) {
          assert.match(kind, /^(uplink|downlink|nothing)$/)
        }
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
