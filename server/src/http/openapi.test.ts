import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { endpointsFor, type Route, routesOf } from './endpoint.ts'
import { hexadecimal, pageQuery, queryChoice, requiredText } from './fields.ts'
import { openApiDocument } from './openapi.ts'
import { lite } from './pages.ts'

const { endpoint, openEndpoint, messageEndpoint } = endpointsFor<undefined>()

const lamp = z.object({ id: z.int(), name: z.string() }).meta({ id: 'Lamp' })
const nothing = async () => undefined as never

const listLamps = endpoint({
  summary: 'List lamps',
  query: z.object({ ...pageQuery, room: queryChoice('room', ['hall', 'attic']) }),
  answer: lite(lamp),
  handle: nothing,
})
const addLamp = endpoint({
  summary: 'Add a lamp',
  description: 'It is dark until it is lit.',
  examples: [
    {
      name: 'plain',
      body: { name: 'Ada', eui: '00AA000000000001' },
      answer: { id: 1, name: 'Ada' },
    },
  ],
  body: z.object({
    name: requiredText('name'),
    eui: hexadecimal('EUI', 16),
    note: z.string().nullish(),
  }),
  answer: lamp,
  status: 201,
  failures: [409],
  handle: nothing,
})
const dimLamp = endpoint({
  summary: 'Dim a lamp',
  params: z.object({ lamp_id: z.string() }),
  examples: [{ name: 'half', params: { lamp_id: '7' }, body: { level: 50 } }],
  body: z.object({ level: z.int().optional() }),
  status: 204,
  handle: nothing,
})
const exportLamps = endpoint({
  summary: 'Lamps as CSV',
  produces: { type: 'text/csv; charset=utf-8', fileName: 'lamps.csv', example: 'name\r\nAda\r\n' },
  handle: nothing,
})
const enter = openEndpoint({
  summary: 'Enter',
  body: z.object({ word: z.string() }),
  answer: z.object({ token: z.string() }),
  failures: [401, 429],
  handle: nothing,
})
const renew = openEndpoint({
  summary: 'Renew',
  answer: z.object({ token: z.string() }),
  handle: nothing,
})
const hear = messageEndpoint({
  summary: 'Hear',
  bodyLimit: 1000,
  userOf: async () => undefined,
  security: { name: 'secret', description: '', scheme: { type: 'http', scheme: 'bearer' } },
  answer: z.object({}),
  failures: [400],
  handle: nothing,
})

const routes = [
  ...routesOf<undefined>('Lamps', [
    ['GET', '/lamps', 'signed-in', 'all', 'getLamps', listLamps],
    ['POST', '/lamps', 'manage_devices', 'all', 'postLamps', addLamp],
    ['PATCH', '/lamps/:lamp_id', 'manage_devices', 'all', 'dimLamp', dimLamp],
    ['POST', '/lamps/all/export', 'signed-in', 'all', 'exportLamps', exportLamps],
  ]),
  ...routesOf<undefined>('Door', [
    ['POST', '/enter', 'public', '-', 'enter', enter],
    ['GET', '/renew', 'refresh', '-', 'renew', renew],
    ['POST', '/hear', 'public', '-', 'hear', hear],
  ]),
]

function write(table: readonly Route<undefined>[] = routes, enumerations = {}) {
  return openApiDocument(table, {
    publicUrl: 'https://lamps.example.test',
    basePath: '/v1',
    version: '1.2.3',
    enumerations,
  })
}

function failuresOf(path: string, method: string): string[] {
  return Object.keys(write().paths[path]?.[method]?.responses ?? {}).filter((each) => each >= '400')
}

test('names the version, the server and the sections in the order of the table', () => {
  const { openapi, info, servers, tags } = write()
  assert.equal(openapi, '3.1.1')
  assert.equal(info.version, '1.2.3')
  assert.deepEqual(servers, [{ url: 'https://lamps.example.test/v1' }])
  assert.deepEqual(tags, [{ name: 'Lamps' }, { name: 'Door' }])
})

test('describes a list: header, query parameters as they are sent, and the records by name', () => {
  assert.deepEqual(write().paths['/lamps']?.get, {
    operationId: 'getLamps',
    tags: ['Lamps'],
    summary: 'List lamps',
    description: 'Any member of the organization may call it.',
    security: [{ token: [] }, { cookie: [], console: [] }],
    parameters: [
      { $ref: '#/components/parameters/OrganizationId' },
      {
        name: 'page',
        in: 'query',
        schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647, default: 1 },
      },
      {
        name: 'itemsPerPage',
        in: 'query',
        schema: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
      },
      {
        name: 'room',
        in: 'query',
        schema: { type: 'string', enum: ['hall', 'attic'] },
        required: true,
      },
    ],
    responses: {
      200: {
        description: 'Done.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                data: { type: 'array', items: { $ref: '#/components/schemas/Lamp' } },
                more: { type: 'boolean', examples: [false] },
              },
              required: ['data', 'more'],
            },
          },
        },
      },
      400: { $ref: '#/components/responses/BadRequest' },
      401: { $ref: '#/components/responses/Unauthenticated' },
      403: { $ref: '#/components/responses/Forbidden' },
      422: { $ref: '#/components/responses/Invalid' },
      429: { $ref: '#/components/responses/TooManyRequests' },
      503: { $ref: '#/components/responses/Unavailable' },
    },
  })
  assert.deepEqual(write().components.schemas?.Lamp, {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    required: ['id', 'name'],
  })
})

test('describes a body with its name, limits, examples and the permission', () => {
  const { paths, components } = write()
  const operation = paths['/lamps']?.post
  assert.equal(
    operation?.description,
    'It is dark until it is lit.\n\nNeeds the permission `manage_devices`.',
  )
  assert.deepEqual(operation?.requestBody, {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/PostLampsRequest' },
        examples: { plain: { value: { name: 'Ada', eui: '00AA000000000001' } } },
      },
    },
  })
  assert.deepEqual(components.schemas?.PostLampsRequest, {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 255 },
      eui: { type: 'string', minLength: 16, maxLength: 16, pattern: '^[0-9a-fA-F]*$' },
      note: { type: ['string', 'null'] },
    },
    required: ['name', 'eui'],
  })
  assert.deepEqual(operation?.responses[201], {
    description: 'Created.',
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Lamp',
          properties: {
            warnings: {
              type: 'array',
              items: { type: 'string' },
              description:
                'What was taken in another way than sent, such as unknown members of the body.',
            },
          },
        },
        examples: { plain: { value: { id: 1, name: 'Ada' } } },
      },
    },
  })
})

test('declares path parameters, and requires no body whose members are all optional', () => {
  const operation = write().paths['/lamps/{lamp_id}']?.patch
  assert.equal(operation?.operationId, 'dimLamp')
  assert.deepEqual(operation?.parameters?.[1], {
    name: 'lamp_id',
    in: 'path',
    schema: { type: 'string', minLength: 1 },
    example: '7',
    required: true,
  })
  assert.equal(operation?.requestBody?.required, undefined)
  assert.deepEqual(operation?.responses[204], { description: 'Done; the answer is empty.' })
})

test('describes CSV as text', () => {
  assert.deepEqual(write().paths['/lamps/all/export']?.post?.responses[200], {
    description: 'A file.',
    content: { 'text/csv': { schema: { type: 'string' }, example: 'name\r\nAda\r\n' } },
  })
})

test('asks for no token where none is needed, and for no organization outside of one', () => {
  const { paths } = write()
  assert.deepEqual(paths['/enter']?.post?.security, [])
  assert.equal(paths['/enter']?.post?.parameters, undefined)
  assert.deepEqual(paths['/renew']?.get?.security, [{ token: [] }, { cookie: [], console: [] }])
  assert.equal(paths['/renew']?.get?.parameters, undefined)
})

test('takes any JSON object or array where the body is read as bytes', () => {
  assert.deepEqual(write().paths['/hear']?.post?.requestBody, {
    required: true,
    content: {
      'application/json': { schema: { description: 'A message as the network sends it.' } },
    },
  })
})

const failures: readonly [string, string, string][] = [
  ['/lamps', 'get', '400 401 403 422 429 503'],
  ['/lamps', 'post', '400 401 403 408 409 413 415 422 429 503'],
  ['/lamps/{lamp_id}', 'patch', '400 401 403 404 408 413 415 422 429 503'],
  ['/lamps/all/export', 'post', '400 401 403 408 413 415 422 429 503'],
  ['/enter', 'post', '400 401 408 413 415 422 429 503'],
  ['/renew', 'get', '401 429 503'],
  ['/hear', 'post', '400 408 413 503'],
]
for (const [path, method, expected] of failures) {
  test(`lists the failures of ${method} ${path}`, () => {
    assert.equal(failuresOf(path, method).join(' '), expected)
  })
}

test('gives the two shapes of a failure, and when to try again', () => {
  const { schemas, responses } = write().components
  assert.deepEqual(Object.keys(schemas ?? {}).slice(0, 2), ['Error', 'ValidationError'])
  const headersOf = (name: string) => {
    const response = responses?.[name] as { headers?: Record<string, unknown> } | undefined
    return Object.keys(response?.headers ?? {})
  }
  assert.deepEqual(headersOf('TooManyRequests'), ['Retry-After', 'RateLimit'])
  assert.deepEqual(headersOf('Unavailable'), ['Retry-After'])
})

test('reads words that are taken in any case as their choices, and names them', () => {
  const word = requiredText('action')
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['on', 'off']))
  const lampSwitch = endpoint({ summary: 'Switch', body: z.object({ word }), handle: nothing })
  const { paths, components } = write(
    routesOf('Lamps', [['POST', '/lamps', 'signed-in', 'all', 'switchLamp', lampSwitch]]),
    { Switch: ['off', 'on'] },
  )
  assert.equal(paths['/lamps']?.post?.operationId, 'switchLamp')
  assert.deepEqual(paths['/lamps']?.post?.requestBody?.content, {
    'application/json': {
      schema: { $ref: '#/components/schemas/SwitchLampRequest' },
      examples: { example: { value: { word: 'on' } } },
    },
  })
  assert.deepEqual(components.schemas?.SwitchLampRequest, {
    type: 'object',
    properties: { word: { $ref: '#/components/schemas/Switch' } },
    required: ['word'],
  })
  assert.deepEqual(components.schemas?.Switch, { type: 'string', enum: ['off', 'on'] })
})

test('refuses a parameter that the URL does not have, and two schemas of one name', () => {
  assert.throws(
    () => write(routesOf('Lamps', [['PATCH', '/lamps/:id', 'signed-in', 'all', 'dim', dimLamp]])),
    /lamp_id/,
  )
  const other = z.object({ other: z.string() }).meta({ id: 'Error' })
  assert.throws(() => write(clashing(z.object({ other }))), /id Error/)
})

function clashing(answer: z.ZodType) {
  const clash = endpoint({ summary: 'Clash', answer, handle: nothing })
  return routesOf<undefined>('Lamps', [['GET', '/clash', 'signed-in', 'all', 'clash', clash]])
}

const otherNames: readonly (readonly [string, RegExp])[] = [
  ['NewLamp', /NewLamp of the schema Lamp: rename the schema NewLamp/],
  ['NewLampWithDefaults', /of the schema Lamp/],
  ['NullableLamp', /of the schema Lamp/],
  ['new_nullable_lamp', /of the schema Lamp/],
  ['AllowedLampEnumValues', /of the schema Lamp/],
  ['LampFromJSON', /of the schema Lamp/],
  ['ApiGetLampsRequest', /of the operation getLamps/],
  ['GetLampsResponse', /of the operation getLamps/],
  ['NewGetLampsRequest', /of the operation getLamps/],
  ['Configuration', /in every client/],
  ['NullableString', /in every client/],
  ['LAMP', /one name of \w+ and \w+/],
]
for (const [id, message] of otherNames) {
  test(`refuses a schema ${id} beside Lamp, for clients that are generated`, () => {
    const other = z.object({ other: z.string() }).meta({ id })
    const clash = clashing(z.object({ other }))
    assert.throws(() => write([...routes, ...clash]), message)
  })
}

test('refuses two members of one name for clients that are generated', () => {
  const twins = z.object({ lampName: z.string(), lamp_name: z.string() })
  assert.throws(() => write(clashing(twins)), /lampName and lamp_name/)
})
