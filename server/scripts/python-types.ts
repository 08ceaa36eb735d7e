import type { JsonSchema } from '../src/http/openapi-schemas.ts'

/** Python's words; a member or parameter of one of these names needs another form. */
const keywords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with yield`.split(
    /\s+/,
  ),
)

export const isPythonName = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

/** The types of Python for the document's schemas. */
export interface PythonTypes {
  /** An annotation. Objects without a name of their own become classes under `name`. */
  typeOf(schema: JsonSchema | undefined, name: string): string
  /** The names that the document's types have. */
  names(): string[]
  /** The module with all of them. */
  text(): string
}

export function createPythonTypes(schemas: Record<string, unknown>): PythonTypes {
  const written = new Map<string, string>()
  const named = new Map<JsonSchema, string>()

  function typeOf(schema: JsonSchema | undefined, name: string): string {
    if (!schema) return 'Any'
    if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
    if ('const' in schema) return literal([schema.const])
    if (Array.isArray(schema.enum)) return literal(schema.enum)
    const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (choices) return unite(choices.map((each, index) => typeOf(each, `${name}${index || ''}`)))
    if (Array.isArray(schema.type))
      return unite(schema.type.map((type) => typeOf({ ...schema, type }, name)))
    return typeOfKind(schema, name)
  }

  function typeOfKind(schema: JsonSchema, name: string): string {
    if (schema.type === 'array')
      return `list[${typeOf(schema.items as JsonSchema | undefined, `${name}Item`)}]`
    if (schema.type === 'object') return typeOfObject(schema, name)
    return kinds[String(schema.type)] ?? 'Any'
  }

  function typeOfObject(schema: JsonSchema, name: string): string {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    const further = schema.additionalProperties
    if (properties.length === 0) {
      return `dict[str, ${typeof further === 'object' ? typeOf(further as JsonSchema, `${name}Value`) : 'Any'}]`
    }
    const known = named.get(schema)
    if (known) return known
    if (written.has(name)) throw new Error(`two types of Python would be named ${name}`)
    named.set(schema, name)
    written.set(name, '')
    const required = new Set((schema.required ?? []) as string[])
    const members = properties.map(([key, part]): Member => {
      const type = typeOf(part, name + pascal(key))
      return { key, type: required.has(key) ? type : `NotRequired[${type}]` }
    })
    written.set(name, classText(name, members))
    return name
  }

  for (const [name, schema] of Object.entries(schemas)) {
    const type = typeOf(schema as JsonSchema, name)
    if (type !== name) written.set(name, `${name}: TypeAlias = ${JSON.stringify(type)}\n`)
  }
  return {
    typeOf,
    names: () => [...written.keys()].sort(),
    text: () => moduleStart + [...written.values()].join('\n'),
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

// What needs Python 3.11 is only read by checkers of types, which bring `typing_extensions`.
const moduleStart = `# Made by "npm run client" from the service's OpenAPI document.
"""The types of what is sent and answered: dictionaries, as JSON has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

`

interface Member {
  key: string
  type: string
}

function classText(name: string, members: readonly Member[]): string {
  if (members.every(({ key }) => isPythonName(key))) {
    const lines = members.map(({ key, type }) => `    ${key}: ${type}`)
    return `class ${name}(TypedDict):\n${lines.join('\n')}\n`
  }
  const lines = members.map(
    ({ key, type }) => `        ${JSON.stringify(key)}: "${quoteIn(type)}",`,
  )
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)\n`
}

const quoteIn = (type: string) => type.replaceAll('"', "'")

function literal(values: readonly unknown[]): string {
  const words = values.filter((value) => value !== null)
  // A literal of Python is no fraction.
  const isWhole = words.every((value) => typeof value !== 'number' || Number.isInteger(value))
  const texts = words.map((value) =>
    typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value),
  )
  const type = isWhole ? `Literal[${texts.join(', ')}]` : 'float'
  const parts = words.length === 0 ? [] : [type]
  return unite(words.length < values.length ? [...parts, 'None'] : parts)
}

const unite = (types: readonly string[]) => [...new Set(types)].join(' | ') || 'Any'

/** `register_device` or `deviceName` as a part of the name of a class. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())

/** `registerDevice` as a function of Python is named. */
export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
