import { randomUUID } from 'node:crypto'
import {
  type IncomingHttpHeaders,
  IncomingMessage,
  type RequestListener,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { findUnreadable } from './error-handler.ts'
import { ownConnections, type TakeWhole } from './own-connections.ts'
import type { WholeRequest } from './read-whole-request.ts'

/** Of a POST request whose body is announced. */
export interface PostHead {
  url: string
  headers: IncomingHttpHeaders
}

/** What takes requests that come by the thousand; all others are left to Fastify. */
export interface FastPath<Call> {
  /** The begin of the addresses that are asked about. */
  prefix: string
  /** In bytes. */
  largestBody: number
  /** What the head of a request tells that may be stored so; undefined for all others. */
  find(head: PostHead): Call | undefined
  /** Undefined where the endpoint has to judge. */
  store(call: Call, body: Buffer): Promise<void> | undefined
  /** What is answered to an error of storing; undefined where the endpoint has to judge. */
  refusalOf(error: unknown): unknown
  /** JSON, for what is stored. */
  answer: string
  /** The headers of every answer with this id. */
  everyAnswer(id: string): Record<string, string>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on Fastify answers the next request of each connection. */
    leaveFastPath(): void
  }
}

/** Leaves a request to Fastify: with the body that was read, or with the error that is its answer. */
type HandOver = (request: IncomingMessage, response: ServerResponse, outcome: unknown) => void

/**
 * Offers each request to `path` before Fastify has it. What Node's HTTP, Fastify and the general layers
 * keep for a request costs more than storing an uplink (docs/decisions/0050-fast-path-of-uplinks.md).
 * As long as a connection sends nothing else, its requests do not come to Node's HTTP either.
 */
export function addFastPath<Call>(app: FastifyInstance, path: FastPath<Call>): void {
  const { server } = app
  const [handle] = server.listeners('request') as RequestListener[]
  if (!handle) throw new Error('The server has no listener for requests.')
  const handOver = createHandOver(app, handle)
  const connections = ownConnections(server, {
    largestBody: path.largestBody,
    take: createTakeWhole(path, server.keepAliveTimeout, handOver),
  })
  app.decorate('leaveFastPath', connections.leaveAll)
  app.addHook('preClose', async () => connections.end())
  server.removeListener('request', handle)
  server.on('request', (request, response) => {
    if (!takeRequest(path, request, response, handOver)) handle(request, response)
  })
}

function createHandOver(app: FastifyInstance, handle: RequestListener): HandOver {
  const outcomes = new WeakMap<IncomingMessage, unknown>()
  app.addHook('preParsing', ({ raw }, _reply, _payload, done) => {
    if (!outcomes.has(raw)) return done()
    const outcome = outcomes.get(raw)
    return Buffer.isBuffer(outcome) ? done(null, Readable.from([outcome])) : done(outcome as Error)
  })
  return (request, response, outcome) => {
    outcomes.set(request, outcome)
    handle(request, response)
  }
}

function createTakeWhole<Call>(
  path: FastPath<Call>,
  keepAlive: number,
  handOver: HandOver,
): TakeWhole {
  const makeAnswer = createAnswerMaker(path, keepAlive)
  return (whole, socket, done) => {
    if (!whole.url.startsWith(path.prefix)) return false
    const pass = (outcome: unknown) => {
      const { request, response } = toNodeRequest(whole, socket, done)
      response.setHeader('keep-alive', keepAliveOf(keepAlive))
      handOver(request, response, outcome)
    }
    const call = path.find(whole)
    if (call) storeOrPass(path, call, whole.body, { acknowledge: () => done(makeAnswer()), pass })
    else pass(whole.body)
    return true
  }
}

interface Ways {
  acknowledge(): void
  /** Leaves it to Fastify: with its body, or with the error that is the answer. */
  pass(outcome: unknown): void
}

function storeOrPass<Call>(
  path: FastPath<Call>,
  call: Call,
  body: Buffer,
  { acknowledge, pass }: Ways,
): void {
  const storing = path.store(call, body)
  if (storing) storing.then(acknowledge, (error) => pass(path.refusalOf(error) ?? body))
  else pass(body)
}

/** The request as Node's HTTP makes it, but for its body, and its response on the connection. */
function toNodeRequest(
  { url, headers }: WholeRequest,
  socket: Socket,
  done: () => void,
): { request: IncomingMessage; response: ServerResponse } {
  const request = new IncomingMessage(socket)
  const rawHeaders = Object.entries(headers).flat() as string[]
  // A copy: requests with the same head share their headers.
  const own = { method: 'POST', url, headers: { ...headers }, rawHeaders, complete: true }
  Object.assign(request, own)
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 })
  request.push(null)
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    // Its `close`, as Node's HTTP does.
    response.destroy()
    if (response.getHeader('connection') === 'close') socket.destroySoon()
    done()
  })
  return { request, response }
}

/** The bytes of an answer, with the headers that Node gives it. */
function createAnswerMaker<Call>(path: FastPath<Call>, keepAlive: number): () => string {
  const { answer } = path
  const place = randomUUID()
  const headers = {
    ...answerHeaders(path, place),
    connection: 'keep-alive',
    'keep-alive': keepAliveOf(keepAlive),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const [begin = '', end = ''] = `HTTP/1.1 200 OK\r\n${lines.join('')}`.split(place)
  let date = { second: 0, text: '' }
  return () => {
    const second = Math.floor(Date.now() / 1000)
    if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() }
    return `${begin}${randomUUID()}${end}date: ${date.text}\r\n\r\n${answer}`
  }
}

function keepAliveOf(milliseconds: number): string {
  return `timeout=${Math.floor(milliseconds / 1000)}`
}

/** The same behind Node's HTTP. Returns false when it has read nothing of the body. */
function takeRequest<Call>(
  path: FastPath<Call>,
  request: IncomingMessage,
  response: ServerResponse,
  handOver: HandOver,
): boolean {
  const { url = '', headers } = request
  if (!isSmallPost(request, path.largestBody)) return false
  const call = path.find({ url, headers })
  if (!call || findUnreadable(request)) return false
  readBody(request, (body) =>
    storeOrPass(path, call, body, {
      acknowledge: () => acknowledge(path, response),
      pass: (outcome) => handOver(request, response, outcome),
    }),
  )
  return true
}

/** Whether the whole body is announced and no larger than `largest`. */
function isSmallPost({ method, headers }: IncomingMessage, largest: number): boolean {
  const length = Number(headers['content-length'])
  return method === 'POST' && length > 0 && length <= largest
}

/** Calls `onBody` with the whole body, unless the client goes away before. */
function readBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const [only = Buffer.alloc(0)] = chunks
    onBody(chunks.length > 1 ? Buffer.concat(chunks) : only)
  })
}

function acknowledge<Call>(path: FastPath<Call>, response: ServerResponse): void {
  response.writeHead(200, answerHeaders(path, randomUUID()))
  response.end(path.answer)
}

function answerHeaders<Call>({ answer, everyAnswer }: FastPath<Call>, id: string) {
  return {
    ...everyAnswer(id),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(answer),
  }
}
