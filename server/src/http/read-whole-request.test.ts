import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { createRequestReader } from './read-whole-request.ts'

/* Whatever the reader reads, Node's own parser reads in the same way; the rest it leaves alone. */

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

const seen: Seen[] = []
const server = createServer(async (request, response) => {
  const { method, url, headers } = request
  const one = { method, url, headers: { ...headers }, body: '' }
  seen.push(one)
  // A body that is cut off is none.
  const body = await buffer(request).catch(() => Buffer.alloc(0))
  one.body = body.toString('latin1')
  response.end()
})
server.on('clientError', (_error, socket) => socket.destroy())
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const { port } = server.address() as AddressInfo

/** What Node's HTTP reads in the bytes, on a connection that ends with them. */
async function readByNode(bytes: Buffer): Promise<Seen[]> {
  seen.length = 0
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.end(bytes)
  socket.resume()
  await once(socket, 'close')
  return [...seen]
}

const largestBody = 1000

function readHere(bytes: Buffer): { found: Seen[]; isWhole: boolean } {
  const read = createRequestReader(largestBody)
  const found: Seen[] = []
  let left: Buffer | undefined = bytes
  while (left) {
    const request = read(left)
    if (!request || request === 'incomplete') break
    const { url, headers, body } = request
    found.push({ method: 'POST', url, headers: { ...headers }, body: body.toString('latin1') })
    left = request.rest
  }
  return { found, isWhole: left === undefined }
}

const plain = ['Host: a', 'Content-Type: application/json', 'Content-Length: 2']
const toBytes = (first: string, lines: readonly string[], body = '{}', end = '\r\n') =>
  Buffer.from(`${[first, ...lines].join(end)}${end}${end}${body}`, 'latin1')
const first = 'POST /v1/callbacks/loriot/8?event=up HTTP/1.1'

test('a plain request is read, and what comes behind it is kept', async () => {
  const one = toBytes(first, plain)
  const other = toBytes(first, ['host:b', 'CONTENT-LENGTH:\t3 ', 'X-Empty:'], '[1]')
  const { found, isWhole } = readHere(Buffer.concat([one, one, other]))
  assert.ok(isWhole)
  assert.deepEqual(
    found.map(({ headers, body }) => [headers.host, body]),
    [
      ['a', '{}'],
      ['a', '{}'],
      ['b', '[1]'],
    ],
  )
})

test('a request is incomplete until its last byte is there', () => {
  const bytes = toBytes(first, plain)
  for (let end = 0; end < bytes.length; end += 1) {
    assert.equal(createRequestReader(largestBody)(bytes.subarray(0, end)), 'incomplete')
  }
})

const leftAlone: [name: string, bytes: Buffer][] = [
  ['another method', toBytes('PUT / HTTP/1.1', plain)],
  ['HTTP/1.0', toBytes('POST / HTTP/1.0', plain)],
  ['an encoded address', toBytes('POST /%61 HTTP/1.1', plain)],
  ['a whole URL as address', toBytes('POST http://a/ HTTP/1.1', plain)],
  ['two spaces in the first line', toBytes('POST  / HTTP/1.1', plain)],
  ['no Host', toBytes(first, plain.slice(1))],
  ['two Hosts', toBytes(first, ['host: b', ...plain])],
  ['no length', toBytes(first, plain.slice(0, 2))],
  ['two lengths', toBytes(first, [...plain, 'content-length: 2'])],
  ['two lengths in one', toBytes(first, ['Host: a', 'Content-Length: 2, 2'])],
  ['a signed length', toBytes(first, ['Host: a', 'Content-Length: +2'])],
  ['a length of nothing', toBytes(first, ['Host: a', 'Content-Length: 0'], '')],
  ['a large body', toBytes(first, ['Host: a', 'Content-Length: 1001'], '')],
  ['chunks', toBytes(first, [...plain, 'Transfer-Encoding: chunked'])],
  ['an odd coding', toBytes(first, [...plain, 'Transfer-Encoding : chunked'])],
  ['a last request', toBytes(first, [...plain, 'Connection: close'])],
  ['an upgrade', toBytes(first, [...plain, 'Upgrade: h2c'])],
  ['a question before the body', toBytes(first, [...plain, 'Expect: 100-continue'])],
  ['a folded header', toBytes(first, [...plain, 'X: a', ' b'])],
  ['a byte beyond ASCII', toBytes(first, [...plain, 'X: \xe9'])],
  ['a NUL', toBytes(first, [...plain, 'X: a\0b'])],
  ['a header without a colon', toBytes(first, [...plain, 'X'])],
  ['lines that end without CR', toBytes(first, plain, '{}', '\n')],
  ['a large head', toBytes(first, [...plain, `X: ${'x'.repeat(9000)}`])],
]

for (const [name, bytes] of leftAlone) {
  test(`${name} is left alone`, () => {
    assert.equal(createRequestReader(largestBody)(bytes), undefined)
  })
}

const odd = fc.constantFrom(
  ...[
    '\r',
    '\n',
    '\0',
    ' ',
    '\t',
    ':',
    ',',
    '%',
    '\x7f',
    '\xff',
    '0',
    'a',
    '"',
    '\r\n',
    '\r\n\r\n',
  ],
)
const change = fc.record({
  at: fc.nat(),
  removed: fc.nat({ max: 2 }),
  put: fc.oneof(odd, fc.constant('')),
})
const header = fc.constantFrom(
  ...['Connection: keep-alive', 'Connection: Keep-Alive, TE', 'Transfer-Encoding: chunked', 'X: 1'],
  ...['Content-Length: 2', 'Content-Length: 02', 'Host: b', '__proto__: a', 'X: 2', 'Cookie: a=b'],
  ...['Set-Cookie: a=b', 'Authorization: Bearer a', 'Accept-Encoding:  gzip, br ', 'x-y_z!: "a"'],
)

test('whatever is read is what Node reads', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(header, { maxLength: 3 }),
      fc.array(change, { maxLength: 2 }),
      fc.boolean(),
      async (more, changes, isTwice) => {
        let text = toBytes(first, [...plain, ...more]).toString('latin1')
        if (isTwice) text += text
        for (const { at, removed, put } of changes) {
          const place = at % text.length
          text = text.slice(0, place) + put + text.slice(place + removed)
        }
        const bytes = Buffer.from(text, 'latin1')
        const { found } = readHere(bytes)
        const byNode = await readByNode(bytes)
        assert.deepEqual(found, byNode.slice(0, found.length))
        count += found.length
      },
    ),
    { numRuns: 1500 },
  )
  assert.ok(count > 100, `only ${count} requests were read`)
})
