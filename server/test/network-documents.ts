import type { FarCall } from '../simulators/far-call.ts'
import {
  type OpenApiDocument,
  type Operation,
  type ReadingOptions,
  readOpenApi,
} from './network-openapi.ts'

/**
 * Checks calls and their answers against the OpenAPI file that a network publishes. The files
 * belong to the vendors and are not part of this repository. NETWORK_CONTRACTS names the folder
 * with the files.
 */
interface NetworkDocument {
  /** Returns how a call differs from the file; empty if the call is as documented. */
  findRequestFaults(call: FarCall): string[]
  /** Returns how the simulator's answer differs from the file. */
  findAnswerFaults(call: FarCall): string[]
}

const folder = process.env.NETWORK_CONTRACTS

/** The `skip` option of `test(name, { skip }, ...)`. */
export const skipWithoutDocuments =
  folder === undefined && 'NETWORK_CONTRACTS names no folder of OpenAPI files'

/** Reads several files as one document. */
export function readDocument(
  fileNames: readonly string[],
  options?: ReadingOptions,
): NetworkDocument {
  const documents = fileNames.map((name) => readOpenApi(folder ?? '', name, options))
  const about = (call: FarCall, find: typeof findRequestFaults) => {
    for (const document of documents) {
      const ofPath = document.operations.filter(({ pattern }) => pattern.test(call.path))
      const operation = ofPath.find(({ method }) => method === call.method)
      if (!operation) continue
      return find(document, operation, call).map(
        (fault) => `${call.method} ${operation.path}: ${fault}`,
      )
    }
    return [`${call.method} ${call.path} is not in the document`]
  }
  return {
    findRequestFaults: (call) => about(call, findRequestFaults),
    findAnswerFaults: (call) => about(call, findAnswerFaults),
  }
}

function findRequestFaults(document: OpenApiDocument, operation: Operation, call: FarCall) {
  return [
    ...findUnknownQuery(operation, call),
    ...findParameterFaults(document, operation, call),
    ...findBodyFaults(document, operation, call),
  ]
}

function findUnknownQuery({ parameters }: Operation, { query }: FarCall): string[] {
  const known = parameters.filter((parameter) => parameter.in === 'query')
  return Object.keys(query)
    .filter((name) => !known.some((parameter) => parameter.name === name))
    .map((name) => `the query has no ${name}`)
}

function findParameterFaults(document: OpenApiDocument, operation: Operation, call: FarCall) {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
  const parts = operation.pattern.exec(call.path)?.slice(1) ?? []
  const path = Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(parts[index] ?? '')]),
  )
  const sent: Record<string, Record<string, string>> = { path, query: call.query }
  return operation.parameters.flatMap(({ name, in: place, required, schema }) => {
    const value = place === 'header' ? call.headers[name.toLowerCase()] : sent[place]?.[name]
    if (value === undefined) return required ? [`${name} is missing`] : []
    const fault = document.checkParameter(schema, value)
    return fault ? [`${name}=${value}: ${fault}`] : []
  })
}

function findBodyFaults(
  document: OpenApiDocument,
  { bodies, needsBody }: Operation,
  call: FarCall,
): string[] {
  if (call.text === '') return needsBody ? ['the body is missing'] : []
  const type = (call.headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  const schema = bodies[type] ?? bodies['*/*']
  if (!schema) return [`it takes ${Object.keys(bodies).join(', ') || 'no body'}, not ${type}`]
  // The test of the network itself checks the parts of a multipart body.
  if (type === 'multipart/form-data') return []
  const fault = document.checkRequest(schema, call.body)
  return fault ? [fault] : []
}

function findAnswerFaults(
  document: OpenApiDocument,
  { answers }: Operation,
  { answer }: FarCall,
): string[] {
  if (!answer) return ['there is no answer']
  const { status, body } = answer
  const documented = answers[status] ?? answers[`${String(status)[0]}XX`] ?? answers.default
  if (!documented) return [`${status} is not among ${Object.keys(answers).join(', ')}`]
  const { schema } = documented
  if (!schema) return []
  // Uses the form on the wire: an empty text, or JSON without undefined members.
  const sent = body === undefined ? '' : JSON.parse(JSON.stringify(body))
  const fault = document.checkAnswer(schema, sent)
  return fault ? [`${status}: ${fault}`] : []
}
