import { join } from 'node:path'
import type { OpenApiDocument } from '../src/http/openapi.ts'

/** `docs/generated/openapi.json`: what clients rely on. */
export const surfacePath = join(import.meta.dirname, '../../docs/generated/openapi.json')

/** Where the document says that the service is. */
export const surfacePlace = { publicUrl: 'http://127.0.0.1:8080', basePath: '/v1' }

/** What only people read; a change of it breaks no client. */
const prose = new Set(['description', 'summary', 'title', 'examples', 'example'])

/**
 * The document as JSON, without prose and examples. Each path and each component has a line of its
 * own, so that a difference shows what it is about.
 */
export function renderDocument({ info, components, ...document }: OpenApiDocument): string {
  const { paths, ...head } = document
  const parts = Object.entries(components).map(
    ([kind, named]) => `${JSON.stringify(kind)}: {\n${linesOf(named)}\n}`,
  )
  return `{
"openapi": ${JSON.stringify(head.openapi)},
"info": ${JSON.stringify({ title: info.title, version: info.version })},
"servers": ${JSON.stringify(head.servers)},
"tags": ${JSON.stringify(head.tags)},
"paths": {
${linesOf(paths)}
},
"components": {
${parts.join(',\n')}
}
}
`
}

function linesOf(named: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(named).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(withoutProse(value))}`,
  )
  return lines.join(',\n')
}

/**
 * A member of `properties` or of a map of headers may have the name `description` too. OpenAPI
 * requires the description of a response.
 */
function withoutProse(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each))
  if (typeof value !== 'object' || value === null) return value
  const isResponse = 'content' in value || Object.keys(value).join() === 'description'
  const kept = Object.entries(value).filter(
    ([key]) => isMap || !prose.has(key) || (key === 'description' && isResponse),
  )
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutProse(inner, !isMap && key === 'properties')]),
  )
}
