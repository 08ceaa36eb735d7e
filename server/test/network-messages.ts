import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import {
  type CallbackRequest,
  type NetworkMessage,
  NotOurMessage,
  type Uplink,
} from '../src/networks/network-message.ts'
import { readNoting } from '../src/networks/uplink.ts'
import { fc } from './properties.ts'

type Json = Record<string, unknown>

/** Makes a request for tests that need only the body. */
export function requestOf(body: unknown): CallbackRequest {
  return {
    path: '',
    query: {},
    sentQuery: '',
    headers: {},
    body,
    receivedAt: '2026-03-01T12:00:00.000000Z',
  }
}

/** Reads the messages in a network's `examples/`, by file name without `.json`. */
export function readExamples(folder: URL): Map<string, Json> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map(
    names.map((name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
    ]),
  )
}

/** Returns a function that finds an example by its name. */
export function openExamples<Example = Json>(folder: URL): (name: string) => Example {
  const examples = readExamples(folder)
  return (name) => {
    const example = examples.get(name)
    assert.ok(example, name)
    return structuredClone(example) as Example
  }
}

/**
 * Returns an assertion that `read` refuses a body as no message of the network, for this reason.
 */
export function refuserOf<Rest extends unknown[]>(read: (body: unknown, ...rest: Rest) => unknown) {
  return (body: unknown, reason: RegExp, ...rest: Rest) =>
    assert.throws(
      () => read(body, ...rest),
      (error) => error instanceof NotOurMessage && reason.test(error.message),
    )
}

/**
 * Asserts that a message with a side value that cannot be used is read to an uplink, and that only
 * this member was left out.
 */
export function leavesOut(member: string, read: () => NetworkMessage[]): Uplink {
  const [first] = readNoting(read)
  assert.equal(first?.kind, 'uplink', member)
  const unread = new Set(first.unread?.map((noted) => noted.member))
  assert.deepEqual([...unread], [member], JSON.stringify(first.unread))
  return first
}

const kinds: ReadonlySet<string> = new Set<NetworkMessage['kind']>([
  'uplink',
  'join',
  'status',
  'log',
  'downlink',
  'downlink_request',
  'confirmation',
  'nothing',
])

/**
 * Reads random changes of the messages. The result must be messages or a `NotOurMessage`, and no
 * other error.
 */
export function checkMutations(
  bodies: readonly Json[],
  read: (request: CallbackRequest) => NetworkMessage[],
) {
  assert.ok(bodies.length > 0)
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    fc.integer(),
    // Values that cannot become a text.
    fc.constantFrom(undefined, { toString: '', valueOf: '' }),
  )
  const changes = fc.array(fc.record({ at: fc.nat(), value }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...bodies), changes, (body, list) => {
      const changed = list.reduce((whole, { at, value }) => changeMember(whole, at, value), body)
      try {
        const messages = read(requestOf(changed))
        for (const { kind } of messages) assert.ok(kinds.has(kind), kind)
      } catch (error) {
        assert.ok(error instanceof NotOurMessage, String(error))
      }
    }),
    { numRuns: 2000 },
  )
}

/** Returns a copy in which one member, at any depth, is replaced. */
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
