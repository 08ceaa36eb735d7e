// Calls ChirpStack's gRPC API over one channel. Every failure is a `CallError`.
import {
  type CallOptions,
  type Client,
  Metadata,
  type MethodDefinition,
  status,
} from '@grpc/grpc-js'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { callInPace } from '../pace.ts'
import { applicationIds } from './application-ids.ts'
import { CallError, toCallError } from './call-error.ts'
import { type Channel, openChannel } from './channel.ts'
import type { ModelProfile, Profile } from './device-profile.ts'

interface ChirpStackClient {
  /** Throws `CallError`. */
  call<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
  ): Promise<Response>
  close(): void
}

/** The account's values under our own names. */
interface ChirpStackAccount {
  server: URL
  apiKey: string
  tenantId: string
  /** Where new devices go. */
  applicationId: string
  /** All whose devices are the account's. */
  applicationIds: readonly string[]
  deviceProfileId: string
}

/** Takes values without faults. */
function readAccount(values: AccountValues): ChirpStackAccount {
  return {
    server: new URL(values.server ?? ''),
    apiKey: values.api_key ?? '',
    tenantId: (values.tenant_id ?? '').toLowerCase(),
    applicationId: (values.application_id ?? '').toLowerCase(),
    applicationIds: applicationIds(values),
    deviceProfileId: (values.device_profile_id ?? '').toLowerCase(),
  }
}

/** What the calls of one account share. */
export interface Session {
  client: ChirpStackClient
  account: ChirpStackAccount
  /** `checkAccess` has found nothing wrong. */
  isProven: boolean
  /** Device profiles by id, and when they were read. */
  profiles: Map<string, Profile & { readAt: number }>
  /** What was found and made for models (model-profiles.ts), and when it was asked for. */
  modelProfiles: Map<string, { answer: Promise<ModelProfile | undefined>; readAt: number }>
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
): Session {
  const account = readAccount(values)
  const client = openClient(account, outside, options)
  const known = { profiles: new Map(), modelProfiles: new Map() }
  return { account, client, isProven: false, ...known, close: () => client.close() }
}

const defaultDeadlineMs = 5_000
/**
 * How many deadlines a connection may take to open: a slow one needs more than that of a call. It makes the 20 s
 * of gRPC (doc/connection-backoff.md, MIN_CONNECT_TIMEOUT), of which grpc-js knows nothing.
 */
const deadlinesToOpen = 4

/** Opens nothing by itself: the first call does. `deadlineMs` is for each call. */
function openClient(
  account: ChirpStackAccount,
  outside: Outside,
  { deadlineMs = defaultDeadlineMs }: ConnectionOptions = {},
): ChirpStackClient {
  const { server, apiKey } = account
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${apiKey}`)
  let opened: Promise<Channel> | undefined
  let isClosed = false
  /** Makes the next call resolve the name and connect again: the server may have moved. */
  const forget = () => {
    void opened?.then((channel) => channel.close()).catch(() => {})
    opened = undefined
  }
  const callNow: ChirpStackClient['call'] = async (method, request) => {
    if (isClosed) {
      const details = { about: 'account', isUndone: true } as const
      throw new NetworkError('unreachable', 'The connection is closed.', details)
    }
    opened ??= openChannel(server, outside)
    const current = opened
    const channel = await current.catch((error) => {
      if (opened === current) opened = undefined
      throw error
    })
    const options: CallOptions = { deadline: Date.now() + deadlineMs }
    const heard = channel.heard()
    try {
      return await callOnce(channel.client, method, request, { metadata, options, server, apiKey })
    } catch (error) {
      if (opened === current && isGone(error, channel, deadlineMs)) {
        opened = undefined
        channel.close({ isSilent: channel.heard() === heard })
      }
      throw error
    }
  }
  return {
    // The wait comes first: a call that waits holds no channel, which might be closed meanwhile.
    call: (method, request) => callInPace(outside.pace, () => callNow(method, request)),
    close: () => {
      isClosed = true
      forget()
    },
  }
}

/**
 * Without an answer in time, an open connection may be silent for ever: nothing else would tell it. One
 * that is still being opened goes on, unless it is late.
 */
function isGone(error: unknown, { isOpen, since }: Channel, deadlineMs: number): boolean {
  if (!(error instanceof CallError)) return false
  if (error.code === status.UNAVAILABLE) return true
  if (error.code !== status.DEADLINE_EXCEEDED) return false
  return isOpen() || performance.now() - since >= deadlinesToOpen * deadlineMs
}

function callOnce<Request, Response>(
  client: Client,
  { path, requestSerialize, responseDeserialize }: MethodDefinition<Request, Response>,
  request: Request,
  {
    metadata,
    options,
    server,
    apiKey,
  }: { metadata: Metadata; options: CallOptions; server: URL; apiKey: string },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      options,
      (error, response) =>
        error || response === undefined
          ? reject(toCallError(error, server, apiKey))
          : resolve(response),
    )
  })
}
