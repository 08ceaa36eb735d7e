import { connect, type Socket } from 'node:net'

/*
 * HTTP/1.1 over a plain socket, one request at a time. The load generator shares the machine with
 * the service, so each of its cycles lowers the result (README.md, "The generator").
 */

export interface Answer {
  status: number
  bytes: number
}

export interface Target {
  host: string
  port: number
}

/** Opens a connection that calls `onAnswer` for each whole answer. Errors close it. */
export function openConnection(
  { host, port }: Target,
  onAnswer: (answer: Answer) => void,
  onError: (error: Error) => void,
): Socket {
  const socket = connect({ host, port, noDelay: true })
  let pending: Buffer | undefined
  let expected: Head | undefined
  socket.on('data', (chunk: Buffer) => {
    pending = pending ? Buffer.concat([pending, chunk]) : chunk
    try {
      expected ??= readHead(pending)
    } catch (error) {
      socket.destroy(error as Error)
      return
    }
    if (!expected || !isWhole(pending, expected)) return
    const answer = { status: expected.status, bytes: pending.length }
    pending = undefined
    expected = undefined
    onAnswer(answer)
  })
  socket.on('error', onError)
  socket.on('end', () => onError(new Error('the server closed a connection')))
  return socket
}

interface Head {
  status: number
  /** Of the whole answer; undefined where it comes in chunks. */
  bytes: number | undefined
}

const lastChunk = Buffer.from('\r\n0\r\n\r\n')

function isWhole(data: Buffer, { bytes }: Head): boolean {
  if (bytes !== undefined) return data.length >= bytes
  return data.subarray(-lastChunk.length).equals(lastChunk)
}

const headEnd = Buffer.from('\r\n\r\n')
const statusOffset = 'HTTP/1.1 '.length

/** The status and the length of the whole answer, once its head is there. */
function readHead(data: Buffer): Head | undefined {
  const end = data.indexOf(headEnd)
  if (end < 0) return undefined
  const head = data.toString('latin1', 0, end)
  const status = Number(head.slice(statusOffset, statusOffset + 3))
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, bytes: undefined }
  // It has neither a body nor a length (RFC 9110, 8.6).
  const length = status === 204 ? '0' : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  return { status, bytes: end + headEnd.length + Number(length) }
}

/** The bytes of a request. */
export function requestBytes(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Buffer {
  const sent = { host: '127.0.0.1', ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
