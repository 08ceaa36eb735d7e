// Reads a network's OpenAPI 3 or Swagger 2 file into operations, to check calls against them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

type Node = Record<string, unknown>

export interface Operation {
  method: string
  /** The path with the file's base path and `{parameters}`. */
  path: string
  pattern: RegExp
  parameters: Parameter[]
  /** Schemas of request bodies by content type. */
  bodies: Record<string, Node>
  needsBody: boolean
  /** By status, or `default`. */
  answers: Record<string, AnswerSchema>
}

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Node
}

/** The schema of a body; absent if the file describes no body. */
interface AnswerSchema {
  schema?: Node
}

export interface OpenApiDocument {
  operations: Operation[]
  checkParameter(schema: Node, value: unknown): string | undefined
  checkRequest(schema: Node, body: unknown): string | undefined
  checkAnswer(schema: Node, body: unknown): string | undefined
}

export interface ReadingOptions {
  /** The prefix of every path, if the file names none. */
  basePath?: string
  /** Corrects mistakes of the file before it is parsed. */
  fix?(text: string): string
  /** Whether the file names every member that an answer may have. */
  namesAllMembers?: boolean
}

const requestId = 'request'
const answerId = 'answer'

/** Reads a file in JSON or YAML. */
export function readOpenApi(
  folder: string,
  fileName: string,
  options: ReadingOptions = {},
): OpenApiDocument {
  const text = readFileSync(join(folder, fileName), 'utf8')
  const document = parse(options.fix?.(text) ?? text) as Node
  const common = { strict: false, validateFormats: false, unicodeRegExp: false } as const
  const bodies = new Ajv2020({ ...common, logger: false, allErrors: true })
  // Parameters arrive as text, so this validator converts their types.
  const parameters = new Ajv2020({ ...common, logger: false, coerceTypes: 'array' })
  const sideOf = (id: string): Side => {
    return { document, id, isClosed: id === answerId && options.namesAllMembers === true }
  }
  for (const ajv of [bodies, parameters]) {
    for (const id of [requestId, answerId]) {
      ajv.addSchema(adapt(document, sideOf(id)) as Node, id, false, false)
    }
  }
  const checkWith = (ajv: Ajv2020, id: string) => {
    const compiled = new Map<Node, ValidateFunction>()
    return (schema: Node, value: unknown) => {
      const validate = compiled.get(schema) ?? ajv.compile(adapt(schema, sideOf(id)) as Node)
      compiled.set(schema, validate)
      return validate(value) ? undefined : words(validate)
    }
  }
  return {
    operations: listOperations(document, options.basePath ?? basePathOf(document)),
    checkParameter: checkWith(parameters, requestId),
    checkRequest: checkWith(bodies, requestId),
    checkAnswer: checkWith(bodies, answerId),
  }
}

function words({ errors }: ValidateFunction): string {
  const all = (errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty: name } = params
    return `${instancePath} ${message}${name ? `: ${name}` : ''}`
  })
  return all.join('; ')
}

function listOperations(document: Node, basePath: string): Operation[] {
  const operations: Operation[] = []
  for (const [path, item] of entriesOf(document.paths)) {
    for (const [method, operation] of entriesOf(item)) {
      if (!/^(get|put|post|delete|patch)$/.test(method)) continue
      operations.push(toOperation(document, method, basePath + path, item, operation))
    }
  }
  // If several paths match, the path with the fewest parameters applies.
  return operations.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
}

function toOperation(
  document: Node,
  method: string,
  path: string,
  item: Node,
  operation: Node,
): Operation {
  const declared = [...listOf(item.parameters), ...listOf(operation.parameters)]
    .map((node) => resolve(document, node))
    // Swagger 2 lists the body and the form fields among the parameters.
    .filter((node) => node.in !== 'formData')
  const requestBody = resolve(document, operation.requestBody as Node)
  const swaggerBody = declared.find((node) => node.in === 'body')
  const content = swaggerBody ? { 'application/json': swaggerBody } : requestBody.content
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return {
    method: method.toUpperCase(),
    path,
    pattern: new RegExp(`^${escaped.replace(/\{[^}]+\}/g, '([^/]+)')}$`),
    parameters: declared.filter((node) => node.in !== 'body').map(toParameter),
    bodies: Object.fromEntries(
      entriesOf(content).map(([type, { schema }]) => [type, (schema ?? {}) as Node]),
    ),
    needsBody: requestBody.required === true || swaggerBody?.required === true,
    answers: readAnswers(document, operation.responses),
  }
}

/** Kerlink's file writes a status with its name, `201 CREATED`. */
function readAnswers(document: Node, responses: unknown): Record<string, AnswerSchema> {
  const answers: Record<string, AnswerSchema> = {}
  for (const [name, node] of entriesOf(responses)) {
    const response = resolve(document, node)
    const [media = response] = entriesOf(response.content)
      .filter(([type]) => type.includes('json') || type === '*/*')
      .map(([, content]) => content)
    const { schema } = media as { schema?: Node }
    answers[name.split(' ')[0] ?? name] = schema ? { schema } : {}
  }
  return answers
}

function toParameter(node: Node): Parameter {
  // In Swagger 2, a parameter is its own schema, in which `required` has another meaning.
  const { required, name, in: place, schema = rest(node) } = node
  return {
    name: String(name),
    in: String(place),
    required: required === true,
    schema: schema as Node,
  }
}

function rest({ required, ...schema }: Node): Node {
  return schema
}

function basePathOf(document: Node): string {
  if (typeof document.basePath === 'string') return document.basePath.replace(/\/$/, '')
  const [server] = listOf(document.servers)
  return URL.parse(String(server?.url ?? ''))?.pathname.replace(/\/$/, '') ?? ''
}

interface Side {
  document: Node
  id: string
  isClosed: boolean
}

/**
 * Translates features of OpenAPI that JSON Schema 2020-12 lacks. A read-only property is not
 * required in a request. A write-only property is not required in an answer. A discriminator
 * chooses one of several schemas. Exclusive limits were booleans in older versions.
 */
function adapt(value: unknown, side: Side): unknown {
  if (Array.isArray(value)) return value.map((part) => adapt(part, side))
  if (typeof value !== 'object' || value === null) return value
  const node: Node = {}
  for (const [key, part] of Object.entries(value)) node[key] = adapt(part, side)
  for (const name of ['exclusiveMinimum', 'exclusiveMaximum']) {
    if (typeof node[name] === 'boolean') delete node[name]
  }
  const { properties } = value as { properties?: Record<string, Node> }
  if (side.isClosed && properties) node.additionalProperties ??= false
  if (Array.isArray(node.required) && properties) {
    const absent = side.id === requestId ? 'readOnly' : 'writeOnly'
    const isAbsent = (name: unknown) =>
      resolve(side.document, properties[String(name)])[absent] === true
    node.required = node.required.filter((name) => !isAbsent(name))
  }
  if (typeof node.$ref === 'string' && node.$ref.startsWith('#')) node.$ref = side.id + node.$ref
  return chooseByDiscriminator(node, side)
}

function chooseByDiscriminator(node: Node, { id }: Side): Node {
  const { oneOf, discriminator, ...common } = node
  const { propertyName, mapping } = (discriminator ?? {}) as Node
  if (!oneOf || typeof propertyName !== 'string' || !mapping) return node
  const allOf = entriesOf(mapping).map(([value, reference]) => ({
    if: { properties: { [propertyName]: { const: value } }, required: [propertyName] },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
    then: { $ref: id + String(reference) },
  }))
  return { ...common, allOf: [...listOf(common.allOf), ...allOf] }
}

function resolve(document: Node, node: Node | undefined): Node {
  if (typeof node?.$ref !== 'string') return node ?? {}
  const [, ...path] = node.$ref.split('/')
  return path.reduce((parent, name) => parent[name] as Node, document)
}

function entriesOf(node: unknown): [string, Node][] {
  return Object.entries((node ?? {}) as Record<string, Node>)
}

function listOf(node: unknown): Node[] {
  return Array.isArray(node) ? node : []
}
