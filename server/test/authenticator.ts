import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Login, TestService } from './service.ts'

/** For tests: an authenticator app, from RFC 4226 and 6238, without code of the service. */
export function codeAt(secret: string, time: Date): string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time.getTime() / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = mac.readUInt8(19) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that the app shows at the service's current time. */
export function codeNow(service: TestService, secret: string): string {
  return codeAt(secret, service.services.now())
}

/** Returns six digits that are no code of the secret for this time and the times near it. */
export function wrongCode(service: TestService, secret: string): string {
  const now = service.services.now().getTime()
  const near = [-60, -30, 0, 30].map((seconds) => codeAt(secret, new Date(now + seconds * 1000)))
  const free = ['000000', '000001', '000002', '000003', '000004'].find(
    (code) => !near.includes(code),
  )
  return free ?? '000005'
}

export function passSeconds(service: TestService, seconds: number): void {
  service.setClock(new Date(service.services.now().getTime() + seconds * 1000))
}

/** Step 1: returns a `token_2fa`. */
export async function confirmPassword(
  service: TestService,
  as: Login,
  password: string,
): Promise<string> {
  const answer = await service.call('POST', '/v1/confirm-password-access', {
    as,
    body: { password },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.token_2fa
}

/** Steps 1 and 2: returns the fields that the further steps repeat. */
export async function beginSetup(service: TestService, as: Login, password: string) {
  const token = await confirmPassword(service, as, password)
  const answer = await service.call('POST', '/v1/generate-qr-image', { as, body: { token } })
  assert.equal(answer.status, 200, answer.text)
  const secret: string = answer.body.secret
  return { token, auth_type: 'authenticator', totp2fa_secret: secret }
}

/** Steps 1 to 3: returns the fields and the recovery codes. */
export async function proveSetup(service: TestService, as: Login, password: string) {
  const fields = await beginSetup(service, as, password)
  const answer = await service.call('POST', '/v1/verify-two-factor-authentication', {
    as,
    body: { ...fields, one_time_password: codeNow(service, fields.totp2fa_secret) },
  })
  assert.equal(answer.status, 200, answer.text)
  const recoveryCodes: string[] = answer.body.recovery_codes
  return { fields, recoveryCodes }
}

/** All steps: switches two-factor on. This uses up the current code. */
export async function enrol(service: TestService, as: Login, password: string) {
  const { fields, recoveryCodes } = await proveSetup(service, as, password)
  const answer = await service.call('POST', '/v1/complete-verification', { as, body: fields })
  assert.equal(answer.status, 200, answer.text)
  return { secret: fields.totp2fa_secret, recoveryCodes }
}

/**
 * Locks the user's rows until all calls wait for them, then releases them. By then, each call has
 * finished the reads that it does without a lock. `meanwhile` runs before the release. Returns the
 * statuses, sorted.
 */
export async function raceFor(
  service: TestService,
  userId: number,
  calls: readonly (() => Promise<{ status: number }>)[],
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<number[]> {
  const { db } = service.services
  const answers = await db.transaction(async (tx) => {
    await tx.query('select 1 from two_factors where user_id = $1 for update', [userId])
    await tx.query('select 1 from recovery_codes where user_id = $1 for update', [userId])
    await tx.query('select 1 from two_factor_tokens where user_id = $1 for update', [userId])
    const begun = calls.map((call) => call())
    for (let polls = 0; (await countWaiting(service)) < calls.length; polls += 1) {
      assert.ok(polls < 1000, 'the calls wait for the rows')
      await setTimeout(5)
    }
    await meanwhile()
    return { begun }
  })
  return (await Promise.all(answers.begun)).map(({ status }) => status).sort()
}

async function countWaiting({ services }: TestService): Promise<number> {
  const rows = await services.db.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

/** Returns every row of every table as text; `bytea` is in hexadecimal. */
export async function dumpDatabase(service: TestService): Promise<string> {
  const { db } = service.services
  const tables = await db.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  )
  const rows = await Promise.all(
    tables.map(({ name }) => db.query<{ row: string }>(`select t::text as row from ${name} t`)),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

/** The forms in which a secret text can appear in a dump. */
export function spellings(secret: string): string[] {
  const bare = secret.replaceAll('-', '')
  const texts = [secret, bare, bare.toLowerCase()]
  return texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])
}
