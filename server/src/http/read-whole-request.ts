import type { IncomingHttpHeaders } from 'node:http'

/** A request whose bytes are all there. */
export interface WholeRequest {
  url: string
  /** As Node's HTTP has them: names in lower case. */
  headers: IncomingHttpHeaders
  body: Buffer
  /** What came behind it. */
  rest: Buffer | undefined
}

/** Undefined for what is not this plain form of a request, and `incomplete` while it may become one. */
export type ReadWholeRequest = (bytes: Buffer) => WholeRequest | 'incomplete' | undefined

interface Head {
  bytes: Uint8Array
  url: string
  headers: IncomingHttpHeaders
  bodyLength: number
}

const largestHead = 8192
const headEnd = Buffer.from('\r\n\r\n')

/** No percent sign: Node and its users decide what an encoded address means. */
const requestLine = /^POST (\/[\w\-./?&=~:,;@+!$'()*]*) HTTP\/1\.1$/
/** RFC 9112, 5: no space before the colon, and here no byte beyond ASCII and no tab inside. */
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(?![ \t])([!-~](?:[ -~]*[!-~])?)?[ \t]*$/
const bodyLengthForm = /^[1-9][0-9]{0,8}$/

/**
 * What changes how a message is framed or what happens to its connection (RFC 9110, 9112), and what Node
 * does not give as a text.
 */
const special: ReadonlySet<string> = new Set([
  ...['transfer-encoding', 'upgrade', 'expect', 'trailer', 'te', 'http2-settings'],
  ...['keep-alive', 'proxy-connection', 'set-cookie', '__proto__'],
])

/**
 * Makes a reader for one connection: of POST requests in HTTP/1.1 with one Host, one Content-Length of
 * at most `largestBody`, and nothing unusual in their head. It judges strictly, since whatever it does
 * not read is left to Node's parser as it came. So it need not know what else is valid.
 */
export function createRequestReader(largestBody: number): ReadWholeRequest {
  // A sender repeats its head, but for the length now and then.
  let last: Head | undefined
  return (bytes) => {
    const isSame = last && bytes.subarray(0, last.bytes.length).equals(last.bytes)
    const head = isSame ? last : readHead(bytes)
    if (!head || head === 'incomplete') return head
    if (head.bodyLength > largestBody) return undefined
    last = head
    const begin = head.bytes.length
    const end = begin + head.bodyLength
    if (bytes.length < end) return 'incomplete'
    const rest = bytes.length > end ? bytes.subarray(end) : undefined
    return { url: head.url, headers: head.headers, body: bytes.subarray(begin, end), rest }
  }
}

function readHead(bytes: Buffer): Head | 'incomplete' | undefined {
  const end = bytes.indexOf(headEnd)
  if (end > largestHead) return undefined
  if (end < 0) return mayBecomeHead(bytes) ? 'incomplete' : undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const url = requestLine.exec(first)?.[1]
  const headers = url === undefined ? undefined : readHeaders(lines)
  const bodyLength = headers?.['content-length'] ?? ''
  if (url === undefined || !headers || !bodyLengthForm.test(bodyLength)) return undefined
  // A copy outside of the pool of Buffer: it lives as long as its connection, and would keep 64 kB.
  const own = new Uint8Array(bytes.subarray(0, end + headEnd.length))
  return { bytes: own, url, headers, bodyLength: Number(bodyLength) }
}

const firstBytes = Buffer.from('POST /')

function mayBecomeHead(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, firstBytes.length)
  const isBegin = firstBytes.compare(bytes, 0, length, 0, length) === 0
  // An empty line without CR ends a head for Node.
  return isBegin && bytes.length <= largestHead && !bytes.includes('\n\n')
}

/** Undefined where a header is repeated, or anything but a plain value. */
function readHeaders(lines: readonly string[]): IncomingHttpHeaders | undefined {
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const [, sentName, value = ''] = headerLine.exec(line) ?? []
    const name = sentName?.toLowerCase()
    if (name === undefined || special.has(name) || name in headers) return undefined
    headers[name] = value
  }
  const { host, connection = 'keep-alive' } = headers
  return host !== undefined && connection.toLowerCase() === 'keep-alive' ? headers : undefined
}
