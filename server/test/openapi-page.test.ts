import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { validate } from '../src/http/fields.ts'
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { JsonSchema, Parameter } from '../src/http/openapi-schemas.ts'
import { serveReference } from '../src/reference/openapi-page.ts'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'
import { createSchemaCheck, type Described, examplesOf, resolveReference } from './openapi.ts'

const options = { publicUrl: 'https://lora.example.test/fleet', basePath: '/v1' }
const document = referenceDocument(routes, options)

let app: FastifyInstance
before(() => {
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  serveReference(app, routes, options)
})
after(() => app.close())

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Every value of a JSON document, with the path to it. */
function* walk(value: unknown, path = '#'): Generator<[string, unknown]> {
  yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, `${path}/${key}`)
}

test('holds every route of the table and nothing else', () => {
  const listed = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
  const table = routes.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
  assert.ok(table.length > 0)
  assert.deepEqual(listed.sort(), table.sort())
})

test('is JSON without holes, whose references all lead somewhere', () => {
  const known = new Set([...walk(document)].map(([path]) => path))
  const references = [...walk(document)].filter(([path]) => path.endsWith('/$ref'))
  assert.ok(references.length > 0)
  for (const [path, target] of references)
    assert.ok(known.has(String(target)), `${path}: ${target}`)
  for (const [path, value] of walk(document)) assert.notEqual(value, undefined, path)
})

test('gives every operation a name of its own', () => {
  const names = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z][A-Za-z0-9]+$/)
})

test('puts every operation in a listed section', () => {
  const sections = document.tags.map(({ name }) => name)
  for (const { operation } of operations) {
    assert.equal(operation.tags.length, 1)
    assert.ok(sections.includes(operation.tags[0] ?? ''))
  }
})

test('declares every path parameter, and no other', () => {
  for (const { path, operation } of operations) {
    const declared = (operation.parameters ?? []).flatMap((each) =>
      'in' in each && each.in === 'path' ? [`{${each.name}}`] : [],
    )
    assert.deepEqual(declared, path.match(/\{\w+\}/g) ?? [], path)
  }
})

test('says of every failure and success what it is', () => {
  for (const { path, operation } of operations) {
    const statuses = Object.keys(operation.responses)
    const successes = statuses.filter(
      (status) => status < '300' && !['202', '204'].includes(status),
    )
    const isOther = statuses.includes('204') || statuses.includes('202')
    assert.ok(successes.length === 1 || (successes.length === 0 && isOther), path)
    assert.ok(statuses.includes('503'), path)
    const isOpen = operation.security[0]?.token === undefined
    assert.ok(isOpen || (statuses.includes('401') && statuses.includes('429')), path)
  }
})

const check = createSchemaCheck(document)

/** Returns the operations whose `part` has no example, and the faults of the existing examples. */
function faultsOf(part: (operation: Operation) => Described | undefined): string[] {
  return operations.flatMap(({ path, method, operation }) =>
    Object.entries(part(operation)?.content ?? {}).flatMap(([type, content]) => {
      const name = `${method.toUpperCase()} ${path} ${type}`
      const examples = examplesOf(content)
      if (examples.length === 0) return [`${name}: none`]
      return examples
        .map(([title, value]) => [`${name}, ${title}`, check(content.schema, value)])
        .flatMap(([title, fault]) => (fault ? [`${title}: ${fault}`] : []))
    }),
  )
}

test('shows an example of every request body, true to its schema', () => {
  assert.deepEqual(
    faultsOf(({ requestBody }) => requestBody as Described),
    [],
  )
})

test('shows an example of every answer, of success and of failure, true to its schema', () => {
  const statuses = new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses)))
  assert.ok(statuses.size > 5)
  for (const status of statuses) {
    const answer = ({ responses }: Operation) => {
      const given = responses[status] as Described | undefined
      return given && resolveReference(document, given)
    }
    assert.deepEqual(faultsOf(answer), [], status)
  }
})

test('shows an example of every parameter that a request needs, true to its schema', () => {
  let count = 0
  for (const { path, operation } of operations) {
    for (const given of operation.parameters ?? []) {
      const parameter = resolveReference<Parameter>(document, given)
      const { name, schema, example, required } = parameter
      if (required) assert.notEqual(example, undefined, `${path}: ${name}`)
      if (example === undefined) continue
      count += 1
      assert.equal(check(schema, example), '', `${path}: ${name}`)
    }
  }
  assert.ok(count > 0)
})

test('shows examples of fields that are true to their schemas', () => {
  const shown = [...walk(document)].filter(
    ([path, value]) =>
      isSchema(value) && Array.isArray(value.examples) && !path.includes('/examples/'),
  ) as [string, JsonSchema & { examples: unknown[] }][]
  assert.ok(shown.length > 100)
  for (const [path, { examples, ...schema }] of shown) {
    for (const example of examples) assert.equal(check(schema, example), '', path)
  }
})

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

test('shows requests that the endpoints take', () => {
  let count = 0
  for (const { method, url, endpoint } of routes) {
    const { params, query, body } = endpoint
    const path = url.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[method.toLowerCase()]
    const examplesIn = (place: string) =>
      Object.fromEntries(
        (operation?.parameters ?? []).flatMap((each) =>
          'in' in each && each.in === place && each.example !== undefined
            ? [[each.name, String(each.example)]]
            : [],
        ),
      )
    const accept = () => {
      if (params) validate(params, examplesIn('path'))
      if (query) validate(query, examplesIn('query'))
      const content = Object.values((operation?.requestBody as Described)?.content ?? {})
      for (const [, value] of content.flatMap(examplesOf)) {
        if (body) validate(body, value)
        count += 1
      }
    }
    assert.doesNotThrow(accept, `${method} ${url}`)
  }
  assert.ok(count > 0)
})

test('serves the document, with and without a trailing slash, and its ETag', async () => {
  const first = await app.inject('/openapi.json')
  assert.equal(first.statusCode, 200)
  assert.equal(first.headers['content-type'], 'application/json; charset=utf-8')
  const served = first.json<OpenApiDocument>()
  assert.deepEqual(served.servers, [{ url: 'https://lora.example.test/fleet/v1' }])
  assert.deepEqual(served.paths, JSON.parse(JSON.stringify(document.paths)))
  assert.equal((await app.inject('/openapi.json/')).body, first.body)
  const headers = { 'if-none-match': `"other", ${first.headers.etag}` }
  const again = await app.inject({ url: '/openapi.json', headers })
  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')
})

test('serves a page that may load nothing from elsewhere', async () => {
  const page = await app.inject('/docs')
  assert.equal(page.statusCode, 200)
  assert.equal((await app.inject('/docs/')).body, page.body)
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'; script-src 'self';/)
  assert.doesNotMatch(policy, /http|\*|unsafe-eval/)
  assert.doesNotMatch(page.body, /https?:/)
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
  assert.deepEqual(addresses, ['data:,', '/fleet/openapi.json', '/fleet/docs/viewer.js'])
})

test('serves the script of the page, gzipped for those who take it', async () => {
  const headers = { 'accept-encoding': 'gzip, br' }
  const zipped = await app.inject({ url: '/docs/viewer.js', headers })
  assert.equal(zipped.statusCode, 200)
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  const plain = await app.inject('/docs/viewer.js')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.ok(plain.rawPayload.length > 0)
  assert.ok(gunzipSync(zipped.rawPayload).equals(plain.rawPayload))
  const known = { 'if-none-match': String(zipped.headers.etag) }
  assert.equal((await app.inject({ url: '/docs/viewer.js', headers: known })).statusCode, 304)
})
