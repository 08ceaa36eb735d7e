import type { ApiOperation } from './openapi.ts'

interface CurlOptions {
  /** Where the API is, with `/v1`. */
  base: string
  organizationId: number
  /** The user's own, or the name of a variable of the shell. */
  token: string | undefined
}

/** A request as a command of the shell, that works when it is pasted. */
export function toCurl(operation: ApiOperation, options: CurlOptions): string {
  const { method, body } = operation
  const url = options.base + pathOf(operation)
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`,
    ...(operation.isSigned ? [`-H ${tokenHeader(options.token)}`] : []),
    ...(operation.isOfOrganization
      ? [`-H ${quote(`Organization: ${options.organizationId}`)}`]
      : []),
    "-H 'Accept: application/json'",
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, undefined, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

function tokenHeader(token: string | undefined): string {
  return token === undefined
    ? '"Authorization: Bearer $TOKEN"'
    : quote(`Authorization: Bearer ${token}`)
}

/** The path with the examples of its parameters, and of those of the query that it needs. */
function pathOf({ path, parameters }: ApiOperation): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.example
    return example === undefined ? whole : encodeURIComponent(String(example))
  })
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, example = '' }) => `${name}=${encodeURIComponent(String(example))}`)
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

/** For a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
