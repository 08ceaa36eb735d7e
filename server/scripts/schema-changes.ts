import type { OpenApiDocument } from '../src/http/openapi.ts'
import type { JsonSchema } from '../src/http/openapi-schemas.ts'

export type Document = Pick<OpenApiDocument, 'components'>

/** Whether clients send values of a schema or get them. */
type Direction = 'request' | 'answer'

interface Context {
  direction: Direction
  before: Document
  after: Document
  /** Pairs of schemas that are compared already, because schemas may contain themselves. */
  seen: Set<string>
}

/** Breaking changes between two schemas; `where` begins each sentence. */
export function compareSchemas(
  direction: Direction,
  where: string,
  pair: readonly [JsonSchema, JsonSchema],
  { before, after }: { before: Document; after: Document },
): string[] {
  return compare(where, pair, { direction, before, after, seen: new Set() })
}

function compare(
  where: string,
  [before, after]: readonly [JsonSchema, JsonSchema],
  context: Context,
): string[] {
  const names = `${before.$ref} ${after.$ref}`
  if (before.$ref !== undefined || after.$ref !== undefined) {
    if (context.seen.has(names)) return []
    context.seen.add(names)
  }
  const former = readShape(before, context.before)
  const present = readShape(after, context.after)
  return [
    ...compareTypes(where, former, present, context),
    ...compareWords(where, former, present, context),
    ...compareLimits(where, former, present, context),
    ...compareMembers(where, former, present, context),
    ...(former.items && present.items
      ? compare(`${where}[]`, [former.items, present.items], context)
      : []),
  ]
}

/** What all alternatives of a schema allow together. */
interface Shape {
  /** Undefined if anything is allowed. */
  types: string[] | undefined
  /** The only texts and numbers; undefined if others are allowed. */
  words: string[] | undefined
  limits: Map<string, number>
  members: Map<string, { schema: JsonSchema; isRequired: boolean }>
  items: JsonSchema | undefined
}

const limitNames = ['minLength', 'minimum', 'minItems', 'maxLength', 'maximum', 'maxItems']

function readShape(schema: JsonSchema, document: Document): Shape {
  const forms = expand(schema, document)
  const isAnything = forms.some((form) => typesOf(form).length === 0)
  const withWords = forms.filter((form) => !typesOf(form).every((type) => structural.has(type)))
  const [only] = forms
  const lists = forms.flatMap(({ items }) => (items ? [items as JsonSchema] : []))
  return {
    types: isAnything ? undefined : [...new Set(forms.flatMap(typesOf))],
    words: withWords.every(hasWords) ? withWords.flatMap(wordsOf) : undefined,
    limits: new Map(
      limitNames.flatMap((name) => {
        const value = forms.length === 1 ? only?.[name] : undefined
        return typeof value === 'number' ? [[name, value] as const] : []
      }),
    ),
    members: membersOf(forms),
    items: lists.length > 1 ? { anyOf: lists } : lists[0],
  }
}

const structural = new Set(['object', 'array', 'null', 'boolean'])

/** The alternatives of a schema, without references. */
function expand(schema: JsonSchema, document: Document): JsonSchema[] {
  const { $ref, ...siblings } = schema
  if (typeof $ref === 'string') {
    const target = document.components.schemas?.[$ref.split('/').at(-1) ?? ''] as JsonSchema
    const own = siblings.properties as JsonSchema | undefined
    return expand(target ?? {}, document).map((form) =>
      own ? { ...form, properties: { ...(form.properties as JsonSchema), ...own } } : form,
    )
  }
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  return choices ? choices.flatMap((each) => expand(each, document)) : [schema]
}

function typesOf(form: JsonSchema): string[] {
  if (form.type !== undefined) return [form.type].flat() as string[]
  const values = hasWords(form) ? [form.enum ?? form.const].flat() : []
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
}

function hasWords(form: JsonSchema): boolean {
  return 'const' in form || Array.isArray(form.enum)
}

function wordsOf(form: JsonSchema): string[] {
  return [form.enum ?? form.const].flat().map(String)
}

/** A member is required if every alternative with members requires it. */
function membersOf(forms: readonly JsonSchema[]): Shape['members'] {
  const objects = forms.filter(({ properties }) => properties !== undefined)
  const members: Shape['members'] = new Map()
  for (const { properties } of objects) {
    for (const [name, schema] of Object.entries(properties as Record<string, JsonSchema>)) {
      const known = members.get(name)
      const isRequired = objects.every(({ required }) => (required as string[])?.includes(name))
      members.set(name, {
        schema: known ? { anyOf: [known.schema, schema] } : schema,
        isRequired,
      })
    }
  }
  return members
}

function compareTypes(where: string, before: Shape, after: Shape, { direction }: Context) {
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before]
  if (!wide.types) return []
  const says = direction === 'request' ? 'is no longer taken as' : 'may be'
  const missing = (narrow.types ?? ['anything']).filter((type) => {
    const isInteger = type === 'integer' && wide.types?.includes('number')
    return !isInteger && !wide.types?.includes(type)
  })
  return missing.map((type) => `${where} ${says} ${type}${direction === 'answer' ? ' now' : ''}`)
}

function compareWords(where: string, before: Shape, after: Shape, { direction }: Context) {
  if (direction === 'answer' && before.words && !after.words)
    return [`${where} may be any text now`]
  if (direction === 'request' && !before.words && after.words && before.types) {
    return [`${where} is only taken as ${after.words.join(', ')} now`]
  }
  if (!after.words) return []
  const gone = (before.words ?? []).filter((word) => !after.words?.includes(word))
  return gone.map((word) => `the value ${word} of ${where} is gone`)
}

/** Compares limits only of what clients send. */
function compareLimits(where: string, before: Shape, after: Shape, { direction }: Context) {
  if (direction === 'answer') return []
  return [...after.limits].flatMap(([name, limit]) => {
    const former = before.limits.get(name)
    const isSame = former === limit
    const isWider =
      former !== undefined && (name.startsWith('max') ? limit > former : limit < former)
    return isSame || isWider
      ? []
      : [`${where} has ${name} ${limit} now, before ${former ?? 'none'}`]
  })
}

function compareMembers(where: string, before: Shape, after: Shape, context: Context): string[] {
  const inner = (name: string) => `${where}.${name}`
  const kept = [...before.members].flatMap(([name, former]) => {
    const present = after.members.get(name)
    if (!present) return [`${inner(name)} is gone`]
    const isLess = context.direction === 'answer' && former.isRequired && !present.isRequired
    return [
      ...(isLess ? [`${inner(name)} may be absent now`] : []),
      ...compare(inner(name), [former.schema, present.schema], context),
    ]
  })
  if (context.direction === 'answer') return kept
  const demanded = [...after.members].filter(
    ([name, { isRequired }]) => isRequired && !before.members.get(name)?.isRequired,
  )
  return [...kept, ...demanded.map(([name]) => `${inner(name)} is required now`)]
}
