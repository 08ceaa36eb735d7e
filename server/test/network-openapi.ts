import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import type { FarCall } from '../simulators/far-http.ts'

/**
 * Checks calls against a network's own OpenAPI 3 or Swagger 2 file. The files belong to the vendors
 * and are not part of this repository: NETWORK_CONTRACTS names the folder that has them.
 */
export interface Contract {
  /** What the contract says against a call; empty when it is as the network documents it. */
  findFaults(call: FarCall): string[]
}

export const contractsFolder = process.env.NETWORK_CONTRACTS

/** For `test(name, { skip }, ...)`. */
export const skipWithoutContracts =
  contractsFolder === undefined && 'NETWORK_CONTRACTS names no folder of contract files'

export interface ContractOptions {
  /** Of every call, where the file does not give it itself. */
  basePath?: string
  /** Mends what the file has wrong, before it is parsed. */
  mend?(text: string): string
}

type Node = Record<string, unknown>

interface Operation {
  method: string
  /** With its base path and `{parameters}`. */
  path: string
  pattern: RegExp
  parameters: Parameter[]
  /** Schemas by content type. */
  bodies: Record<string, Node>
  needsBody: boolean
}

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Node
}

/** Reads JSON and YAML. */
export function readContract(fileName: string, options: ContractOptions = {}): Contract {
  const text = readFileSync(join(contractsFolder ?? '', fileName), 'utf8')
  const parsed = parse(options.mend?.(text) ?? text) as Node
  const document = adapt(parsed, parsed) as Node
  const operations = listOperations(document, options.basePath ?? basePathOf(document))
  const common = { strict: false, validateFormats: false, unicodeRegExp: false } as const
  const checks = {
    body: new Ajv2020({ ...common, logger: false, allErrors: true }),
    // Parameters arrive as text.
    parameter: new Ajv2020({ ...common, logger: false, coerceTypes: 'array' }),
  }
  for (const ajv of Object.values(checks)) ajv.addSchema(document, documentId, false, false)
  return { findFaults: (call) => findFaults(operations, checks, call) }
}

interface Checks {
  body: Ajv2020
  parameter: Ajv2020
}

const documentId = 'contract'

function listOperations(document: Node, basePath: string): Operation[] {
  const operations: Operation[] = []
  for (const [path, item] of entriesOf(document.paths)) {
    for (const [method, operation] of entriesOf(item)) {
      if (!/^(get|put|post|delete|patch)$/.test(method)) continue
      operations.push(toOperation(document, method, basePath + path, item, operation))
    }
  }
  // The path with the fewest parameters is the one that is meant.
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
    // Swagger 2 lists the body and the fields of a form among the parameters.
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
  }
}

function toParameter(node: Node): Parameter {
  // In Swagger 2 the parameter is its own schema, where `required` means another thing.
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

function findFaults(operations: Operation[], checks: Checks, call: FarCall): string[] {
  const ofPath = operations.filter(({ pattern }) => pattern.test(call.path))
  const operation = ofPath.find(({ method }) => method === call.method)
  if (!operation) return [`${call.method} ${call.path} is not in the contract`]
  const faults = [
    ...findUnknownQuery(operation, call),
    ...findParameterFaults(operation, checks, call),
    ...findBodyFaults(operation, checks, call),
  ]
  return faults.map((fault) => `${call.method} ${operation.path}: ${fault}`)
}

function findUnknownQuery({ parameters }: Operation, { query }: FarCall): string[] {
  const known = parameters.filter((parameter) => parameter.in === 'query')
  return Object.keys(query)
    .filter((name) => !known.some((parameter) => parameter.name === name))
    .map((name) => `the query has no ${name}`)
}

function findParameterFaults(operation: Operation, checks: Checks, call: FarCall): string[] {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
  const parts = operation.pattern.exec(call.path)?.slice(1) ?? []
  const path = Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(parts[index] ?? '')]),
  )
  const sent: Record<string, Record<string, string>> = { path, query: call.query }
  return operation.parameters.flatMap(({ name, in: place, required, schema }) => {
    const value = place === 'header' ? call.headers[name.toLowerCase()] : sent[place]?.[name]
    if (value === undefined) return required ? [`${name} is missing`] : []
    const validate = checks.parameter.compile(schema)
    return validate(value) ? [] : [`${name}=${value}: ${words(validate)}`]
  })
}

function findBodyFaults({ bodies, needsBody }: Operation, checks: Checks, call: FarCall): string[] {
  if (call.text === '') return needsBody ? ['the body is missing'] : []
  const type = (call.headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  const schema = bodies[type] ?? bodies['*/*']
  if (!schema) return [`it takes ${Object.keys(bodies).join(', ') || 'no body'}, not ${type}`]
  // The parts of a multipart body are for the test of the network itself.
  if (type === 'multipart/form-data') return []
  const validate = checks.body.compile(schema)
  return validate(call.body) ? [] : [words(validate)]
}

function words({ errors }: ValidateFunction): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
}

function basePathOf(document: Node): string {
  if (typeof document.basePath === 'string') return document.basePath.replace(/\/$/, '')
  const [server] = listOf(document.servers)
  return URL.parse(String(server?.url ?? ''))?.pathname.replace(/\/$/, '') ?? ''
}

/**
 * What OpenAPI has and JSON Schema 2020-12 has not: a property that is read only is not required
 * in a request, a discriminator chooses one of several schemas, exclusive limits were truths once.
 */
function adapt(value: unknown, document: Node): unknown {
  if (Array.isArray(value)) return value.map((part) => adapt(part, document))
  if (typeof value !== 'object' || value === null) return value
  const node: Node = {}
  for (const [key, part] of Object.entries(value)) node[key] = adapt(part, document)
  for (const name of ['exclusiveMinimum', 'exclusiveMaximum']) {
    if (typeof node[name] === 'boolean') delete node[name]
  }
  const { properties } = value as { properties?: Record<string, Node> }
  if (Array.isArray(node.required) && properties) {
    const isReadOnly = (name: unknown) =>
      resolve(document, properties[String(name)]).readOnly === true
    node.required = node.required.filter((name) => !isReadOnly(name))
  }
  if (typeof node.$ref === 'string') node.$ref = documentId + node.$ref
  return chooseByDiscriminator(node)
}

function chooseByDiscriminator(node: Node): Node {
  const { oneOf, discriminator, ...common } = node
  const { propertyName, mapping } = (discriminator ?? {}) as Node
  if (!oneOf || typeof propertyName !== 'string' || !mapping) return node
  const allOf = entriesOf(mapping).map(([value, reference]) => ({
    if: { properties: { [propertyName]: { const: value } }, required: [propertyName] },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
    then: { $ref: documentId + String(reference) },
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
