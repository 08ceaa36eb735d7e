import {
  type handleUnaryCall,
  type Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { type Clock, sleep } from '../clock.ts'
import { createPace, type Restrictions } from '../far-restrictions.ts'
import type { Random } from '../random.ts'
import type { Faults } from './faults.ts'
import type { Store } from './store.ts'

/** A call throws this error to answer with a gRPC status. */
export class StatusError extends Error {
  readonly code: status

  constructor(code: status, message: string) {
    super(message)
    this.code = code
  }
}

/** ChirpStack reports a duplicate as INTERNAL, with the message of PostgreSQL. */
export function duplicate(constraint: string): StatusError {
  const message = `duplicate key value violates unique constraint "${constraint}"`
  return new StatusError(status.INTERNAL, message)
}

const longestName = 100

/**
 * Checks the name of a device or gateway: first as `validate` of
 * chirpstack/src/storage/{device,gateway}.rs does, then as PostgreSQL does. The column is a
 * `varchar(100)` (migrations_postgres/00000000000000_initial/up.sql). Descriptions are `text`.
 */
export function checkName(name: string): void {
  if (name === '') throw invalid('Validation error: name is not set')
  if ([...name].length > longestName) {
    const message = `value too long for type character varying(${longestName})`
    throw new StatusError(status.INTERNAL, message)
  }
}

export function invalid(message: string): StatusError {
  return new StatusError(status.INVALID_ARGUMENT, message)
}

export interface CallContext {
  apiKey: string
  /** A tenant's key sees the objects of its tenant. An administrator's key sees everything. */
  keyKind: 'tenant' | 'admin'
  faults: Faults
  restrictions: Restrictions
  clock: Clock
  random: Random
  store: Store
}

/** Returns the message of the answer; undefined for an empty one. Throws `StatusError`. */
export type Call<Request, Response> = (request: Request) => Response | undefined

/** Adds permission checks, latency and faults to a call. */
export function serve<Request, Response>(
  context: CallContext,
  method: MethodDefinition<Request, Response>,
  call: Call<Request, Response>,
): handleUnaryCall<Request, Response> {
  const pace = createPace(context.restrictions)
  return async ({ metadata, request }, callback) => {
    const { clock, faults } = context
    try {
      if (faults.latencyMs > 0) await sleep(clock, faults.latencyMs)
      // ChirpStack itself limits no rate, but a proxy in front of it can.
      if (pace() !== undefined)
        throw new StatusError(status.RESOURCE_EXHAUSTED, 'too many requests')
      await refuse(faults, method.path)
      checkPermission(metadata, context.apiKey)
      failOne(context.restrictions, request)
      callback(null, call(request) ?? method.responseDeserialize(Buffer.alloc(0)))
    } catch (error) {
      const code = error instanceof StatusError ? error.code : status.INTERNAL
      callback({ code, details: error instanceof Error ? error.message : String(error) })
    }
  }
}

async function refuse(faults: Faults, path: string): Promise<void> {
  if (faults.isAway) throw new StatusError(status.UNAVAILABLE, 'The simulator is away')
  const entry = faults.refusals[path]
  const refusal = typeof entry === 'function' ? await entry() : entry
  if (refusal) throw new StatusError(refusal.code, refusal.message)
}

function failOne({ failing }: Restrictions, request: unknown): void {
  if (failing.size === 0) return
  const said = JSON.stringify((request as { toObject(): object }).toObject()).toUpperCase()
  if ([...failing].some((eui) => said.includes(eui))) {
    throw new StatusError(status.INTERNAL, 'error returned from the database')
  }
}

/**
 * The messages of chirpstack/src/api/auth/mod.rs. Those about the key itself come from its library.
 */
function checkPermission(metadata: Metadata, apiKey: string) {
  const [authorization] = metadata.get('authorization')
  if (authorization === undefined) {
    throw new StatusError(status.UNAUTHENTICATED, 'no authorization provided')
  }
  if (authorization !== `Bearer ${apiKey}`) {
    throw new StatusError(status.UNAUTHENTICATED, 'InvalidToken')
  }
}

/** Starts to listen, and returns the port. */
export async function listen(
  services: [ServiceDefinition, UntypedServiceImplementation][],
  host: string,
  port: number,
): Promise<{ server: Server; port: number }> {
  const server = new Server()
  for (const [definition, implementation] of services) {
    server.addService(definition, implementation)
  }
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, value) =>
      error ? reject(error) : resolve(value),
    )
  })
  return { server, port: bound }
}
