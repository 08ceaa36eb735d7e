import { z } from 'zod'
import type { Route } from './endpoint.ts'
import { invalid } from './errors.ts'

/** The most names in an answer; a body may have any number. */
const mostNamed = 20
const longestName = 100

/** Schemas of values that are read later, piece by piece. */
const readings = new WeakMap<z.ZodType, z.ZodType>()

/** Accepts any value. Its members are those of `schema`, which reads it later. */
export function readLater(schema: z.ZodType) {
  const any = z.unknown()
  readings.set(any, schema)
  return any
}

/** The schema that reads a value of `readLater`. */
export function readingOf(schema: z.ZodType): z.ZodType | undefined {
  return readings.get(schema)
}

/** Whether an answer of the route may name ignored members of the body. */
export function mayWarn<S>({ method, endpoint }: Route<S>): boolean {
  const isChange = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return isChange && endpoint.kind !== 'message' && endpoint.answer !== undefined
}

/** The answer with `warnings` about ignored members; the handler's own come first. */
export function addWarnings<S>(route: Route<S>, body: unknown, answer: unknown): unknown {
  if (!mayWarn(route) || typeof answer !== 'object' || answer === null) return answer
  const unknown = warnOfUnknown(route.endpoint.body, body)
  if (unknown.length === 0) return answer
  const { warnings = [] } = answer as { warnings?: readonly string[] }
  return { ...answer, warnings: [...warnings, ...unknown] }
}

/** A sentence for each unknown member of a body. */
function warnOfUnknown(schema: z.ZodType | undefined, body: unknown): string[] {
  const paths: string[] = []
  collect([schema ?? z.object({})], body, [], paths)
  const named = paths.slice(0, mostNamed)
  const sentences = named.map((path) => `The member ${path} is unknown and was ignored.`)
  if (paths.length > mostNamed) sentences.push('Further unknown members were ignored.')
  return sentences
}

/** Throws the 422 that names unknown parameters and lists the known ones. */
export function refuseUnknownQuery(schema: z.ZodType | undefined, query: unknown): void {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const takes = [...known, 'organization']
  const unknown = Object.keys(query as object).filter((name) => !takes.includes(name))
  if (unknown.length === 0) return
  const sentenceOf = (name: string) =>
    `The parameter ${name} is unknown. The known ones are: ${takes.join(', ')}.`
  const named = unknown.slice(0, mostNamed).map(readable)
  throw invalid(Object.fromEntries(named.map((name) => [name, [sentenceOf(name)]])))
}

/** For answers of handlers that have warnings of their own. */
export const warningsField = { warnings: z.array(z.string()).optional() }

type Schema = z.core.$ZodTypes

/**
 * Collects the paths of unknown members, at most one more than are named. `above` is the names that
 * lead to `value`: a path is written only for what is unknown, which a large batch seldom has.
 */
function collect(schemas: readonly z.ZodType[], value: unknown, above: string[], into: string[]) {
  if (typeof value !== 'object' || value === null) return
  const found = schemas.flatMap(formsOf).map((form) => membersOf(form, value))
  if (found.includes('any')) return
  const lookUps = found.filter((each) => typeof each === 'function')
  if (lookUps.length === 0) return
  for (const [name, member] of Object.entries(value)) {
    if (into.length > mostNamed) return
    const known = lookUps.flatMap((lookUp) => lookUp(name) ?? [])
    above.push(name)
    if (known.length > 0) collect(known, member, above, into)
    else into.push(above.map(readable).join('.'))
    above.pop()
  }
}

/**
 * The schemas of the members of `value` by name: `any` when every member is allowed, `none` when
 * there are no members to check.
 */
function membersOf(
  { _zod: { def } }: Schema,
  value: object,
): ((name: string) => z.ZodType | undefined) | 'any' | 'none' {
  switch (def.type) {
    case 'object': {
      const { shape, catchall } = def
      if (catchall && catchall._zod.def.type !== 'never') return 'any'
      return (name) => (Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined)
    }
    case 'array': {
      const element = def.element as z.ZodType
      // A list of 100,000 ids has no members to check.
      const isFlat = formsOf(element).every(({ _zod }) => flatTypes.has(_zod.def.type))
      return Array.isArray(value) && !isFlat ? () => element : 'none'
    }
    case 'record':
      return () => def.valueType as z.ZodType
    default:
      return flatTypes.has(def.type) ? 'none' : 'any'
  }
}

const flatTypes: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'undefined',
  'enum',
  'literal',
])

const forms = new WeakMap<z.ZodType, readonly Schema[]>()

/** The schemas inside all wrappers. */
function formsOf(schema: z.ZodType): readonly Schema[] {
  let found = forms.get(schema)
  if (!found) {
    found = unwrap(schema)
    forms.set(schema, found)
  }
  return found
}

function unwrap(schema: z.ZodType): readonly Schema[] {
  const known = schema as unknown as Schema
  const later = readingOf(schema)
  if (later) return formsOf(later)
  const { def } = known._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return formsOf(def.innerType as z.ZodType)
    case 'pipe': {
      const { in: first, out } = def
      return formsOf((first._zod.def.type === 'transform' ? out : first) as z.ZodType)
    }
    case 'union':
      return def.options.flatMap((option) => formsOf(option as z.ZodType))
    default:
      return [known]
  }
}

/** Makes a name safe for the answer and the store of answers. */
function readable(name: string): string {
  const text = name.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd')
  return text.length > longestName ? `${text.slice(0, longestName)}…` : text
}
