// HTTP action destinations of a simulated AWS IoT Core, and their confirmation. AWS IoT API
// reference, CreateTopicRuleDestination; developer guide, "HTTP action destinations".
import { isObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { Random } from '../random.ts'
import { type FarAccess, refuseAs } from './authorization.ts'

interface FarDestination {
  arn: string
  confirmationUrl: string
  status: 'ENABLED' | 'IN_PROGRESS' | 'DISABLED' | 'ERROR'
  /** Milliseconds since 1970. */
  updatedAt: number
  token: string
}

export interface FarDestinations {
  /** By ARN. */
  all: Map<string, FarDestination>
  routes: FarRoute[]
  /** Adds a destination if it does not exist. */
  add(confirmationUrl: string): FarDestination
  isEnabled(confirmationUrl: string): boolean
  /** Resolves when every pending confirmation was requested and answered. */
  settle(): Promise<void>
}

export interface FarIotOptions {
  access: FarAccess
  random: Random
  /** `http://host:port` of the simulator itself. Destinations are confirmed there. */
  address(): string
  /** Called after a change that affects the actions of rules. */
  changed(): void
}

export function createFarDestinations(options: FarIotOptions): FarDestinations {
  const all = new Map<string, FarDestination>()
  const asking = new Set<Promise<void>>()
  const find = (url: string) =>
    [...all.values()].find(({ confirmationUrl }) => confirmationUrl === url)
  const ask = (destination: FarDestination) => {
    const question = askForConfirmation(options, destination).finally(() => asking.delete(question))
    asking.add(question)
  }
  const add = (confirmationUrl: string) => {
    const known = find(confirmationUrl)
    if (known) return known
    const { region, accountNumber } = options.access
    const arn = `arn:aws:iot:${region}:${accountNumber}:ruledestination/http/${options.random.uuid()}`
    const token = `AYAD${options.random.hexadecimal(32)}`
    const status = 'IN_PROGRESS'
    const updatedAt = Date.now()
    const destination: FarDestination = { arn, confirmationUrl, status, updatedAt, token }
    all.set(arn, destination)
    ask(destination)
    return destination
  }
  return {
    all,
    routes: createRoutes({ ...options, all, find, add, ask }),
    add,
    isEnabled: (url) => find(url)?.status === 'ENABLED',
    async settle() {
      while (asking.size > 0) await Promise.all(asking)
    },
  }
}

/** AWS accepts only HTTPS. The simulator also accepts HTTP for a callback on the same machine. */
export function isCallable(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}

export function invalid(message: string): FarAnswer {
  return refuseAs(400, 'InvalidRequestException', message)
}

/** AWS IoT answers in the same way for a missing thing and for one without access. */
export function denied(what: string): FarAnswer {
  return refuseAs(401, 'UnauthorizedException', `Access to ${what} was denied`)
}

interface State extends FarIotOptions {
  all: Map<string, FarDestination>
  find(url: string): FarDestination | undefined
  add(url: string): FarDestination
  ask(destination: FarDestination): void
}

function createRoutes(state: State): FarRoute[] {
  const { all } = state
  const about =
    (handle: (found: FarDestination) => FarAnswer) =>
    ({ params }: FarCall): FarAnswer => {
      const found = all.get(`${params.arn}/${params.kind}/${params.id}`)
      return found ? handle(found) : denied('topic rule destination')
    }
  const list = () => ({ status: 200, body: { destinationSummaries: [...all.values()].map(sum) } })
  const remove = ({ arn }: FarDestination) => {
    all.delete(arn)
    state.changed()
    return { status: 200, body: {} }
  }
  return [
    ['POST', '/destinations', (call) => create(state, call)],
    ['PATCH', '/destinations', (call) => update(state, call)],
    ['GET', '/destinations', list],
    [
      'GET',
      '/destinations/:arn/:kind/:id',
      about((found) => ({ status: 200, body: { topicRuleDestination: show(found) } })),
    ],
    ['DELETE', '/destinations/:arn/:kind/:id', about(remove)],
    ['GET', '/confirmdestination/:token', (call) => confirm(state, call)],
  ]
}

function create({ find, add }: State, { body }: FarCall): FarAnswer {
  const configuration = isObject(body) ? body.destinationConfiguration : undefined
  const http = isObject(configuration) ? configuration.httpUrlConfiguration : undefined
  const url = isObject(http) && typeof http.confirmationUrl === 'string' ? http.confirmationUrl : ''
  if (!isCallable(url)) return invalid('The confirmationUrl must be an HTTPS endpoint.')
  if (find(url)) {
    return refuseAs(409, 'ResourceAlreadyExistsException', 'The destination already exists.')
  }
  return { status: 200, body: { topicRuleDestination: show(add(url)) } }
}

function update(state: State, { body }: FarCall): FarAnswer {
  const { arn, status } = isObject(body) ? body : {}
  const found = state.all.get(String(arn))
  if (!found) return denied('topic rule destination')
  const isAllowed =
    status === 'IN_PROGRESS' ||
    (status === 'ENABLED' && found.status === 'DISABLED') ||
    (status === 'DISABLED' && found.status === 'ENABLED')
  if (!isAllowed) return invalid(`A destination cannot go from ${found.status} to ${status}.`)
  found.status = status
  found.updatedAt = Date.now()
  if (status === 'IN_PROGRESS') state.ask(found)
  state.changed()
  return { status: 200, body: {} }
}

function confirm({ all, changed }: State, { params }: FarCall): FarAnswer {
  const found = [...all.values()].find(({ token }) => token === params.token)
  if (!found) return invalid('The confirmation token is not valid.')
  if (found.status === 'IN_PROGRESS') found.status = 'ENABLED'
  changed()
  return { status: 200, body: {} }
}

/** Sends the request without the headers of any action, as AWS does. */
async function askForConfirmation(
  { address }: FarIotOptions,
  destination: FarDestination,
): Promise<void> {
  const { arn, token, confirmationUrl } = destination
  const body = {
    arn,
    confirmationToken: token,
    enableUrl: `${address()}/confirmdestination/${token}`,
    messageType: 'DestinationConfirmation',
  }
  try {
    await fetch(`${confirmationUrl}/?confirmationToken=${token}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-amz-rules-engine-message-type': body.messageType,
        'x-amz-rules-engine-destination-arn': arn,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    })
  } catch {
    destination.status = 'ERROR'
  }
}

/** In this API, times are seconds since 1970. */
function sum({ arn, confirmationUrl, status, updatedAt }: FarDestination) {
  const lastUpdatedAt = updatedAt / 1000
  return { arn, status, lastUpdatedAt, httpUrlSummary: { confirmationUrl } }
}

function show({ arn, confirmationUrl, status }: FarDestination) {
  return { arn, status, httpUrlProperties: { confirmationUrl } }
}
