// Opens clients of the AWS SDK. Their calls go through `Outside`, have a deadline and are made
// once.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable, Transform } from 'node:stream'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { callInPace, type Pace } from '../pace.ts'
import type { AwsAccount } from './account.ts'
import { toNetworkError } from './errors.ts'

export interface CallOptions {
  /** For a call as a whole. */
  deadlineMs?: number
}

const defaultDeadlineMs = 10_000
const connectMs = 5_000
const longestAnswer = 4 * 1024 * 1024

/** The parts of a client of the AWS SDK that are changed. */
interface SdkClient {
  config: { requestHandler: Handler }
  middlewareStack: { add(middleware: never, options: typeof outermost): void }
}

/** Opens a client for the service at `address`. Every call of it throws `NetworkError`. */
export function openAwsClient<Client extends SdkClient>(
  Client: new (settings: ReturnType<typeof toSettings>) => Client,
  { account, address, outside }: { account: AwsAccount; address: URL; outside: Outside },
  options?: CallOptions,
): Client {
  const client = new Client(toSettings(account, address, outside))
  guardRequests(client.config, outside, options)
  client.middlewareStack.add(explainErrors(account, address, outside.pace) as never, outermost)
  return client
}

/**
 * Without these settings the SDK would look for them in the environment and in `~/.aws`, which
 * belong to the operator and not to the account.
 */
function toSettings(account: AwsAccount, address: URL, outside: Outside) {
  const { region, accessKeyId, secretAccessKey } = account
  // For one account and service: enough to be quick, without flooding it.
  const agent = { keepAlive: true, maxSockets: 8, lookup: outside.lookup }
  return {
    region,
    endpoint: address.origin,
    credentials: { accessKeyId, secretAccessKey },
    // The outbox and the ledger repeat failed calls, with back-off.
    maxAttempts: 1,
    retryMode: 'standard' as const,
    defaultsMode: 'standard' as const,
    authSchemePreference: [] as string[],
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: 'lora-fleet-console',
    requestHandler: {
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
      connectionTimeout: connectMs,
    },
  }
}

/** The part of a client that sends its requests. */
interface Handler {
  handle(
    request: { protocol: string; hostname: string; port?: number | undefined },
    options?: { abortSignal?: unknown },
  ): Promise<{ response: { body?: unknown } }>
}

/** Checks the address of every request, and bounds its time and the size of its answer. */
function guardRequests(
  config: { requestHandler: Handler },
  outside: Outside,
  { deadlineMs = defaultDeadlineMs }: CallOptions = {},
): void {
  const inner = config.requestHandler
  const handle: Handler['handle'] = async (request, options) => {
    const { protocol, hostname, port } = request
    outside.check(new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}`))
    const abortSignal = AbortSignal.timeout(deadlineMs)
    const answer = await inner.handle(request, { ...options, abortSignal })
    answer.response.body = limit(answer.response.body)
    return answer
  }
  config.requestHandler = Object.assign(Object.create(inner), { handle })
}

/** The middleware that keeps the account's pace and turns every failure into a `NetworkError`. */
function explainErrors(account: AwsAccount, { host }: URL, pace: Pace | undefined) {
  return <Call, Answer>(next: (call: Call) => Promise<Answer>) =>
    async (call: Call): Promise<Answer> =>
      callInPace(pace, async () => {
        try {
          return await next(call)
        } catch (error) {
          throw toNetworkError(error, host, [account.secretAccessKey])
        }
      })
}

/** Around all other middleware. */
const outermost = { step: 'initialize', priority: 'high', name: 'explainErrors' } as const

function limit(body: unknown): unknown {
  if (!(body instanceof Readable)) return body
  let length = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length
      if (length <= longestAnswer) return done(null, chunk)
      done(new NetworkError('unreachable', 'The answer of AWS is longer than 4 MiB.'))
    },
  })
  body.on('error', (error) => limited.destroy(error))
  return body.pipe(limited)
}
