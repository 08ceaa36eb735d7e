import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { JsonSchema, Parameter } from '../src/http/openapi-schemas.ts'
import { findBreaks } from './api-changes.ts'

interface Parts {
  operation?: Partial<Operation>
  parameters?: Parameter[]
  body?: JsonSchema
  answer?: JsonSchema
  schemas?: Record<string, JsonSchema>
}

const text = { type: 'string' }
const parameters: Parameter[] = [{ name: 'search', in: 'query', schema: text }]
const lamp = {
  type: 'object',
  properties: { id: { type: 'integer' }, state: { type: 'string', enum: ['on', 'off'] } },
  required: ['id', 'state'],
}

/** A document with one operation, whose body and answer hold a lamp that may have lamps below it. */
function write(parts: Parts = {}): OpenApiDocument {
  const { operation, body = lamp, answer = { $ref: '#/components/schemas/Lamp' }, schemas } = parts
  const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })
  const light: Operation = {
    operationId: 'lightLamp',
    tags: ['Lamps'],
    summary: 'Light a lamp',
    description: '',
    security: [{ token: [] }],
    parameters: parts.parameters ?? parameters,
    requestBody: json(body),
    responses: { 200: json(answer) },
    ...operation,
  }
  const below = { type: 'array', items: { $ref: '#/components/schemas/Lamp' } }
  const known = { ...lamp, properties: { ...lamp.properties, below } }
  return {
    openapi: '3.1.1',
    info: {},
    servers: [],
    tags: [],
    paths: { '/lamps': { post: light } },
    components: { schemas: { Lamp: known, ...schemas } },
  }
}

function lampWith(properties: Record<string, JsonSchema>, required = lamp.required): JsonSchema {
  return { type: 'object', properties: { ...lamp.properties, ...properties }, required }
}

function breaksOf(after: Parts, before?: Parts): string[] {
  return findBreaks(write(before), write(after))
}

const additions: readonly [string, Parts][] = [
  ['nothing', {}],
  [
    'an optional parameter',
    { parameters: [...parameters, { ...parameters[0], name: 'n' } as Parameter] },
  ],
  ['an optional member of the body', { body: lampWith({ name: text }) }],
  ['another type that is taken', { body: lampWith({ id: { type: ['integer', 'null'] } }) }],
  ['a number in place of an integer', { body: lampWith({ id: { type: 'number' } }) }],
  ['another word that is taken', { body: lampWith({ state: { enum: ['on', 'off', 'dim'] } }) }],
  [
    'a member of the answer',
    { schemas: { Lamp: lampWith({ below: { type: 'array' }, name: text }) } },
  ],
  [
    'another word of an answer',
    { answer: lampWith({ below: { type: 'array' }, state: { enum: ['on', 'off', 'dim'] } }) },
  ],
]
for (const [name, after] of additions) {
  test(`adds without a break: ${name}`, () => {
    const isExpanded = name.includes('answer')
    const before = { answer: lampWith(isExpanded ? { below: { type: 'array' } } : {}) }
    assert.deepEqual(breaksOf({ ...before, ...after }, before), [])
  })
}

const breaks: readonly [string, Parts][] = [
  ['it is named light instead of lightLamp', { operation: { operationId: 'light' } }],
  ['it is not called with token any more', { operation: { security: [{ cookie: [] }] } }],
  ['the query parameter search is gone', { parameters: [] }],
  [
    'the query parameter search is required now',
    { parameters: [{ name: 'search', in: 'query', schema: text, required: true }] },
  ],
  [
    'the query parameter search is no longer taken as string',
    { parameters: [{ name: 'search', in: 'query', schema: { type: 'integer' } }] },
  ],
  [
    'the body.state is gone',
    { body: { ...lamp, properties: { id: lamp.properties.id }, required: ['id'] } },
  ],
  ['the body.name is required now', { body: lampWith({ name: text }, ['id', 'state', 'name']) }],
  ['the value off of the body.state is gone', { body: lampWith({ state: { enum: ['on'] } }) }],
  ['the body.id is no longer taken as integer', { body: lampWith({ id: text }) }],
  [
    'the body.id has maximum 5 now, before none',
    { body: lampWith({ id: { type: 'integer', maximum: 5 } }) },
  ],
  ['the answer 200 is gone', { operation: { responses: { 204: {} } } }],
  ['the answer 200.below is gone', { answer: lamp }],
  [
    'the answer 200.id may be null now',
    {
      schemas: { Lamp: lampWith({ below: { type: 'array' }, id: { type: ['integer', 'null'] } }) },
    },
  ],
  [
    'the answer 200.state may be absent now',
    { schemas: { Lamp: lampWith({ below: { type: 'array' } }, ['id']) } },
  ],
  [
    'the value on of the answer 200.state is gone',
    { answer: { anyOf: [lampWith({ below: { type: 'array' }, state: { const: 'off' } })] } },
  ],
]
for (const [sentence, after] of breaks) {
  test(`names the break: ${sentence}`, () => {
    assert.deepEqual(breaksOf(after), [`POST /lamps: ${sentence}`])
  })
}

test('names an operation that is gone, and follows schemas that hold themselves', () => {
  assert.deepEqual(findBreaks(write(), { ...write(), paths: {} }), [
    'POST /lamps: the operation is gone',
  ])
  const below = { type: 'array', items: { $ref: '#/components/schemas/Lamp' } }
  const further = lampWith({ below, id: text })
  assert.deepEqual(breaksOf({ schemas: { Lamp: further } }), [
    'POST /lamps: the answer 200.id may be string now',
  ])
})
