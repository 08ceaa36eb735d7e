import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId, requiredText } from '../../../http/fields.ts'
import { isoTime, momentOf } from '../../../http/timestamps.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { countRightGuess, countWrongGuess, refuseWhileWaiting } from '../sessions/guesses.ts'
import { provingAttempt } from '../sessions/login-limits.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { findUser } from '../users/user-queries.ts'
import { makeCreationOptions, newCredential, readNewCredential } from './passkey-checks.ts'
import {
  deletePasskey,
  insertPasskey,
  listPasskeyPlaces,
  listPasskeysOf,
  lockUser,
  type PasskeyRow,
  renamePasskey,
} from './passkey-queries.ts'
import { findPasskeySite, type PasskeySite } from './passkey-site.ts'
import { hashRecoveryCode, makeRecoveryCodes } from './second-factor.ts'
import {
  deleteToken,
  findTwoFactorState,
  isOn,
  lockToken,
  replaceRecoveryCodes,
  savePasskeyChallenge,
  type TokenHolder,
} from './two-factor-queries.ts'
import { holderOf, stepTooSoon, tokenField, wrongToken } from './two-factor-setup.ts'

/** Passkeys that a user may have. */
const most = 10

const passkeyRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        created_at: z.string(),
        last_used_at: z.string().nullable(),
      },
      {
        id: 7,
        name: 'Phone',
        created_at: '2026-03-01T12:00:00.000000Z',
        last_used_at: '2026-03-02T08:15:00.000000Z',
      },
    ),
  )
  .meta({ id: 'Passkey' })

function toRecord({ id, name, created_at, last_used_at }: PasskeyRow) {
  const lastUsed = last_used_at === null ? null : isoTime(last_used_at)
  return { id, name, created_at: isoTime(created_at), last_used_at: lastUsed }
}

export const listPasskeys = endpoint({
  summary: 'Your passkeys, the oldest first, and where passkeys work',
  answer: z.object({
    data: z.array(passkeyRecord),
    ...withExamples(
      {
        origin: z
          .string()
          .nullable()
          .describe(
            'The address at which browsers use passkeys: that of `PUBLIC_URL`. Null where there are none: it is plain HTTP, or an IP address.',
          ),
        most: z.int().describe('How many you may have.'),
      },
      { origin: 'https://fleet.example.com', most },
    ),
  }),
  async handle({ caller }, { db, publicUrl }) {
    const passkeys = await listPasskeysOf(db, caller.userId)
    const origin = findPasskeySite(publicUrl)?.origin ?? null
    return { data: passkeys.map(toRecord), origin, most }
  },
})

export const beginPasskey = endpoint({
  summary: 'What the browser makes a new passkey with',
  description:
    '`publicKey` is for `navigator.credentials.create()`. What that gives goes to `POST /user/passkeys`, once, with the same token.',
  bodyLimit: bodyLimits.proof,
  body: z.object({ token: tokenField }),
  answer: z.object({
    data: z.object(
      withExamples(
        { publicKey: z.looseObject({ challenge: z.string() }) },
        { publicKey: { challenge: 'NcI8tC5d2Zs' } },
      ),
    ),
  }),
  failures: [409],
  change: 'untold',
  async handle({ body, caller }, { db, now, publicUrl }) {
    const site = siteOf(publicUrl)
    const user = await findUser(db, caller.userId)
    const holder = holderOf(body.token, caller)
    return db.transaction(async (tx) => {
      const row = await lockToken(tx, holder, momentOf(now()))
      // A token that has begun another set-up serves that only.
      if (!user || !row || row.sealed_secret) throw wrongToken()
      const known = await listPasskeyPlaces(tx, caller.userId)
      if (known.length >= most) throw tooMany()
      const publicKey = await makeCreationOptions(site, user, known)
      await savePasskeyChallenge(tx, holder, publicKey.challenge)
      return { data: { publicKey: { ...publicKey } } }
    })
  },
})

const nameField = requiredText('name', 100).meta({ examples: ['Phone'] })
const addBody = z.object({ token: tokenField, name: nameField, credential: newCredential })

export const addPasskey = endpoint({
  summary: 'Adds a passkey; two-factor is on with the first',
  description:
    'All other sessions of the user end. Who had no two-factor gets recovery codes, in this answer only.',
  status: 201,
  bodyLimit: bodyLimits.proof,
  body: addBody,
  answer: z.object({
    data: passkeyRecord,
    ...withExamples(
      { recovery_codes: z.array(z.string()).nullable() },
      { recovery_codes: ['MFRG-GZDF-MZTW-Q2LK-NR2W-4ZJ5', 'ONSW-G4TF-OQQH-I3LF-EBUG-C43I'] },
    ),
  }),
  failures: [409, 429],
  change: 'untold',
  async handle({ body, caller, request }, services) {
    const { db, publicUrl, loginRateLimit } = services
    const { userId } = caller
    const site = siteOf(publicUrl)
    const attempt = provingAttempt('two-factor set-up', userId, request.clientIp, loginRateLimit)
    await refuseWhileWaiting(services, attempt)
    const holder = holderOf(body.token, caller)
    const added = await db.transaction(async (tx) => {
      const passkey = await provePasskey(tx, services, site, holder, body)
      if (!passkey) return undefined
      await countRightGuess(tx, services, attempt)
      return keepPasskey(tx, services, caller, { ...passkey, name: body.name })
    })
    if (added) return added
    const refused = invalid({ credential: ['The passkey was not accepted. Please try again.'] })
    throw await countWrongGuess(services, attempt, userId, refused)
  },
})

/** The passkey that answers the challenge of the token. The challenge is over with the first try. */
async function provePasskey(
  tx: Queryable,
  { now }: CoreServices,
  site: PasskeySite,
  holder: TokenHolder,
  { credential }: z.infer<typeof addBody>,
) {
  const row = await lockToken(tx, holder, momentOf(now()))
  if (!row || row.sealed_secret) throw wrongToken()
  if (row.passkey_challenge === null) throw stepTooSoon('ask for the options of the passkey')
  const passkey = await readNewCredential(site, row.passkey_challenge, credential)
  if (passkey) await deleteToken(tx, holder)
  else await savePasskeyChallenge(tx, holder, null)
  return passkey
}

async function keepPasskey(
  tx: Queryable,
  { now }: CoreServices,
  { userId, sessionId }: Caller,
  passkey: Parameters<typeof insertPasskey>[2],
) {
  await lockUser(tx, userId)
  const before = await findTwoFactorState(tx, userId)
  if (before.passkeyCount >= most) throw tooMany()
  const row = await insertPasskey(tx, userId, passkey, momentOf(now()))
  if (!row) throw invalid({ credential: ['This passkey is registered already.'] })
  const codes = isOn(before) ? null : makeRecoveryCodes()
  if (codes) await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  await endSessionsOf(tx, userId, sessionId, momentOf(now()))
  return { data: toRecord(row), recovery_codes: codes }
}

const passkeyPath = z.object({ passkey_id: pathId('7') })

export const changePasskey = endpoint({
  summary: 'Gives a passkey another name',
  params: passkeyPath,
  body: z.object({ name: nameField }),
  answer: z.object({ data: passkeyRecord }),
  change: 'untold',
  async handle({ params, body, caller }, { db }) {
    const row = await renamePasskey(db, caller.userId, params.passkey_id, body.name)
    if (!row) throw notFound('Passkey not found')
    return { data: toRecord(row) }
  },
})

export const removePasskey = endpoint({
  summary: 'Removes a passkey; without another one and an authenticator app, two-factor is off',
  description: 'All other sessions of the user end.',
  params: passkeyPath,
  body: z.object({ token: tokenField }),
  status: 204,
  change: 'untold',
  async handle({ params, body, caller }, { db, now }) {
    const { userId, sessionId } = caller
    const holder = holderOf(body.token, caller)
    await db.transaction(async (tx) => {
      const row = await lockToken(tx, holder, momentOf(now()))
      if (!row || row.sealed_secret || row.passkey_challenge) throw wrongToken()
      await lockUser(tx, userId)
      if (!(await deletePasskey(tx, userId, params.passkey_id))) throw notFound('Passkey not found')
      await deleteToken(tx, holder)
      const after = await findTwoFactorState(tx, userId)
      if (!isOn(after)) await replaceRecoveryCodes(tx, userId, [])
      await endSessionsOf(tx, userId, sessionId, momentOf(now()))
    })
  },
})

function siteOf(publicUrl: string): PasskeySite {
  const site = findPasskeySite(publicUrl)
  if (site) return site
  throw conflict(
    'Browsers have passkeys only over HTTPS, at a name. Ask the operator to set PUBLIC_URL to such an address.',
  )
}

function tooMany() {
  return conflict(`The limit of ${most} passkeys has been reached. Remove one first.`)
}
