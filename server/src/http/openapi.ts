import type { AnyEndpoint, Route } from './endpoint.ts'
import { takesIdempotencyKey } from './idempotency.ts'
import { checkNames } from './openapi-generators.ts'
import {
  type Enumerations,
  enumerationSchemas,
  nameAlternatives,
  nameBody,
  nameEnumerations,
} from './openapi-names.ts'
import {
  errorSchemas,
  failureReference,
  failureResponses,
  failuresOf,
  isRaw,
} from './openapi-responses.ts'
import {
  answerExamples,
  bodyExamples,
  type Components,
  type JsonSchema,
  type ListPlace,
  type Parameter,
  resolve,
  withWarnings,
  writeSchema,
} from './openapi-schemas.ts'
import { consoleHeader, sessionCookieName } from './session-cookie.ts'
import { mayWarn } from './unknown-members.ts'

/** The path parameters of a URL of the table (`/devices/:device_id`). */
function pathParameters<S>(url: string, endpoint: AnyEndpoint<S>, schemas: Components) {
  const properties = endpoint.params ? readMembers(endpoint.params, schemas).properties : {}
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const stray = Object.keys(properties).filter((name) => !names.includes(name))
  if (stray.length > 0) throw new Error(`${url} has no parameter ${stray.join(', ')}`)
  return names.map((name): Parameter => {
    const schema = properties[name] ?? { type: 'string' }
    const example = firstExample(endpoint, 'params', name)
    // An empty segment makes another URL.
    return { ...parameter(name, 'path', { minLength: 1, ...schema }, example), required: true }
  })
}

function queryParameters<S>(endpoint: AnyEndpoint<S>, schemas: Components): Parameter[] {
  if (!endpoint.query) return []
  const { properties, required } = readMembers(endpoint.query, schemas)
  return Object.entries(properties).map(([name, schema]) => ({
    ...parameter(name, 'query', schema, firstExample(endpoint, 'query', name)),
    ...(required.includes(name) ? { required: true as const } : {}),
  }))
}

function parameter(
  name: string,
  place: Parameter['in'],
  { description, examples, ...schema }: JsonSchema,
  given: string | undefined,
): Parameter {
  const example = given ?? (Array.isArray(examples) ? (examples[0] as string) : undefined)
  return {
    name,
    in: place,
    ...(typeof description === 'string' ? { description } : {}),
    schema,
    ...(example === undefined
      ? {}
      : { example: schema.type === 'integer' ? Number(example) : example }),
  }
}

function firstExample<S>(endpoint: AnyEndpoint<S>, part: 'params' | 'query', name: string) {
  return endpoint.examples?.find((example) => example[part]?.[name] !== undefined)?.[part]?.[name]
}

/** The members of an object schema, as sent. */
function readMembers(schema: Parameters<typeof writeSchema>[0], schemas: Components) {
  const written = writeSchema(schema, 'input', schemas)
  const { properties, required } =
    typeof written.$ref === 'string' ? resolve(written.$ref, schemas) : written
  return {
    properties: (properties ?? {}) as Record<string, JsonSchema>,
    required: (required ?? []) as string[],
  }
}

/** The ways to prove who calls, each enough by itself. */
function securityOf<S>({ access, endpoint }: Route<S>): Record<string, string[]>[] {
  const own = ownSecurity(endpoint)
  if (own) return [{ [own.name]: [] }]
  return access === 'public' ? [] : [{ token: [] }, { cookie: [], console: [] }]
}

function ownSecurity<S>(endpoint: AnyEndpoint<S>) {
  return endpoint.kind === 'message' ? endpoint.security : undefined
}

function securitySchemes<S>(
  routes: readonly Route<S>[],
  publicUrl: string,
): Record<string, unknown> {
  const own = routes.flatMap(({ endpoint }) => ownSecurity(endpoint) ?? [])
  const schemes = own.map(({ name, description, scheme }) => [name, { ...scheme, description }])
  return {
    token: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The token of a login, or an API key (`lfc_...`), which needs no `Organization`.',
    },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(publicUrl),
      description: 'The session of a browser (`POST /auth/session`). It needs `console` too.',
    },
    console: {
      type: 'apiKey',
      in: 'header',
      name: consoleHeader.name,
      description: `Always \`${consoleHeader.value}\`. Without it no cookie counts.`,
    },
    ...Object.fromEntries(schemes),
  }
}

/** The same in words. */
function whoMayCall<S>({ access, endpoint }: Route<S>): string {
  const own = ownSecurity(endpoint)
  if (own) return `Takes no user's token: ${own.description}`
  switch (access) {
    case 'public':
      return 'Takes no token.'
    case 'refresh':
      return 'Takes a token that can still be exchanged, expired or not.'
    case 'token':
      return 'Takes a valid token; no organization.'
    case 'signed-in':
      return 'Any member of the organization may call it.'
    default:
      return `Needs the permission \`${access}\`.`
  }
}

interface DocumentOptions {
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string
  /** `/v1`. */
  basePath: string
  /** Version of the service. */
  version: string
  enumerations?: Enumerations
}

interface Reference {
  $ref: string
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: true; content: Record<string, unknown> }
  responses: Record<string, unknown>
}

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

const about = `Devices, gateways and groups on LoRa networks, behind one API.

Log in with \`POST /auth/login\` and send the token it answers as \`Authorization: Bearer <token>\`,
with the id of the organization in the header \`Organization\`. A browser has a cookie instead of the
token (\`POST /auth/session\`). Bodies are JSON. A failure is answered with \`{ message }\`, wrong
fields with \`{ message, errors }\`; every answer has an \`X-Request-Id\` to ask about.

What no operation lists: 404 where there is nothing at an address, 405 with \`Allow\` for a method
that it does not take, 431 for more than 16 KiB of address and headers, and 500 with
\`{ message, request_id }\` for a fault of the service itself.`

/** The OpenAPI 3.1 document of a route table, made from the schemas that check the requests. */
export function openApiDocument<S>(
  routes: readonly Route<S>[],
  options: DocumentOptions,
): OpenApiDocument {
  const schemas: Components = new Map(Object.entries(errorSchemas))
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const operation = describe(route, options, schemas)
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  const sections = new Set(routes.map(({ section }) => section))
  const { enumerations = {} } = options
  const named = nameEnumerations({ paths, schemas: Object.fromEntries(schemas) }, enumerations)
  const all = { ...named.schemas, ...Object.fromEntries(enumerationSchemas(enumerations)) }
  checkNames(
    Object.keys(all),
    routes.map(({ operationId }) => operationId),
  )
  return {
    openapi: '3.1.1',
    info: { title: 'LoRa fleet API', version: options.version, description: about, license },
    servers: [{ url: options.publicUrl + options.basePath }],
    tags: [...sections].map((name) => ({ name })),
    paths: named.paths,
    components: {
      schemas: all,
      responses: failureResponses(),
      parameters: { OrganizationId: organizationHeader, IdempotencyKey: idempotencyKeyHeader },
      securitySchemes: securitySchemes(routes, options.publicUrl),
    },
  }
}

const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }

const organizationHeader = {
  name: 'Organization',
  in: 'header',
  description:
    'Id of the organization that the request is about. Required, except with an API key, which belongs to one organization.',
  schema: { type: 'integer', minimum: 1 },
  example: 1,
}

const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to send the request again: for 24 hours the first successful answer is repeated. Another body under the same key is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function describe<S>(
  route: Route<S>,
  { publicUrl, basePath }: DocumentOptions,
  schemas: Components,
): Operation {
  const { url, section, operationId: name, endpoint } = route
  const ofPath = pathParameters(url, endpoint, schemas)
  const ofQuery = queryParameters(endpoint, schemas)
  const parameters = [
    ...(endpoint.kind === 'member' ? [{ $ref: '#/components/parameters/OrganizationId' }] : []),
    ...(takesIdempotencyKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...ofPath,
    ...ofQuery,
  ]
  const requestBody = bodyOf(name, endpoint, schemas)
  const address =
    publicUrl + basePath + url.replace(/:(\w+)/g, (_, name) => exampleIn(ofPath, name))
  const place = { address, parameters: ofQuery }
  return {
    operationId: name,
    tags: [section],
    // A summary is plain text, a description is Markdown.
    summary: endpoint.summary.replaceAll('`', ''),
    description: [endpoint.description, whoMayCall(route)].filter(Boolean).join('\n\n'),
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [endpoint.status ?? 200]: successOf(route, name, schemas, place),
      ...(endpoint.accepted ? { 202: acceptedOf(route, name, schemas, place) } : {}),
      ...(endpoint.mayBeEmpty ? { 204: emptySuccess } : {}),
      ...(endpoint.produces?.type === 'image/*' ? { 304: notModified } : {}),
      ...Object.fromEntries(failuresOf(route).map((status) => [status, failureReference(status)])),
    },
  }
}

function exampleIn(parameters: readonly Parameter[], name: string): string {
  const example = parameters.find((parameter) => parameter.name === name)?.example
  return example === undefined ? `{${name}}` : String(example)
}

function bodyOf<S>(
  name: string,
  endpoint: AnyEndpoint<S>,
  schemas: Components,
): Operation['requestBody'] {
  if (isRaw(endpoint)) {
    const schema = { description: 'A message as the network sends it.' }
    const content = { schema, ...bodyExamples(endpoint, schema, schemas) }
    return { required: true, content: { 'application/json': content } }
  }
  if (!endpoint.body) return undefined
  const isRequired = readMembers(endpoint.body, schemas).required.length > 0
  const written = writeSchema(endpoint.body, 'input', schemas)
  const examples = bodyExamples(endpoint, written, schemas)
  const schema = nameBody(name, written, schemas)
  return {
    ...(isRequired ? { required: true } : {}),
    content: { 'application/json': { schema, ...examples } },
  }
}

function acceptedOf<S>(route: Route<S>, name: string, schemas: Components, place: ListPlace) {
  const { accepted: answer } = route.endpoint
  const endpoint = { ...route.endpoint, answer, status: 200, examples: [] }
  const success = successOf({ ...route, endpoint } as Route<S>, name, schemas, place)
  return { ...success, description: 'Accepted; somebody else has to act next.' }
}

const successes = { 200: 'Done.', 201: 'Created.', 202: 'Taken; it is done in the background.' }
const productions: Record<string, string> = {
  'text/html': 'A piece of HTML.',
  'image/*': 'The image.',
  'text/event-stream': 'Server-sent events, until either side ends the stream.',
}

const notModified = { description: 'The client has it already, as `If-None-Match` says.' }
const emptySuccess = { description: 'Done; the answer is empty.' }

function successOf<S>(route: Route<S>, name: string, schemas: Components, place: ListPlace) {
  const endpoint: AnyEndpoint<S> = route.endpoint
  if (endpoint.status === 204) return emptySuccess
  if (endpoint.produces) {
    const type = endpoint.produces.type.split(';', 1)[0] ?? ''
    const description = productions[type] ?? 'A file.'
    const { example } = endpoint.produces
    return { description, content: { [type]: { schema: { type: 'string' }, example } } }
  }
  if (!endpoint.answer) return { description: 'Done.' }
  // The name of the operation tells generators more than the title of an envelope that many share.
  const { title: _, ...plain } = writeSchema(endpoint.answer, 'output', schemas)
  const schema = mayWarn(route) ? withWarnings(plain) : plain
  const examples = answerExamples(endpoint, schema, schemas, place)
  return {
    description: successes[endpoint.status ?? 200],
    content: {
      'application/json': { schema: nameAlternatives(name, schema, schemas), ...examples },
    },
  }
}
