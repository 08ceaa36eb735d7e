import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { groupByPlace } from '../src/db/distribution/places.ts'
import { connectAccount } from './fleet.ts'
import type { Login, TestAnswer, TestService } from './service.ts'

/**
 * The callback that a ChirpStack must call, from the answer to PUT /network-accounts/chirpstack.
 */
export interface TestCallback {
  /** The path without the public URL. */
  path: string
  header: string
  value: string
}

export type ChirpStackEvent = Record<string, unknown>

/** An account of an unreachable ChirpStack. Its callback works nevertheless. */
export const unreachableAccount = {
  server: 'http://127.0.0.1:1',
  api_key: 'invented',
  tenant_id: '52f14cd4-c6f1-4fbd-8f87-4025e1d49242',
  application_id: '17c82e96-be03-4f38-aef3-f83d48582d97',
  device_profile_id: '14855bf7-d10d-4aee-b618-ebfcb64dc7ad',
}

/** The device of the published examples. */
export const exampleEui = '0101010101010101'

const examples = new URL('../src/networks/chirpstack/examples/', import.meta.url)

/** Reads a published event of ChirpStack v4. The name is that of its file. */
export function readExample(name: string): ChirpStackEvent {
  return JSON.parse(readFileSync(new URL(`${name}.json`, examples), 'utf8'))
}

const publishedUp = readExample('up')

let upCount = 0

/**
 * Makes a new event from the published `up` event: another key, and by choice another device and
 * frame.
 */
export function makeUp({ eui = exampleEui, hex = '100301', ...changes }: UpChanges = {}) {
  upCount += 1
  return {
    ...publishedUp,
    deduplicationId: `00000000-0000-4000-8000-${upCount.toString(16).padStart(12, '0')}`,
    deviceInfo: { ...(publishedUp.deviceInfo as object), devEui: eui.toLowerCase() },
    data: Buffer.from(hex, 'hex').toString('base64'),
    ...changes,
  }
}

interface UpChanges extends ChirpStackEvent {
  eui?: string
  /** The frame in hexadecimal. By default, a door opens. */
  hex?: string
}

/**
 * Connects the organization to an unreachable ChirpStack. Returns the callback that it would call.
 */
export async function connectChirpStack(
  service: TestService,
  options: { as?: Login; registerMethod?: 'vendor' } = {},
): Promise<TestCallback> {
  const values = {
    ...unreachableAccount,
    register_method: options.registerMethod ?? 'user_account',
  }
  const { callback } = await connectAccount(service, 'chirpstack', values, options.as)
  return toTestCallback(callback)
}

export function toTestCallback(callback: { url: string; header: string; value: string }) {
  return { ...callback, path: new URL(callback.url).pathname }
}

/** Makes an organization below that of `as` with its own owner, and logs the owner in. */
export async function makeOrganization(
  service: TestService,
  name: string,
  as: Login = service.owner,
): Promise<Login> {
  const owner = {
    email: `owner@${name}.example.test`,
    password: 'an invented pass phrase',
    first_name: 'Olga',
    last_name: 'Owner',
  }
  const { status, body, text } = await service.call('POST', '/v1/organizations', {
    as,
    body: { name, owner },
  })
  assert.equal(status, 201, text)
  return service.logIn(owner.email, owner.password, body.data.id)
}

/**
 * Makes an organization whose uplinks share a batch with those of organization 1. On Citus that needs
 * the same shard.
 */
export async function makeNeighbour(service: TestService): Promise<Login> {
  for (let number = 1; ; number += 1) {
    const login = await makeOrganization(service, `neighbour-${number}`)
    const organizations = [1, login.organizationId]
    const places = await groupByPlace(service.services.db, organizations, (id) => id)
    if (places.length === 1) return login
  }
}

/**
 * Posts an event as ChirpStack does: on a connection to a service that listens, and to any other one as
 * `call` sends it.
 */
export function post(
  service: TestService,
  callback: TestCallback,
  body: unknown,
  options: { event?: string; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  const url = `${callback.path}?event=${options.event ?? 'up'}`
  const headers = {
    'content-type': 'application/json',
    [callback.header]: callback.value,
    ...options.headers,
  }
  const address = service.app.server.address()
  if (address === null || typeof address === 'string') {
    return service.call('POST', url, { as: null, headers, body })
  }
  return postTo(`http://127.0.0.1:${address.port}${url}`, headers, body)
}

/** Texts, bytes and streams go as they are; a stream is sent without a length. */
async function postTo(
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<TestAnswer> {
  const isStream = body instanceof ReadableStream
  const isSent = isStream || typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: isSent ? (body as string) : JSON.stringify(body),
    ...(isStream ? { duplex: 'half' } : {}),
  })
  const text = await answer.text()
  const isJson = text !== '' && answer.headers.get('content-type')?.startsWith('application/json')
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}

interface Quarantined {
  reason: string
  device_eui: string
  message: string
}

/** Returns an organization's quarantine, and checks that its counter agrees. */
export async function readQuarantineOf(
  { services }: TestService,
  organizationId: number,
): Promise<Quarantined[]> {
  const kept = await services.db.query<Quarantined>(
    `select reason, device_eui, convert_from(message, 'UTF8') as message
     from quarantined_messages where organization_id = $1 order by id`,
    [organizationId],
  )
  const [counter] = await services.db.query<{ quarantine_count: number }>(
    'select quarantine_count from organization_counters where organization_id = $1',
    [organizationId],
  )
  assert.equal(counter?.quarantine_count, kept.length)
  return kept
}
