/* What generators of clients cannot express, written in another way. */

type JsonSchema = Record<string, unknown>

/**
 * Generators know one type at a time, and null as well; they make no type of an object or a list.
 */
export function splitTypes({ ...schema }: JsonSchema): JsonSchema {
  const forms = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : []
  const types = Array.isArray(schema.type) ? schema.type : forms.map(({ type }) => type)
  const words = forms.map((form) => form.const)
  if (forms.length > 0 && words.every(Number.isInteger)) return { type: 'integer', enum: words }
  if (Number.isInteger(schema.const)) schema.type = 'integer'
  if (types.includes('array') && types.includes('object')) delete schema.anyOf
  else if (Array.isArray(schema.type) && types.filter((type) => type !== 'null').length > 1) {
    delete schema.type
    schema.anyOf = types.map((type) => ({ type }))
  }
  return schema
}

/**
 * What generators of clients can express: they know no member that is only ever null, and make one
 * name of `gateway_name` and `gatewayName`.
 */
export function propertiesForClients(properties: Record<string, JsonSchema>) {
  const kept = Object.entries(properties).filter(([, schema]) => schema.isAlias !== true)
  refuseTwins(kept.map(([name]) => name))
  return Object.fromEntries(
    kept.map(([name, schema]) => [
      name,
      schema.type === 'null' ? { ...schema, type: ['string', 'null'], examples: [null] } : schema,
    ]),
  )
}

/** What generators make for a schema or an operation `X`, besides a type of that name. */
const madeOfSchema = [
  'NewX',
  'NewXWithDefaults',
  'NewXFromValue',
  'NullableX',
  'NewNullableX',
  'AllowedXEnumValues',
  'XFromJSON',
  'XToJSON',
  'instanceOfX',
]
const madeOfOperation = [
  'ApiXRequest',
  'XOperationRequest',
  'NewXRequest',
  'NewXRequestWithBody',
  'XParams',
  'XResponse',
  'ParseXResponse',
  'XJSONBody',
  'XJSONRequestBody',
]
/** What generated clients always have. */
const madeAlways = [
  'ApiClient',
  'ApiException',
  'ApiResponse',
  'AuthenticatedClient',
  'BasicAuth',
  'Client',
  'Configuration',
  'File',
  'JSON',
  'Middleware',
  'Option',
  'Pair',
  'Response',
  'ServerConfiguration',
  'ServerVariable',
  'Unset',
  ...['Bool', 'Float32', 'Float64', 'Int', 'Int32', 'Int64', 'String', 'Time'].map(
    (type) => `Nullable${type}`,
  ),
]

/**
 * Refuses names that become two things of one name in a client: with a schema `Limits`, Go's
 * constructor of it is `NewLimits`.
 */
export function checkNames(schemas: readonly string[], operations: readonly string[]): void {
  refuseTwins(schemas)
  const own = new Map(schemas.map((name) => [plain(name), name]))
  const refuse = (made: string, origin: string) => {
    const schema = own.get(plain(made))
    if (schema) throw new Error(`generators make ${made} ${origin}: rename the schema ${schema}`)
  }
  for (const made of madeAlways) refuse(made, 'in every client')
  const sources = [
    { names: schemas, patterns: madeOfSchema, kind: 'schema' },
    { names: operations, patterns: madeOfOperation, kind: 'operation' },
  ]
  for (const { names, patterns, kind } of sources) {
    for (const name of names) {
      for (const pattern of patterns) refuse(pattern.replace('X', name), `of the ${kind} ${name}`)
    }
  }
}

/** Refuses names of one place that differ only in capitals and underscores. */
function refuseTwins(names: readonly string[]): void {
  const known = new Map<string, string>()
  for (const name of names) {
    const twin = known.get(plain(name))
    if (twin) throw new Error(`generators make one name of ${twin} and ${name}`)
    known.set(plain(name), name)
  }
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
