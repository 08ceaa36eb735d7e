import { useQuery } from '@tanstack/react-query'
import { ApiError, basePath } from '../../api/client.ts'
import { t } from '../../languages/text.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  example?: unknown
  schema?: Words | (Words & Reference)
}

interface Words {
  default?: unknown
  enum?: readonly unknown[]
}

type Content = Record<string, { examples?: Record<string, { value: unknown }> }>

interface Reference {
  $ref: string
}

interface WrittenOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content } | Reference>
}

interface Document {
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, WrittenOperation>>
  components: Record<string, Record<string, unknown>>
}

/** An operation of the API, as far as an example of it needs. */
export interface ApiOperation {
  /** `GET /devices`: its name in the address of the page. */
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  /** Whether it takes a token. */
  isSigned: boolean
  /** Whether it takes the Organization header. */
  isOfOrganization: boolean
  parameters: readonly Parameter[]
  body: unknown
  answer: unknown
}

export interface ApiDocument {
  tags: readonly string[]
  operations: readonly ApiOperation[]
}

/** The service's own description of its API. */
export function useOpenApi() {
  return useQuery<ApiDocument, ApiError>({
    queryKey: ['openapi.json'],
    queryFn: async ({ signal }) => {
      const response = await fetch(`${basePath}/openapi.json`, { signal })
      if (!response.ok) throw new ApiError(response.status, t('The API is not described just now.'))
      return readDocument((await response.json()) as Document)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function readDocument(document: Document): ApiDocument {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      toOperation(document, path, method.toUpperCase(), operation),
    ),
  )
  const used = new Set(operations.map(({ tag }) => tag))
  return { tags: document.tags.map(({ name }) => name).filter((tag) => used.has(tag)), operations }
}

function toOperation(
  document: Document,
  path: string,
  method: string,
  written: WrittenOperation,
): ApiOperation {
  const parameters = (written.parameters ?? []).flatMap((each) => {
    const known = resolve<Parameter>(document, each)
    // Words that several parameters share are listed once.
    const words = known?.schema && resolve<Words>(document, known.schema)
    return known ? [{ ...known, ...(words ? { schema: { ...known.schema, ...words } } : {}) }] : []
  })
  const security = written.security.flatMap((each) => Object.keys(each))
  const success = Object.entries(written.responses).find(([status]) => /^2/.test(status))?.[1]
  return {
    id: `${method} ${path}`,
    method,
    path,
    tag: written.tags[0] ?? '',
    summary: written.summary,
    description: written.description,
    isSigned: security.includes('token'),
    isOfOrganization: parameters.some(
      ({ name, in: place }) => place === 'header' && name.toLowerCase() === 'organization',
    ),
    parameters: parameters.filter(({ in: place }) => place === 'path' || place === 'query'),
    body: firstExample(written.requestBody?.content),
    answer: firstExample(success && resolve<{ content?: Content }>(document, success)?.content),
  }
}

function resolve<T extends object>(document: Document, value: T | Reference): T | undefined {
  if (!('$ref' in value)) return value
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref) ?? []
  return document.components[kind]?.[name] as T | undefined
}

function firstExample(content: Content | undefined): unknown {
  const examples = content?.['application/json']?.examples ?? {}
  return Object.values(examples)[0]?.value
}
