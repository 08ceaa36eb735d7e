import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { endpointsFor, type RouteLine, routesOf } from './endpoint.ts'
import { withExamples } from './examples.ts'
import { requiredText } from './fields.ts'
import { type Operation, openApiDocument } from './openapi.ts'
import { type Components, exampleOf, writeSchema } from './openapi-schemas.ts'
import { lite, paginated } from './pages.ts'

const { endpoint } = endpointsFor<undefined>()
const nothing = async () => undefined as never

const lamp = z
  .object(
    withExamples(
      { id: z.int(), name: z.string(), note: z.string().nullable() },
      { id: 7, name: 'Hall', note: null },
    ),
  )
  .meta({ id: 'Lamp' })

/** The example of a schema as a client sends or gets it. */
function compose(schema: z.ZodType, io: 'input' | 'output' = 'output') {
  const components: Components = new Map()
  return exampleOf(writeSchema(schema, io, components), components)
}

test('a record shows the examples of its fields, wherever it stands', () => {
  const shown = { id: 7, name: 'Hall', note: null }
  assert.deepEqual(compose(lamp), shown)
  assert.deepEqual(compose(z.object({ data: z.array(lamp) })), { data: [shown] })
  assert.deepEqual(compose(z.object({ ...lamp.shape, lit: z.literal(true) })), {
    ...shown,
    lit: true,
  })
})

test('a field keeps its example through what is checked and changed afterwards', () => {
  const body = z.object(
    withExamples(
      {
        word: requiredText('word')
          .transform((text) => text.toLowerCase())
          .pipe(z.enum(['on', 'off'])),
        rooms: z
          .array(z.int())
          .transform((ids) => [...new Set(ids)])
          .nullish(),
      },
      { word: 'Off', rooms: [1, 2] },
    ),
  )
  assert.deepEqual(compose(body, 'input'), { word: 'Off', rooms: [1, 2] })
})

test('words and constants need no example, optional members without one are left out', () => {
  const body = z.object({
    kind: z.enum(['bulb', 'tube']),
    fixed: z.literal(true),
    note: z.string().optional(),
    room: z.string().nullish(),
    gone: z.null(),
  })
  assert.deepEqual(compose(body, 'input'), { kind: 'bulb', fixed: true, gone: null })
})

test('there is no example where a required member has none', () => {
  assert.equal(compose(z.object({ id: z.int() })), undefined)
  assert.equal(compose(z.object({ data: z.array(z.object({ id: z.int() })) })), undefined)
})

const address = 'https://lamps.example.test/v1/rooms/hall/lamps'
const listLamps = endpoint({
  summary: 'List lamps',
  params: z.object(withExamples({ room_id: z.string() }, { room_id: 'hall' })),
  query: z.object({ search: z.string().default('') }),
  answer: z.union([paginated(lamp), lite(lamp)]),
  handle: nothing,
})
const addLamp = endpoint({
  summary: 'Add a lamp',
  params: listLamps.params as z.ZodType<{ room_id: string }>,
  body: z.object(withExamples({ name: z.string() }, { name: 'Hall' })),
  examples: [{ name: 'unnamed', body: { name: '' } }],
  answer: z.object({ data: lamp }),
  handle: nothing,
})

function describe(line: RouteLine<undefined>): Operation {
  const document = openApiDocument(routesOf('Lamps', [line]), {
    publicUrl: 'https://lamps.example.test',
    basePath: '/v1',
    version: '1.2.3',
  })
  const operation = Object.values(document.paths)[0]?.[line[0].toLowerCase()]
  assert.ok(operation)
  return operation
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into the document freely
function contentOf(part: any) {
  return part.content['application/json']
}

test('each form of an answer has an example, a list as its own address gives it', () => {
  const { examples } = contentOf(
    describe(['GET', '/rooms/:room_id/lamps', 'signed-in', 'all', 'listLamps', listLamps])
      .responses[200],
  )
  assert.deepEqual(Object.keys(examples), ['paginated', 'lite'])
  assert.deepEqual(examples.lite.value, {
    data: [{ id: 7, name: 'Hall', note: null }],
    more: false,
  })
  const { links, meta, payload } = examples.paginated.value
  assert.deepEqual(links, {
    first: `${address}?page=1`,
    last: `${address}?page=1`,
    prev: null,
    next: null,
  })
  assert.deepEqual([meta.path, meta.total, payload], [address, 1, { search: '' }])
})

test('examples of the endpoint come before those that are put together', () => {
  const operation = describe([
    'POST',
    '/rooms/:room_id/lamps',
    'signed-in',
    'all',
    'addLamp',
    addLamp,
  ])
  assert.deepEqual(contentOf(operation.requestBody).examples, { unnamed: { value: { name: '' } } })
  const { examples } = contentOf(operation.responses[200])
  assert.deepEqual(examples.example.value, { data: { id: 7, name: 'Hall', note: null } })
})
