import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type NetworkMessage, NotOurMessage } from './network-message.ts'

/**
 * Reads what can be made from a folder's messages by replacing up to four of their members: each
 * must be a message or a `NotOurMessage`.
 */
export function readMutations(examples: URL, read: (body: unknown) => NetworkMessage[]): void {
  const names = readdirSync(examples).filter((name) => name.endsWith('.json'))
  assert.ok(names.length > 0)
  const bodies = names.map((name) => JSON.parse(readFileSync(new URL(name, examples), 'utf8')))
  const value = fc.oneof(fc.jsonValue(), fc.string(), fc.integer(), fc.constant(undefined))
  const changes = fc.array(fc.record({ at: fc.nat(), value }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...bodies), changes, (body, list) => {
      const changed = list.reduce((whole, { at, value }) => changeMember(whole, at, value), body)
      try {
        for (const { kind } of read(changed)) assert.equal(typeof kind, 'string')
      } catch (error) {
        assert.ok(error instanceof NotOurMessage, String(error))
      }
    }),
    { numRuns: 2000 },
  )
}

/** A copy with one member, anywhere inside, replaced. */
function changeMember(body: unknown, at: number, value: unknown): unknown {
  const copy: unknown = structuredClone(body)
  const members: [Record<string, unknown>, string][] = []
  const collect = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const name of Object.keys(node)) {
      members.push([node as Record<string, unknown>, name])
      collect((node as Record<string, unknown>)[name])
    }
  }
  collect(copy)
  const member = members[at % Math.max(members.length, 1)]
  if (member) member[0][member[1]] = value
  return copy
}
