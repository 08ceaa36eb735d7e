import type { OpenApiDocument } from '../src/http/openapi.ts'
import type { JsonSchema } from '../src/http/openapi-schemas.ts'
import { resolveReference } from './openapi.ts'
import { fc } from './properties.ts'

/** For tests: values that match the schemas of the OpenAPI document, and values that break them. */

/** Text that often causes errors in programs. */
export const oddText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '🚪\udc00',
  '\u202e\u0301',
  '%00',
  '%',
  "'",
  '\\',
  '-1',
  '0',
  '1e9',
  '2147483647',
  '2147483648',
  '9223372036854775808',
  '__proto__',
  'constructor',
  'null',
  'EU868',
  '\u{10ffff}',
  '🚪'.repeat(200),
  'x'.repeat(5000),
)
export const anyText = fc.oneof(oddText, fc.string({ unit: 'binary' }), fc.string())

const oddNumber = fc.constantFrom(
  ...[-1, -0, 0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 63, 1e300, 5e-324],
)
const anyNumber = fc.oneof(
  oddNumber,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Makes values that a schema accepts. `known` has some values by the names of members. */
export function valuesOf(
  document: OpenApiDocument,
  known: Readonly<Record<string, readonly unknown[]>> = {},
): (schema: JsonSchema) => fc.Arbitrary<unknown> {
  const values = (given: JsonSchema): fc.Arbitrary<unknown> => {
    const schema = resolveReference<JsonSchema>(document, given)
    const { examples, type } = schema
    if (Array.isArray(examples)) return fc.oneof(fc.constantFrom(...examples), plain(schema))
    if (!Array.isArray(type)) return plain(schema)
    return fc.oneof(...type.map((each: string) => plain({ ...schema, type: each })))
  }
  const plain = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    if ('const' in schema) return fc.constant(schema.const)
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
    if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(values))
    switch (schema.type) {
      case 'string':
        return textOf(schema)
      case 'integer':
        return fc.oneof(fc.integer(rangeOf(schema)), fc.integer({ ...rangeOf(schema, 50) }))
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(values((schema.items ?? {}) as JsonSchema), { maxLength: 4 })
      case 'object':
        return objectOf(schema)
      default:
        return anyJson
    }
  }
  const member = (name: string, schema: JsonSchema) => {
    const pool = known[name]
    return pool ? fc.oneof(fc.constantFrom(...pool), values(schema)) : values(schema)
  }
  const objectOf = (schema: JsonSchema) => {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
    const members = Object.entries(properties).map(([name, each]) => [name, member(name, each)])
    const object = fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: (schema.required ?? []) as never[],
    })
    if (!schema.additionalProperties) return object
    const more = fc.dictionary(fc.string(), values(schema.additionalProperties as JsonSchema), {
      maxKeys: 2,
    })
    return fc.tuple(more, object).map(([others, own]) => ({ ...others, ...own }))
  }
  return values
}

function rangeOf({ minimum, maximum }: JsonSchema, most = 2 ** 31 - 1) {
  const min = typeof minimum === 'number' ? minimum : -most
  return { min, max: typeof maximum === 'number' ? maximum : Math.max(min, most) }
}

function textOf({ minLength, maxLength, pattern }: JsonSchema): fc.Arbitrary<unknown> {
  const min = typeof minLength === 'number' ? minLength : 0
  const max = typeof maxLength === 'number' ? maxLength : 5000
  if (typeof pattern === 'string') {
    // Random text rarely matches such a pattern: one kind of letter and a fixed length.
    const exact = /^\^\[[^\]]+\]\*\$$/.test(pattern) && max < 100
    const source = exact ? pattern.replace('*$', `{${min},${max}}$`) : pattern
    return fc
      .stringMatching(new RegExp(source))
      .filter(({ length }) => length >= min && length <= max)
  }
  const edges = [min, max].map((length) => fc.constant('x'.repeat(length)))
  const short = { minLength: min, maxLength: Math.min(max, Math.max(min, 40)) }
  return fc.oneof({ weight: 4, arbitrary: fc.string(short) }, ...edges)
}

/** One change somewhere inside a value. */
type Change = (value: unknown) => unknown

const changeHere: fc.Arbitrary<Change> = fc.oneof(
  anyJson.map((other) => () => other),
  fc.constant((value: unknown) => [value]),
  fc.constant((value: unknown) => ({ value })),
  fc.constant((value: unknown) => JSON.stringify(value) ?? ''),
  fc.constantFrom(10, 500, 5000).map((depth) => () => nest(depth)),
  fc.tuple(anyText, anyJson).map(
    ([name, other]) =>
      (value: unknown) =>
        addMember(value, name, other),
  ),
)

function addMember(value: unknown, name: string, other: unknown): unknown {
  if (Array.isArray(value)) return [...value, other]
  return typeof value === 'object' ? { ...value, [name]: other } : other
}

function nest(depth: number): unknown {
  let nested: unknown = 1
  for (let level = 0; level < depth; level += 1) nested = level % 2 === 0 ? [nested] : { nested }
  return nested
}

/** Changes a value or a member at some depth, or removes that member. */
export const anyChange: fc.Arbitrary<Change> = fc
  .tuple(fc.array(fc.nat(), { maxLength: 4 }), fc.option(changeHere))
  .map(
    ([way, change]) =>
      (value: unknown) =>
        changeAt(value, way, change ?? undefined),
  )

function changeAt(value: unknown, way: readonly number[], change: Change | undefined): unknown {
  const [step, ...rest] = way
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (step === undefined || !isInner) return change ? change(value) : null
  const keys = Object.keys(value)
  const chosen = keys[step % keys.length]
  const isTaken = change === undefined && rest.length === 0
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key !== chosen) return [[key, inner]]
    return isTaken ? [] : [[key, changeAt(inner, rest, change)]]
  })
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
