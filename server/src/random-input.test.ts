import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { routes } from './routes.ts'
import { createWorld } from './test-requests.ts'
import { ownerEmail, ownerPassword, startTestService } from './test-service.ts'

/** Whatever is sent, no route answers with a fault of its own. */

const service = await startTestService({ after }, { loginRateLimit: 1000 })
const { requests } = await createWorld(service)
const runsPerRoute = 40

const odd = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '🚪\udc00',
  '%00',
  '%',
  "'",
  '\\',
  '-1',
  '0',
  '1e9',
  '2147483648',
  '9223372036854775808',
  '__proto__',
  'null',
  '🚪'.repeat(200),
  'x'.repeat(5000),
)
const text = fc.oneof(odd, fc.string({ unit: 'binary' }), fc.string())
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(-1, 0, 0.5, 2 ** 31, 2 ** 53, 1e300),
)
const json = fc.oneof(
  { weight: 3, arbitrary: text },
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A body that is right but for some of its members; or any JSON at all. */
function bodyOf(valid: Record<string, unknown> | undefined) {
  const members = Object.keys(valid ?? { any: 1 })
  const changes = fc.dictionary(fc.constantFrom(...members), json, { maxKeys: 2 })
  const left = fc.subarray(members)
  return fc.oneof(
    { weight: 4, arbitrary: changes.map((changed) => ({ ...valid, ...changed })) },
    fc.tuple(left, changes).map(([names, changed]) => {
      const kept = Object.entries(valid ?? {}).filter(([name]) => names.includes(name))
      return { ...Object.fromEntries(kept), ...changed }
    }),
    json,
  )
}

const queryNames = [
  'page',
  'itemsPerPage',
  'search',
  'sortOrder',
  'sortBy',
  'scope',
  'version',
  'network',
  'organization',
  'register_method',
  'event',
  'keys',
  'from',
  'to',
  'points',
]
const encoded = text.map((value) => encodeURIComponent(value.toWellFormed()))
/** As a careless client writes it; what a request line cannot hold is left out. */
const unencoded = odd.map((value) => value.replaceAll(/[^\x21-\x7e]|#/g, ''))
const query = fc
  .array(fc.tuple(fc.constantFrom(...queryNames), fc.oneof(encoded, unencoded)), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

for (const [method, url] of routes) {
  const name = `${method} ${url}`
  test(`${name} never fails, whatever is sent`, async () => {
    const valid = requests[name]
    assert.ok(valid, 'a route without a request')
    const { path: right, headers } = (await valid.prepare?.()) ?? { ...valid, headers: {} }
    const ends = url === '/logout' || url === '/auth/refresh-token'
    const as = ends ? await service.logIn(ownerEmail, ownerPassword, 1) : service.owner
    const parameter = fc.oneof(
      encoded.filter((value) => value !== ''),
      fc.integer().map(String),
    )
    const path = fc.oneof(
      fc.constant(right),
      fc.array(parameter, { minLength: 3, maxLength: 3 }).map((values) => {
        let next = 0
        return url.replaceAll(/:\w+/g, () => values[next++] ?? 'x')
      }),
    )
    const request = fc.record({ path, query, body: bodyOf(valid.body) })
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query, body }) => {
        const hasBody = method !== 'GET'
        const separator = path.includes('?') ? '&' : '?'
        const answer = await service.call(method, `/v1${path}${separator}${query}`, {
          as,
          headers: { ...headers, 'content-type': 'application/json' },
          ...(hasBody && { body: JSON.stringify(body) }),
        })
        assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
        if (answer.status >= 400) assert.equal(typeof answer.body.message, 'string')
      }),
      { numRuns: runsPerRoute },
    )
  })
}
