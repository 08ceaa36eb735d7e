import { surfacePlace } from '../scripts/api-surface.ts'
import { referenceDocument } from '../src/reference/reference-document.ts'
import { routes } from '../src/routes.ts'

/** For tests: every place of a request that may name something by its id, read from the OpenAPI document. */

export interface Place {
  part: 'path' | 'query' | 'body'
  /** The names on the way to the place; `[]` for an item of a list. */
  path: readonly string[]
  /** The last name of the way. */
  name: string
}

/** A part of the document, of which only some members matter here. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema: Schema
}

const document = referenceDocument(routes, surfacePlace)

/** Names of texts that may be an id. Every integer may be one. */
const idName =
  /id$|ids$|eui$|device|gateway|group|rule|member|user|job|hook|key|subject|recipients|account/i

export function placesOf(method: string, url: string): Place[] {
  const path = url.replaceAll(/:(\w+)/g, '{$1}')
  const item = document.paths[path] as Record<string, { [name: string]: unknown }> | undefined
  const operation = item?.[method.toLowerCase()] ?? {}
  const parameters = ((operation.parameters ?? []) as Parameter[]).map(resolve)
  const places = parameters.flatMap(({ name, in: part, schema }): Place[] =>
    (part === 'path' || part === 'query') && isCandidate(name, schema)
      ? [{ part, path: [name], name }]
      : [],
  )
  const body = operation.requestBody as
    | { content?: Record<string, { schema?: Schema }> }
    | undefined
  const schema = body?.content?.['application/json']?.schema
  const ways = schema ? waysOf(schema, []) : []
  const bodyPlaces = ways.map((way): Place => ({ part: 'body', path: way, name: nameOf(way) }))
  const unique = new Map([...places, ...bodyPlaces].map((each) => [keyOf(each), each]))
  return [...unique.values()]
}

export function keyOf({ part, path }: Place): string {
  return `${part} ${path.join('.')}`
}

function nameOf(way: readonly string[]): string {
  return way.findLast((step) => step !== '[]') ?? ''
}

function waysOf(found: Schema, way: readonly string[]): string[][] {
  const schema = resolve(found)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const deeper = [
    ...variants.flatMap((variant) => waysOf(variant, way)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      waysOf(each, [...way, name]),
    ),
    ...(schema.items ? waysOf(schema.items, [...way, '[]']) : []),
  ]
  if (deeper.length > 0 || variants.length > 0) return deeper
  return isCandidate(nameOf(way), schema) ? [[...way]] : []
}

function isCandidate(name: string, found: Schema): boolean {
  const schema = resolve(found)
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (variants.length > 0) return variants.some((variant) => isCandidate(name, variant))
  const types = [schema.type ?? 'string'].flat()
  if (types.includes('integer')) return true
  return types.includes('string') && schema.enum === undefined && idName.test(name)
}

function resolve<T extends { $ref?: string }>(part: T): T {
  if (part.$ref === undefined) return part
  let found: unknown = document
  for (const step of part.$ref.split('/').slice(1)) {
    found = (found as Record<string, unknown>)[step]
  }
  return found as T
}
