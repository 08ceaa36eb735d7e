import type { Components, JsonSchema } from './openapi-schemas.ts'

/** Words that several schemas share, by name, for the types of generated clients. */
export type Enumerations = Readonly<Record<string, readonly string[]>>

/** Lists the schema of a request body under the operation's name: `RegisterDeviceRequest`. */
export function nameBody(operation: string, schema: JsonSchema, components: Components) {
  if (schema.$ref !== undefined || schema.properties === undefined) return schema
  const name = `${capitalize(operation)}Request`
  if (components.has(name)) throw new Error(`a schema has the name of the body ${name}`)
  components.set(name, schema)
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * Lists the alternatives of an answer by the names of the operation and of each: `LogInCodeNeeded`.
 * Two operations have alternatives of one title, and generators would take them for one.
 */
export function nameAlternatives(operation: string, schema: JsonSchema, components: Components) {
  if (!Array.isArray(schema.anyOf)) return schema
  const anyOf = (schema.anyOf as JsonSchema[]).map(({ title, ...form }) => {
    if (typeof title !== 'string') return form
    const name = [operation, ...title.split(/\W+/)].map(capitalize).join('')
    if (components.has(name)) throw new Error(`two schemas have the name ${name}`)
    components.set(name, form)
    return { $ref: `#/components/schemas/${name}` }
  })
  return { ...schema, anyOf }
}

function capitalize(word: string): string {
  return (word[0]?.toUpperCase() ?? '') + word.slice(1)
}

/**
 * The same part of a document, with references to `enumerations` where their words stand, in
 * whatever order. Examples are data and stay as they are.
 */
export function nameEnumerations<T>(part: T, enumerations: Enumerations): T {
  const names = new Map(Object.entries(enumerations).map(([name, words]) => [keyOf(words), name]))
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const name = isEnumeration(value) && names.get(keyOf(value.enum))
    if (name) {
      const { type: _, enum: __, ...rest } = value as JsonSchema
      return { $ref: `#/components/schemas/${name}`, ...rest }
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, isData(key, inner) ? inner : walk(inner)]),
    )
  }
  return walk(part) as T
}

/** A property may have the name `example` too: then it is a schema. */
function isData(key: string, value: unknown): boolean {
  if (key === 'examples') return true
  const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value)
  return key === 'example' && !isSchema
}

function isEnumeration(value: object): value is { enum: string[] } {
  return 'enum' in value && Array.isArray(value.enum)
}

function keyOf(words: readonly unknown[]): string {
  return JSON.stringify([...words].sort())
}

/** The schemas of the enumerations themselves. */
export function enumerationSchemas(enumerations: Enumerations): [string, JsonSchema][] {
  return Object.entries(enumerations).map(([name, words]) => [
    name,
    { type: 'string', enum: [...words], ...variableNames(words) },
  ])
}

/** Names for the words of an enumeration, for generators, where a word has no letter or digit. */
function variableNames(words: readonly string[]) {
  const isNamed = words.every((word) => /[a-z0-9]/i.test(word))
  return isNamed
    ? {}
    : { 'x-enum-varnames': words.map((word) => (/\w/.test(word) ? word : 'Unknown')) }
}
