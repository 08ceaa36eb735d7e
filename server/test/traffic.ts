import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { makeUp, unreachableAccount } from './chirpstack-uplinks.ts'
import { registrationOf } from './fleet.ts'

const senderCount = 64
/** One of this many messages repeats an earlier one, which is acknowledged or still in progress. */
const repeatEvery = 5
/**
 * The pause before a refused message is sent again. A restarting server also needs the processor.
 */
const pauseMilliseconds = 250
/** For the acknowledgements that a test waits for, on a machine under load. */
const longestWait = 180_000

/** An organization, its devices and its callback. */
export interface Tenant {
  /** Of the service. */
  address: string
  callback: { url: string; header: string; value: string }
  headers: Record<string, string>
  organizationId: number
  euis: string[]
  /** A device of the account that is not registered. */
  strangerEui: string
}

/**
 * Organization 1 and another one. Each has an account at an unreachable network, unless it is given
 * one.
 */
export async function makeTenants(
  address: string,
  admin: { email: string; password: string },
  account: object = unreachableAccount,
  otherAccount: object = unreachableAccount,
): Promise<Tenant[]> {
  const log = (email: string, password: string) =>
    call(`${address}/v1/auth/login`, { method: 'POST', body: { email, password } })
  const { token } = await log(admin.email, admin.password)
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  const other = { email: 'other@example.test', password: 'another pass phrase' }
  const owner = { ...other, first_name: 'Other', last_name: 'Owner' }
  const { data } = await call(`${address}/v1/organizations`, {
    method: 'POST',
    headers,
    body: { name: 'Other', owner },
  })
  const { token: otherToken } = await log(other.email, other.password)
  const otherHeaders = { authorization: `Bearer ${otherToken}`, organization: String(data.id) }
  return [
    await makeTenant(address, headers, 1, account),
    await makeTenant(address, otherHeaders, data.id as number, otherAccount),
  ]
}

async function makeTenant(
  address: string,
  headers: Record<string, string>,
  organizationId: number,
  account: object,
): Promise<Tenant> {
  const { data } = await call(`${address}/v1/network-accounts/chirpstack`, {
    method: 'PUT',
    headers,
    body: account,
  })
  const prefix = `00AA0000000000${organizationId}`
  const euis = ['1', '2', '3', '4'].map((digit) => prefix + digit)
  for (const eui of euis) {
    await call(`${address}/v1/devices`, {
      method: 'POST',
      headers,
      body: registrationOf(eui, { consoleOnly: true }),
    })
  }
  const { callback } = data
  return { address, callback, headers, organizationId, euis, strangerEui: `${prefix}F` }
}

/** One uplink: its key in the records, and its body. */
interface Message {
  key: string
  tenant: Tenant
  body: string
}

/** The senders' results. They are in this process, so they survive the killed processes. */
export interface Traffic {
  /** Messages as `organization EUI key`. */
  sent: Set<string>
  acknowledged: Set<string>
  /** Attempts that were answered 503, or not at all. */
  refusals: number
  /** Attempts without an answer. */
  unanswered: number
  /** The time until each answer 503, in milliseconds. */
  refusedAfter: number[]
  /** Waits for this many more acknowledgements. */
  receive(count: number): Promise<void>
  /** Stops new messages. Messages in progress are repeated until they are acknowledged. */
  finish(): Promise<void>
  /** Stops sending at once, and does not repeat refused messages. */
  abandon(): void
}

/** Sends uplinks of all tenants in parallel, at most `rate` new ones a second, until it is stopped. */
export function startSenders(tenants: Tenant[], rate = Number.POSITIVE_INFINITY): Traffic {
  const messages: Message[] = []
  let due = performance.now()
  let isOver = false
  let isAbandoned = false
  const traffic: Traffic = {
    sent: new Set(),
    acknowledged: new Set(),
    refusals: 0,
    unanswered: 0,
    refusedAfter: [],
    async receive(count) {
      const target = traffic.acknowledged.size + count
      const giveUpAt = performance.now() + longestWait
      while (traffic.acknowledged.size < target) {
        assert.ok(!isAbandoned, 'nothing is sent any more')
        assert.ok(performance.now() < giveUpAt, `${count} acknowledgements take too long`)
        await Promise.race([senders, wait(5)])
      }
    },
    async finish() {
      isOver = true
      await senders
    },
    abandon() {
      isOver = true
      isAbandoned = true
    },
  }
  const send = async () => {
    while (!isOver) {
      const now = performance.now()
      // Timers are late by a millisecond or so, and the next messages make up for it.
      due = Math.max(due + 1000 / rate, now - 1000)
      if (due > now) await wait(due - now)
      const message = nextMessage(tenants, messages)
      traffic.sent.add(message.key)
      while (!(await isAccepted(message, traffic))) {
        if (isAbandoned) return
        traffic.refusals += 1
        await wait(pauseMilliseconds)
      }
      traffic.acknowledged.add(message.key)
    }
  }
  const senders = Promise.all(Array.from({ length: senderCount }, send))
  senders.catch(() => {})
  return traffic
}

function nextMessage(tenants: Tenant[], messages: Message[]): Message {
  const number = messages.length
  const repeated = messages[number - 1 - (number % 40)]
  const tenant = tenants[number % tenants.length]
  assert(tenant)
  const sendable = [...tenant.euis, tenant.strangerEui]
  const eui = sendable[Math.floor(number / tenants.length) % sendable.length]
  const body = makeUp({ ...(eui ? { eui } : {}), hex: number % 3 === 0 ? '100301' : '110300' })
  const fresh = {
    key: `${tenant.organizationId} ${eui} ${body.deduplicationId}`,
    tenant,
    body: JSON.stringify({ ...body, time: new Date().toISOString() }),
  }
  const message = number % repeatEvery === 0 && repeated ? repeated : fresh
  messages.push(message)
  return message
}

/** Returns false if there is no answer or the status is 503. The message is then sent again. */
async function isAccepted({ tenant, body }: Message, traffic: Traffic): Promise<boolean> {
  const { url, header, value } = tenant.callback
  const headers = { 'content-type': 'application/json', [header]: value }
  const begun = performance.now()
  try {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`${url}?event=up`, { method: 'POST', headers, body, signal })
    const text = await answer.text()
    if (!answer.ok) {
      assert.equal(answer.status, 503, text)
      traffic.refusedAfter.push(performance.now() - begun)
    }
    return answer.ok
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    traffic.unanswered += 1
    return false
  }
}

/** Calls the API; anything but a 2xx fails the test. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export async function call(url: string, request: CallRequest = {}): Promise<any> {
  const { method = 'GET', headers = {}, body } = request
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  assert(answer.ok, `${method} ${url}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

interface CallRequest {
  method?: string
  headers?: Record<string, string>
  body?: object
}
