import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { Parameter } from '../src/http/openapi-schemas.ts'
import { networks } from '../src/networks/index.ts'
import { deviceTypes } from '../src/sensors/index.ts'
import { type Described, examplesOf, resolveReference } from './openapi.ts'
import { fc } from './properties.ts'
import { anyChange, anyJson, anyText, oddText, valuesOf } from './random-values.ts'

/** For tests: right and wrong requests, made from the OpenAPI document. */

export interface RandomRequest {
  /** Path and query, without the base path. */
  url: string
  /** The sender of the request. `owner` has the token that the operation accepts. */
  as: 'owner' | 'member' | 'stranger' | 'nobody' | 'unknown'
  headers: Record<string, string>
  payload?: string | Buffer
}

/**
 * Values that the document can't contain: ids that the service chose, and secrets. They are written
 * as `«name»` and filled in when the request is sent. The keys are names of parameters or of
 * members of the body.
 */
const knownInPath: Record<string, readonly string[]> = {
  device_id: ['«device»', '«deviceEui»'],
  gateway_id: ['«gateway»', '«gatewayEui»'],
  group_id: ['«group»'],
  user_id: ['«user»'],
  account: ['«account»'],
  gateway: ['«uuid»'],
  id: ['«type»'],
}
const networkNames = networks.flatMap(({ key, alias = key }) => [key, `<${alias}>`])
const knownInQuery: Record<string, readonly string[]> = {
  network: networkNames,
  gateway: networkNames,
  gatewayType: networkNames,
  follow: ['no'],
}
const knownInBody: Record<string, readonly unknown[]> = {
  network: networks.flatMap(({ id }) => id ?? []),
  deviceType: deviceTypes.map(({ typeId }) => typeId),
  gateway_bridge: networks.map(({ key }) => key),
  frequency_plan: ['EU_863_870_TTN'],
  selectedDevices: [['«device»'], []],
  selectedGroup: ['«group»', null],
  gatewayId: ['«gateway»'],
  email: ['«email»'],
  password: ['«password»'],
  token: ['«token»'],
}

/** Makes requests for an operation. Three of ten are fully valid by the document. */
export function requestsOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): fc.Arbitrary<RandomRequest> {
  const values = valuesOf(document, knownInBody)
  const parameters = (operation.parameters ?? []).map((each) =>
    resolveReference<Parameter | HeaderParameter>(document, each),
  )
  const content = (operation.requestBody as Described | undefined)?.content?.['application/json']
  const examples = content ? examplesOf(content).map(([, value]) => value) : []
  const valid = content
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...examples) },
        { weight: 2, arbitrary: values(content.schema) },
      )
    : fc.constant(undefined)
  const url = (isRight: boolean) =>
    fc
      .tuple(urlOf(path, parameters, values, isRight), queryOf(parameters, values, isRight))
      .map(([address, query]) => (query === '' ? address : `${address}?${query}`))
  const right = fc.record({
    url: url(true),
    as: fc.constant<RandomRequest['as']>('owner'),
    headers: fc.constant(content ? { 'content-type': 'application/json' } : {}),
    payload: valid.map((value) => (value === undefined ? undefined : JSON.stringify(value))),
  })
  const wrong = fc.record({
    url: fc.oneof(url(true), url(false)),
    as: caller,
    headers: headersOf(parameters),
    payload: method === 'get' ? fc.constant(undefined) : payloadOf(valid),
  })
  return fc
    .oneof({ weight: 3, arbitrary: right }, { weight: 7, arbitrary: wrong })
    .map(({ payload, ...request }) => (payload === undefined ? request : { ...request, payload }))
}

type HeaderParameter = Omit<Parameter, 'in'> & { in: 'header' }
type Parameters = readonly (Parameter | HeaderParameter)[]
type Values = ReturnType<typeof valuesOf>

const caller = fc.oneof(
  { weight: 16, arbitrary: fc.constant<RandomRequest['as']>('owner') },
  fc.constantFrom<RandomRequest['as']>('member', 'stranger', 'nobody', 'unknown'),
)

/** Encodes as a client library does. Such a library resolves `.` and `..` as steps in the path. */
function encode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replaceAll('%C2%AB', '«')
  return encoded.replaceAll('%C2%BB', '»').replace(/^\.{1,2}$/, '%2E+')
}

function urlOf(path: string, parameters: Parameters, values: Values, isRight: boolean) {
  const inPath = parameters.filter((each) => each.in === 'path')
  const texts = inPath.map(({ name, example, schema }) => {
    const known = knownInPath[name] ?? (example === undefined ? [] : [String(example)])
    const text = fc.constantFrom(...known)
    return isRight ? text : fc.oneof(text, values(schema), fc.integer(), anyText)
  })
  return fc.tuple(...texts).map((given) => {
    const byName = new Map(inPath.map(({ name }, index) => [name, String(given[index])]))
    return path.replaceAll(/\{(\w+)\}/g, (_, name) => encode(byName.get(name) || '0'))
  })
}

const encoded = anyText.map(encode)
/** The raw form of a careless client, without characters that a request line can't contain. */
const unencoded = oddText.map((value) => value.replaceAll(/[^\x21-\x7e]|#/g, ''))

function queryOf(parameters: Parameters, values: Values, isRight: boolean): fc.Arbitrary<string> {
  const inQuery = parameters.filter((each) => each.in === 'query')
  const members = inQuery.map(({ name, schema, example, required }) => {
    const known = [
      ...(schema.type === 'string' ? (knownInQuery[name] ?? []) : []),
      ...(example === undefined ? [] : [example]),
    ]
    const right = known.length > 0 ? fc.constantFrom(...known) : values(schema)
    const pair = right.map((value) => `${name}=${encode(String(value))}`)
    return required ? pair : fc.option(pair, { nil: '' })
  })
  const right = fc.tuple(...members).map((pairs) => pairs.filter((pair) => pair !== '').join('&'))
  if (isRight) return right
  const names = [...inQuery.map(({ name }) => name), 'organization', 'event', 'x', '__proto__']
  const wrong = fc.tuple(fc.constantFrom(...names), fc.oneof(encoded, unencoded))
  return fc
    .tuple(right, fc.array(wrong, { maxLength: 3 }))
    .map(([pairs, others]) =>
      [pairs, ...others.map(([name, value]) => `${name}=${value}`)].join('&'),
    )
}

/** Text that a header can contain: no control characters, and only Latin-1 (RFC 9110, 5.5). */
const headerText = anyText.map((text) =>
  text.slice(0, 300).replaceAll(/[^\x20-\x7e\xa0-\xff]/g, ''),
)

const types = [
  ...['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'json', ';', ''],
  ...['application/json; charset=utf-16', 'application/json;', 'Application/JSON', 'application/*'],
]

function headersOf(parameters: Parameters): fc.Arbitrary<Record<string, string>> {
  const declared = parameters.filter((each) => each.in === 'header').map(({ name }) => name)
  const names = [...declared, 'accept', 'x-forwarded-for', 'if-none-match', 'x-callback-secret']
  const json = fc.constant('application/json')
  const type = fc.oneof({ weight: 8, arbitrary: json }, fc.constantFrom(...types))
  const others = fc.dictionary(
    fc.constantFrom(...names.map((name) => name.toLowerCase())),
    fc.oneof(headerText, fc.constantFrom('1', '2', 'same-key')),
    { maxKeys: 2 },
  )
  const rarely = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, others)
  return fc.tuple(type, rarely).map(([type, other]) => ({ 'content-type': type, ...other }))
}

/** Makes bodies that are valid, bodies that break their schema, and bodies that are no JSON. */
function payloadOf(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | Buffer | undefined> {
  const changes = fc.array(anyChange, { maxLength: 3 })
  const changed = fc
    .tuple(fc.oneof({ weight: 6, arbitrary: valid }, anyJson), changes)
    .map(([value, list]) => list.reduce((before, change) => change(before), value))
  const written = changed.map((value) => JSON.stringify(value))
  const spoilt = fc.tuple(written, fc.nat(), fc.constantFrom(...spoilers))
  return fc.oneof(
    { weight: 8, arbitrary: written },
    spoilt.map(([text, where, spoil]) => spoil(text ?? '', where)),
    fc.constant(undefined),
  )
}

const spoilers: readonly ((text: string, where: number) => string | Buffer)[] = [
  (text, where) => text.slice(0, where % (text.length + 1)),
  (text, where) => insert(text, where, '\u0000'),
  (text, where) => insert(text, where, '"'),
  (text) => text.replace(/:-?\d+/, ':1e400'),
  (text) => text.replace(/:[^,}]*/, `:${'9'.repeat(400)}`),
  (text) => text.replace('{', '{"__proto__":{"x":1},"constructor":1,'),
  (text) => text.replace(/\{("[^"]*"):/, '{$1:0,$1:'),
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => `${'['.repeat(20_000)}${text}${']'.repeat(20_000)}`,
  (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xc3, 0x28, 0xff, 0xfe])]),
  () => '',
]

function insert(text: string, where: number, piece: string): string {
  const at = where % (text.length + 1)
  return text.slice(0, at) + piece + text.slice(at)
}
