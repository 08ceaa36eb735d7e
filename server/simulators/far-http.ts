// The HTTP side of a simulated network: routes, credentials, faults, and a record of the calls.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FarAnswer, FarCall, FarRoute } from './far-call.ts'
import {
  createPace,
  createRestrictions,
  type RestrictedAnswers,
  type Restrictions,
  restrict,
  tooManyRequests,
} from './far-restrictions.ts'

export interface FarHttpOptions extends RestrictedAnswers {
  /** The clock of the rate limit; the system clock by default. */
  now?(): number
  routes: readonly FarRoute[]
  /** Returns the answer to a call with wrong credentials; undefined if they are right. */
  authorize(call: FarCall): FarAnswer | undefined
  /** Makes a refusal in the network's own form. */
  refusal(words: string): FarAnswer
}

export interface FarHttp {
  /** `http://host:port`. */
  address: string
  /** Every call since the start, for tests. */
  calls: FarCall[]
  faults: HttpFaults
  restrictions: Restrictions
  /** Whether the network has rights that can be taken away. */
  hasRights: boolean
  close(): Promise<void>
}

interface HttpFaults {
  /** Milliseconds before every answer. */
  latencyMs: number
  /** Closes every connection without an answer. */
  isAway: boolean
  /** The message with which every call that changes something is refused. */
  refusal: string | undefined
  /** Answers that replace the real ones, by method and route, such as `POST /devices`. */
  answers: Record<string, FarAnswer | (() => PlannedAnswer | Promise<PlannedAnswer>)>
}

/** If undefined, the simulator gives the real answer. */
type PlannedAnswer = FarAnswer | undefined

const longestBody = 1024 * 1024

export async function listen(
  options: FarHttpOptions,
  host: string,
  port: number,
): Promise<FarHttp> {
  const faults: HttpFaults = { latencyMs: 0, isAway: false, refusal: undefined, answers: {} }
  const restrictions = createRestrictions()
  const pace = createPace(restrictions)
  const keepPace = () => {
    const seconds = pace((options.now ?? Date.now)())
    if (seconds === undefined) return undefined
    restrictions.tooManyCalls += 1
    const { callsPerMinute = 0 } = restrictions
    return options.slowDown?.(seconds, callsPerMinute) ?? tooManyRequests(seconds)
  }
  const calls: FarCall[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    if (faults.isAway) return void request.socket.destroy()
    respond(options, { faults, calls, restrictions, keepPace }, request, response).catch(
      (error: unknown) => {
        response.writeHead(500).end(String(error))
      },
    )
  })
  server.on('connection', (socket) => {
    if (faults.isAway) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return {
    address: `http://${host}:${bound}`,
    calls,
    faults,
    restrictions,
    hasRights: options.rightOf !== undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Everything except the routes that an answer depends on. */
interface Answering extends Pick<FarHttp, 'faults' | 'calls' | 'restrictions'> {
  /** Returns the refusal of a call that exceeds the rate limit; else undefined. */
  keepPace(): FarAnswer | undefined
}

async function respond(
  options: FarHttpOptions,
  answering: Answering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = await readCall(request)
  const found = findRoute(options.routes, call)
  const { faults, calls } = answering
  if (faults.latencyMs > 0) await sleep(faults.latencyMs, undefined, { ref: false })
  const whole: FarCall = { ...call, route: found?.route[1] ?? '', params: found?.params ?? {} }
  calls.push(whole)
  const answer = await answerTo(options, answering, whole, found?.route[2])
  whole.answer = answer
  const isText = typeof answer.body === 'string'
  const body = answer.body === undefined ? '' : isText ? answer.body : JSON.stringify(answer.body)
  const type = isText ? 'text/plain' : 'application/json'
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers })
  response.end(body)
}

async function answerTo(
  options: FarHttpOptions,
  { faults, restrictions, keepPace }: Answering,
  call: FarCall,
  handle: FarRoute[2] | undefined,
): Promise<FarAnswer> {
  const turnedAway = options.authorize(call) ?? keepPace()
  if (turnedAway) return turnedAway
  if (!handle)
    return { status: 404, body: { message: `no such call: ${call.method} ${call.path}` } }
  const planted = faults.answers[`${call.method} ${call.route}`]
  const instead = typeof planted === 'function' ? await planted() : planted
  if (instead) return instead
  const { refusal } = faults
  if (refusal !== undefined && call.method !== 'GET') return options.refusal(refusal)
  return restrict(restrictions, options, call) ?? handle(call)
}

function findRoute(
  routes: readonly FarRoute[],
  { method, path }: Pick<FarCall, 'method' | 'path'>,
): { route: FarRoute; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = route[0] === method ? match(route[1], path) : undefined
    if (params) return { route, params }
  }
  return undefined
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, sent] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== sent.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = sent[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return undefined
  }
  return params
}

async function readCall(request: IncomingMessage): Promise<Omit<FarCall, 'route' | 'params'>> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > longestBody) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  const url = new URL(request.url ?? '/', 'http://simulator')
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body: parse(text, headers['content-type'] ?? ''),
    text,
  }
}

function parse(text: string, type: string): unknown {
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
