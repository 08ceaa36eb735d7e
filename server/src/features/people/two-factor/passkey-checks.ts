import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { requiredText } from '../../../http/fields.ts'
import { issuer } from './issuer.ts'
import type { NewPasskey, PasskeyKey, PasskeyPlace } from './passkey-queries.ts'
import type { PasskeySite } from './passkey-site.ts'

/**
 * WebAuthn, by its library. It is loaded with the first passkey, because that takes half a second and
 * 30 MB.
 */
const load = () => import('@simplewebauthn/server')

/** Ed25519, ES256 and RS256, by their numbers of COSE. */
const algorithms = [-8, -7, -257]
/** Milliseconds that browsers give a person. */
const patience = 5 * 60_000

/** In bytes (WebAuthn level 2, 4: credential id). */
const longestId = 1023

const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const common = {
  id: requiredText('id', 1400).meta({ examples: ['kW3cZx1u'] }),
  rawId: requiredText('raw id', 1400).meta({ examples: ['kW3cZx1u'] }),
  type: z.literal('public-key', { error: 'The type must be public-key.' }),
}

/** As `navigator.credentials.create()` gives it, in JSON; the rest of it is ignored. */
export const newCredential = z.looseObject({
  ...common,
  response: z.looseObject({
    clientDataJSON: requiredText('client data', 2000).meta({
      examples: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'],
    }),
    attestationObject: requiredText('attestation object', 6000).meta({
      examples: ['o2NmbXRkbm9uZQ'],
    }),
    transports: z.array(z.string().max(50)).max(20).optional(),
  }),
})

/** As `navigator.credentials.get()` gives it, in JSON; the rest of it is ignored. */
export const signedCredential = z.looseObject({
  ...common,
  response: z.looseObject({
    clientDataJSON: requiredText('client data', 2000).meta({
      examples: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'],
    }),
    authenticatorData: requiredText('authenticator data', 2000).meta({
      examples: ['SZYN5YgOjGh0NBcP'],
    }),
    signature: requiredText('signature', 2000).meta({ examples: ['MEUCIQDx'] }),
  }),
})

/** What `navigator.credentials.create()` is given. */
export async function makeCreationOptions(
  { host }: PasskeySite,
  user: { id: number; email: string; first_name: string; last_name: string },
  known: readonly PasskeyPlace[],
) {
  const { generateRegistrationOptions } = await load()
  return generateRegistrationOptions({
    rpName: issuer,
    rpID: host,
    userName: user.email,
    userDisplayName: `${user.first_name} ${user.last_name}`.trim(),
    // The same for all passkeys of the user, and nothing that tells who it is.
    userID: new TextEncoder().encode(`user ${user.id}`),
    timeout: patience,
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** What `navigator.credentials.get()` is given. The password was right: a touch is enough. */
export async function makeRequestOptions({ host }: PasskeySite, known: readonly PasskeyPlace[]) {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({
    rpID: host,
    timeout: patience,
    allowCredentials: known.map(toDescriptor),
    userVerification: 'discouraged',
  })
}

function toDescriptor({ credential_id, transports }: PasskeyPlace) {
  return { id: credential_id.toString('base64url'), transports }
}

/** The passkey, without a name; undefined when it does not answer the challenge, or for another site. */
export async function readNewCredential(
  { host, origin }: PasskeySite,
  challenge: string,
  given: z.infer<typeof newCredential>,
): Promise<Omit<NewPasskey, 'name'> | undefined> {
  if (!(await isPlain(given))) return undefined
  const { verifyRegistrationResponse } = await load()
  const response: RegistrationResponseJSON = {
    ...given,
    response: { ...given.response, transports: knownTransports(given.response.transports) },
    clientExtensionResults: {},
  }
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch((): VerifiedRegistrationResponse => ({ verified: false }))
  if (!result.verified) return undefined
  const { id, publicKey, counter } = result.registrationInfo.credential
  if (id !== given.id || Buffer.byteLength(id, 'base64url') > longestId) return undefined
  return {
    credential_id: Buffer.from(id, 'base64url'),
    public_key: Buffer.from(publicKey),
    counter,
    transports: knownTransports(given.response.transports),
  }
}

/**
 * Whether it comes without certificates of a maker, as it was asked for. For some of them the library
 * would ask the maker which ones are revoked.
 */
async function isPlain({ response }: z.infer<typeof newCredential>): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const bytes = Buffer.from(response.attestationObject, 'base64url')
    const object = decodeAttestationObject(new Uint8Array(bytes))
    const format = object.get('fmt')
    return format === 'none' || (format === 'packed' && !object.get('attStmt').get('x5c'))
  } catch {
    return false
  }
}

function knownTransports(given: readonly string[] = []) {
  return transportNames.filter((name) => given.includes(name))
}

/**
 * The new counter of a passkey that has signed the challenge, at this site. `reason` is for the log:
 * also a counter that has not grown, which is what a copy of the key shows, is refused.
 */
export async function checkSignature(
  { host, origin }: PasskeySite,
  challenge: string,
  passkey: PasskeyKey,
  given: z.infer<typeof signedCredential>,
): Promise<{ counter: number } | { reason: string }> {
  const { verifyAuthenticationResponse } = await load()
  const response: AuthenticationResponseJSON = { ...given, clientExtensionResults: {} }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    })
    return verified ? { counter: authenticationInfo.newCounter } : { reason: 'wrong signature' }
  } catch (error) {
    return { reason: error instanceof Error ? error.message.slice(0, 200) : 'unreadable' }
  }
}
