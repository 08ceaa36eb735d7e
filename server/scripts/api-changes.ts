import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { JsonSchema } from '../src/http/openapi-schemas.ts'
import { compareSchemas, type Document } from './schema-changes.ts'

/**
 * What makes a program fail that was written for the document `before`, a sentence each. What is
 * only added is no such change: operations, optional parameters and fields, further words in
 * answers, further failures.
 */
export function findBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return operationsOf(before).flatMap(({ address, operation }) => {
    const found = operationsOf(after).find((each) => each.address === address)
    if (!found) return [`${address}: the operation is gone`]
    return compareOperations(operation, found.operation, { before, after }).map(
      (each) => `${address}: ${each}`,
    )
  })
}

interface Documents {
  before: OpenApiDocument
  after: OpenApiDocument
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      address: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

function compareOperations(before: Operation, after: Operation, documents: Documents): string[] {
  const name =
    before.operationId === after.operationId
      ? []
      : [`it is named ${after.operationId} instead of ${before.operationId}`]
  return [
    ...name,
    ...compareSecurity(before, after),
    ...compareParameters(before, after, documents),
    ...compareBodies(before, after, documents),
    ...compareAnswers(before, after, documents),
  ]
}

function compareSecurity(before: Operation, after: Operation): string[] {
  const ways = (operation: Operation) =>
    operation.security.map((each) => Object.keys(each).sort().join(' and '))
  // An empty list means that nothing is needed.
  if (after.security.length === 0) return []
  if (before.security.length === 0) return [`it needs ${ways(after).join(' or ')} now`]
  return ways(before)
    .filter((way) => !ways(after).includes(way))
    .map((way) => `it is not called with ${way} any more`)
}

interface Given {
  name: string
  in: string
  required?: boolean
  schema: JsonSchema
}

function parametersOf(operation: Operation, document: Document): Map<string, Given> {
  const found = (operation.parameters ?? []).map((each) => {
    if (!('$ref' in each)) return each as Given
    return document.components.parameters?.[each.$ref.split('/').at(-1) ?? ''] as Given
  })
  return new Map(found.map((each) => [`the ${each.in} parameter ${each.name}`, each]))
}

function compareParameters(before: Operation, after: Operation, documents: Documents): string[] {
  const known = parametersOf(before, documents.before)
  const given = parametersOf(after, documents.after)
  const gone = [...known.keys()].filter((name) => !given.has(name)).map((name) => `${name} is gone`)
  const changed = [...given].flatMap(([name, parameter]) => {
    const former = known.get(name)
    const isNew = parameter.required && !former?.required
    return [
      ...(isNew ? [`${name} is required now`] : []),
      ...(former
        ? compareSchemas('request', name, [former.schema, parameter.schema], documents)
        : []),
    ]
  })
  return [...gone, ...changed]
}

function contentOf(part: unknown): [string, JsonSchema][] {
  const { content = {} } = (part ?? {}) as { content?: Record<string, { schema?: JsonSchema }> }
  return Object.entries(content).map(([type, { schema = {} }]) => [type, schema])
}

function compareBodies(before: Operation, after: Operation, documents: Documents): string[] {
  const isNew = after.requestBody?.required && !before.requestBody?.required
  const given = new Map(contentOf(after.requestBody))
  return [
    ...(isNew ? ['the body is required now'] : []),
    ...contentOf(before.requestBody).flatMap(([type, schema]) => {
      const found = given.get(type)
      if (!found) return [`the body ${type} is gone`]
      return compareSchemas('request', 'the body', [schema, found], documents)
    }),
  ]
}

function compareAnswers(before: Operation, after: Operation, documents: Documents): string[] {
  const successes = (operation: Operation) =>
    Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  const given = new Map(successes(after))
  const gone = successes(before)
    .filter(([status]) => !given.has(status))
    .map(([status]) => `the answer ${status} is gone`)
  const changed = successes(before).flatMap(([status, answer]) => {
    const found = new Map(contentOf(given.get(status)))
    if (!given.has(status)) return []
    return contentOf(answer).flatMap(([type, schema]) => {
      const same = found.get(type)
      if (!same) return [`the answer ${status} is ${type} no more`]
      return compareSchemas('answer', `the answer ${status}`, [schema, same], documents)
    })
  })
  return [...gone, ...changed]
}
