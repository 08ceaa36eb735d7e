import type { AnyEndpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import type { Parameter } from './openapi-parameters.ts'
import type { Components, JsonSchema } from './openapi-schemas.ts'
import { paginatedList } from './pages.ts'

type Examples = Record<string, { value: unknown }>

/** The examples of a request's body: the endpoint's own, or one put together from the fields. */
export function bodyExamples<S>(
  endpoint: AnyEndpoint<S>,
  schema: JsonSchema,
  components: Components,
): { examples?: Examples } {
  return (
    ownExamples(endpoint, 'body') ?? { ...composed(schema, (each) => exampleOf(each, components)) }
  )
}

/** Where a list is, and what it can be asked for. */
export interface ListPlace {
  /** Absolute URL without a query. */
  address: string
  parameters: readonly Parameter[]
}

/** The examples of a success, one for each of the forms that it can have. */
export function answerExamples<S>(
  endpoint: AnyEndpoint<S>,
  schema: JsonSchema,
  components: Components,
  place: ListPlace,
): { examples?: Examples } {
  const compose = (each: JsonSchema) =>
    isPaginated(each) ? examplePage(each, components, place) : exampleOf(each, components)
  return ownExamples(endpoint, 'answer') ?? composed(schema, compose)
}

function ownExamples<S>(endpoint: AnyEndpoint<S>, part: 'body' | 'answer') {
  const given = (endpoint.examples ?? []).filter((example) => example[part] !== undefined)
  if (given.length === 0) return undefined
  return { examples: Object.fromEntries(given.map((each) => [each.name, { value: each[part] }])) }
}

/** Alternatives are told apart by their titles. */
function composed(schema: JsonSchema, compose: (schema: JsonSchema) => unknown) {
  const forms = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [schema]
  const examples: Examples = {}
  for (const [index, form] of forms.entries()) {
    const value = compose(form)
    const name = typeof form.title === 'string' ? form.title : `example ${index + 1}`
    if (value !== undefined) examples[forms.length === 1 ? 'example' : name] = { value }
  }
  return Object.keys(examples).length > 0 ? { examples } : {}
}

function isPaginated({ properties }: JsonSchema): boolean {
  const { meta } = (properties ?? {}) as Record<string, JsonSchema>
  return meta?.$ref === '#/components/schemas/PageMeta'
}

/** The first page of a list of one record, as the list's own address gives it. */
function examplePage(
  { properties }: JsonSchema,
  components: Components,
  { address, parameters }: ListPlace,
) {
  const data = exampleOf((properties as Record<string, JsonSchema>).data ?? {}, components)
  if (!Array.isArray(data)) return undefined
  const defaults = parameters.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  )
  const payload = Object.fromEntries(defaults) as Record<string, unknown>
  const page = { number: 1, size: 10, perPage: 10 }
  return paginatedList(data, data.length, page, { address, query: {}, payload })
}
