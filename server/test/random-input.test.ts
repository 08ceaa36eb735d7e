import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import { createSchemaCheck, type Described, resolveReference } from './openapi.ts'
import { fc, seed } from './properties.ts'
import { type RandomRequest, requestsOf } from './random-requests.ts'
import { type Answer, createRandomWorld, examplePlan } from './random-world.ts'
import { startTestService } from './service.ts'

/**
 * For any request, every operation of the OpenAPI document answers as the document describes.
 * `RANDOM_REQUESTS` sets the number of requests; `RANDOM_SEED` makes other requests.
 */

const requestCount = Number(process.env.RANDOM_REQUESTS ?? 2000)

const service = await startTestService(
  { after },
  { loginRateLimit: 100_000, billingPlans: [examplePlan] },
)
const document = (await service.app.inject('/openapi.json')).json<OpenApiDocument>()
const world = await createRandomWorld(service, document)
const check = createSchemaCheck(document)

/** Operations that write come first. Then come those that read the written data. */
const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  .sort((one, other) => Number(one.method === 'get') - Number(other.method === 'get'))
const runsEach = Math.ceil(requestCount / operations.length)
console.log(`RANDOM_SEED=${seed} RANDOM_REQUESTS=${runsEach * operations.length}`)

/** With this many requests, one of them must succeed, unless these tests have a fault. */
const isFullRun = runsEach >= 150
/** Operations that succeed only with, or after, an authenticator's code. */
const needsCode = /^\/(verify-two-factor|complete-ver|disable-auth)/
/** Operations that succeed only with a network. No network answers here. */
const needsNetwork = /^post \/network-accounts\/\{network\}\/reconcile$/

/** How often each status occurred. */
const statuses = new Map<number, number>()

for (const [index, { path, method, operation }] of operations.entries()) {
  test(`${method.toUpperCase()} ${path} answers as documented, whatever is sent`, async (t) => {
    await world.restore(method, path)
    const own = new Map<number, number>()
    const requests = requestsOf(document, method, path, operation)
    const property = fc.asyncProperty(requests, async (request) => {
      const answer = await sendAndCheck(index, request)
      own.set(answer.status, (own.get(answer.status) ?? 0) + 1)
      const isChanged = answer.status === 201 || (answer.status === 204 && method === 'delete')
      if (isChanged) await world.restore(method, path)
    })
    await fc.assert(property, { seed: (seed + index) | 0, numRuns: runsEach })
    for (const [status, count] of own) statuses.set(status, (statuses.get(status) ?? 0) + count)
    const isAnySuccess = [...own.keys()].some((status) => status < 300)
    const isPossible = !needsCode.test(path) && !needsNetwork.test(`${method} ${path}`)
    assert.ok(isAnySuccess || !isFullRun || !isPossible, 'no request succeeded')
    t.diagnostic([...own].map(([status, count]) => `${count} × ${status}`).join(', '))
  })
}

test('requests succeeded, and were refused in every way', () => {
  const counts = Object.fromEntries(statuses)
  console.log(JSON.stringify(counts))
  assert.ok((counts[200] ?? 0) > requestCount / 10, 'hardly any request succeeded')
  for (const status of [400, 401, 403, 404, 415, 422]) {
    assert.ok((counts[status] ?? 0) > 0, `no request was answered with ${status}`)
  }
})

test('operations answer as documented when they come all at once', async () => {
  for (const { path, method } of operations) await world.restore(method, path)
  const numRuns = Math.ceil(runsEach / 10)
  const drawn = operations.map(({ path, method, operation }, index) =>
    fc
      .sample(requestsOf(document, method, path, operation), { seed: (seed + index) | 0, numRuns })
      .map((request) => ({ index, request })),
  )
  // Sends one request of each operation in turn, so that successive requests differ.
  const waiting = Array.from({ length: numRuns }, (_, run) =>
    drawn.flatMap((list) => list[run] ?? []),
  )
    .flat()
    .values()
  const sendNext = async () => {
    for (const { index, request } of waiting) await sendAndCheck(index, request)
  }
  await Promise.all(Array.from({ length: 16 }, sendNext))
})

async function sendAndCheck(index: number, request: RandomRequest): Promise<Answer> {
  const { path, method, operation } = operations[index] ?? assert.fail('no such operation')
  const answer = await world.send(method, path, request)
  const fault = faultOf(answer, operation)
  assert.equal(fault, '', `${method} ${path} ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer
}

/** Returns what is undocumented in an answer; empty if everything is documented. */
function faultOf({ status, headers, text }: Answer, operation: Operation): string {
  const given = operation.responses[status] as Described | undefined
  if (!given) return `the status ${status} is not documented`
  const { content = {}, headers: documented = {} } = resolveReference(document, given)
  // These tests set no rate limit, so there is no `RateLimit` header.
  const missing = Object.keys(documented).filter(
    (name) => name !== 'RateLimit' && headers[name.toLowerCase()] === undefined,
  )
  if (missing.length > 0) return `the header ${missing.join(', ')} is missing`
  const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  const described = content[type]
  if (!described) return text === '' && status === 204 ? '' : `the type ${type} is not documented`
  const value = type === 'application/json' ? JSON.parse(text) : text
  return check(described.schema, value)
}
