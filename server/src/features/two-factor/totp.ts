import { generateSecret, verifySync } from 'otplib'

/** Bytes of a secret: as long as the HMAC's output (RFC 4226, 4, R6). */
const secretLength = 20
/** Seconds that a code is shown (RFC 6238, 4.1). */
const period = 30

/** A new secret, in base32 without padding, as people type it into an app. */
export function makeSecret(): string {
  return generateSecret({ length: secretLength })
}

/**
 * The time step of which `code` is the TOTP (RFC 6238: SHA-1, 6 digits, 30 seconds): the current
 * or the one before, as people need time to type (5.2). That makes a code good for up to 60
 * seconds, beyond the 30 of OWASP ASVS 5.0.0, 6.5.5. Undefined when it is the code of neither.
 */
export function findTimeStep(secret: string, code: string, now: Date): number | undefined {
  const result = verifySync({
    secret,
    token: code,
    strategy: 'totp',
    algorithm: 'sha1',
    digits: 6,
    period,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: [period, 0],
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
