/* What generators of clients cannot express, written in another way. */

type JsonSchema = Record<string, unknown>

/**
 * Generators know one type at a time, and null beside it; they make no type of an object or a list.
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
  return Object.fromEntries(
    kept.map(([name, schema]) => [
      name,
      schema.type === 'null' ? { ...schema, type: ['string', 'null'], examples: [null] } : schema,
    ]),
  )
}
