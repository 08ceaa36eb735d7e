import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { JsonSchema, Parameter } from '../src/http/openapi-schemas.ts'
import { parametersOf } from './client-types.ts'
import { clientOperations, contentOf, hasPages, repeatOf } from './operation-kinds.ts'
import { createPythonTypes, isPythonName, type PythonTypes, pascal, snake } from './python-types.ts'

/**
 * Writes `types.py` and `_operations.py` of `clients/python`: a class for each object of the document,
 * and a method for each operation, with and without asyncio.
 */
export async function writePythonOperations(
  document: OpenApiDocument,
  folder: string,
): Promise<void> {
  const types = createPythonTypes(document.components.schemas ?? {})
  const methods = clientOperations(document).map(({ method, path, operation }) =>
    methodOf(method, path, operation, document, types),
  )
  await writeFile(join(folder, '_operations.py'), moduleText(methods, types.names()))
  await writeFile(join(folder, 'types.py'), types.text())
}

interface Method {
  name: string
  endpoint: string
  /** The parameters of the function, besides \`self\`. */
  signature: string
  /** The expressions of the parameters of the request, and of its body. */
  parameters: string
  body: string
  doc: string
  answer: string
  /** The class of an answer that is read as it comes. */
  stream: 'TextLines' | 'JsonLines' | undefined
  isEvents: boolean
  /** Of a list with pages. */
  page: string | undefined
  record: string | undefined
}

function methodOf(
  method: string,
  path: string,
  operation: Operation,
  document: OpenApiDocument,
  types: PythonTypes,
): Method {
  const name = snake(operation.operationId)
  const title = pascal(operation.operationId)
  const inPath = parametersOf(operation, 'path')
  const inQuery = parametersOf(operation, 'query')
  const body = bodyOf(operation, title, types)
  const isRequired = operation.requestBody?.required === true
  const typed = (parameter: Parameter) => parameterType(parameter, title, types)
  const signature = [
    ...inPath.map((each) => `${argument(each)}: ${typed(each)}`),
    ...(body ? [isRequired ? `body: ${body}` : `body: ${body} | None = None`] : []),
    '*',
    ...inQuery.map((each) =>
      each.required
        ? `${argument(each)}: ${typed(each)}`
        : `${argument(each)}: ${typed(each)} | None = None`,
    ),
    '**options: Unpack[CallOptions]',
  ].filter((each, index, all) => each !== '*' || index < all.length - 2)
  const content = contentOf(operation)
  const all = [...inPath, ...inQuery]
  if (new Set([...all.map(argument), 'body', 'options']).size < all.length + 2)
    throw new Error(`${operation.operationId} has two parameters of one name`)
  return {
    name,
    endpoint: `Endpoint("${method}", "${path}", "${repeatOf(method, operation)}")`,
    signature: signature.join(', '),
    parameters: `{${all.map((each) => `${JSON.stringify(each.name)}: ${argument(each)}`).join(', ')}}`,
    body: body ? 'body' : 'None',
    doc: `${operation.summary}.\n\n        \`${method} ${path}\`\n        `,
    answer: answerOf(operation, title, types),
    stream:
      'text/csv' in content
        ? 'TextLines'
        : 'application/x-ndjson' in content
          ? 'JsonLines'
          : undefined,
    isEvents: 'text/event-stream' in content,
    ...listTypes(method, operation, title, document, types),
  }
}

const argument = ({ name }: Parameter) => (isPythonName(name) ? name : `${name}_`)

function parameterType({ name, schema }: Parameter, title: string, types: PythonTypes): string {
  // An id is a number in every answer.
  if (schema.type === 'string' && name.endsWith('id')) return 'str | int'
  if (schema.format === 'date-time') return 'str | datetime'
  return types.typeOf(schema, title + pascal(name))
}

type Content = Record<string, { schema?: JsonSchema } | undefined>

function bodyOf({ requestBody }: Operation, title: string, types: PythonTypes) {
  const { 'application/json': json } = (requestBody?.content ?? {}) as Content
  return json?.schema ? types.typeOf(json.schema, `${title}Body`) : undefined
}

function answerOf({ responses }: Operation, title: string, types: PythonTypes): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const found = successes.map(([status, response], index) => {
    const { content } = response as { content?: Content }
    if (!content) return 'None'
    const { 'application/json': json } = content
    if (json) return types.typeOf(json.schema, `${title}Answer${index > 0 ? status : ''}`)
    return 'image/*' in content ? 'bytes' : 'str'
  })
  return [...new Set(found)].join(' | ')
}

function listTypes(
  method: string,
  operation: Operation,
  title: string,
  document: OpenApiDocument,
  types: PythonTypes,
): Pick<Method, 'page' | 'record'> {
  if (method !== 'GET' || !hasPages(operation, document))
    return { page: undefined, record: undefined }
  const { 'application/json': json } = contentOf(operation)
  const page = types.typeOf(json?.schema, `${title}Answer`)
  const records = recordsOf(json?.schema ?? {}, page, document).map(({ items, owner }) =>
    types.typeOf(items, `${owner}DataItem`),
  )
  return { page, record: [...new Set(records)].join(' | ') }
}

/** The schemas of the records that the forms of a list have. */
function recordsOf(
  schema: JsonSchema,
  owner: string,
  document: OpenApiDocument,
): { items: JsonSchema; owner: string }[] {
  const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : undefined
  if (name)
    return recordsOf((document.components.schemas?.[name] ?? {}) as JsonSchema, name, document)
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.flatMap((each: JsonSchema) => recordsOf(each, owner, document))
  const { data } = (schema.properties ?? {}) as Record<string, JsonSchema>
  return [{ items: (data?.items ?? {}) as JsonSchema, owner }]
}

function moduleText(methods: readonly Method[], names: readonly string[]): string {
  const calls = methods.filter(({ isEvents }) => !isEvents)
  const lists = methods.filter(({ page }) => page)
  const text = [
    section(
      'Operations(Sender)',
      'The operations of the API.',
      calls.map((each) => call(each, '')),
    ),
    section(
      'AsyncOperations(AsyncSender)',
      'The operations of the API, to be awaited.',
      calls.map((each) => call(each, 'Async')),
    ),
    ...['', 'Async'].flatMap((prefix) => [
      section(`${prefix}Pages`, 'The lists as pages, one request each.', [
        owner(prefix),
        ...lists.map((each) => list(each, prefix, 'pages')),
      ]),
      section(`${prefix}Records`, 'The lists as records, page after page.', [
        owner(prefix),
        ...lists.map((each) => list(each, prefix, 'records')),
      ]),
    ]),
  ].join('\n\n')
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const table = methods.map(({ name, endpoint }) => `    "${name}": ${endpoint},`)
  return `${moduleStart(used)}
ENDPOINTS = {
${table.join('\n')}
}


${text}`
}

// `_call` returns what the service sent, which no check at run time compares with its type.
const moduleStart = (
  names: readonly string[],
) => `# Made by "npm run client" from the service's OpenAPI document.
# mypy: disable-error-code="no-any-return"
"""A method for each operation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ._async import AsyncSender
from ._requests import CallOptions, Endpoint
from ._streams import AsyncJsonLines, AsyncTextLines, JsonLines, TextLines
from ._sync import Sender

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import (
${names.map((name) => `        ${name},`).join('\n')}
    )
`

const section = (name: string, doc: string, parts: readonly string[]) =>
  `class ${name}:\n    """${doc}"""\n\n${parts.join('\n')}`

const owner = (prefix: string) =>
  `    def __init__(self, client: ${prefix}Sender) -> None:\n        self._client = client\n`

function call(
  { name, signature, doc, answer, stream, parameters, body }: Method,
  prefix: string,
): string {
  const [start, wait] = prefix === '' ? ['def', ''] : ['async def', 'await ']
  const sent = `ENDPOINTS["${name}"], ${parameters}`
  const result = stream ? `${prefix}${stream}` : answer
  const expression = stream
    ? `self._open(${result}, ${sent}, options)`
    : `self._call(${sent}, ${body}, options)`
  const act = result === 'None' ? `${wait}${expression}` : `return ${wait}${expression}`
  return `    ${start} ${name}(self, ${signature}) -> ${result}:
        """${doc}"""
        ${act}
`
}

function list(method: Method, prefix: string, kind: 'pages' | 'records'): string {
  const { name, signature, parameters, page, record, doc } = method
  const each = kind === 'pages' ? page : record
  return `    def ${name}(self, ${signature}) -> ${prefix}Iterator[${each}]:
        """${doc}"""
        return self._client._${kind}(ENDPOINTS["${name}"], ${parameters}, options)
`
}
