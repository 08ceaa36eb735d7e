import { SealError, type Sealer } from '../../db/seal.ts'
import type { Session } from '../../http/endpoint.ts'

/**
 * The hidden token of the configuration form: good for one device and for the session that the
 * form was made for, for an hour. It is a sealed moment, and the seal authenticates what it is
 * bound to, so that nothing has to be kept (OWASP ASVS 5.0.0, 3.5.1).
 */
const lifetimeMilliseconds = 3600 * 1000

interface FormOf {
  session: Session
  deviceId: number
  now: Date
}

export function issueFormToken(sealer: Sealer, form: FormOf): string {
  const expiresAt = form.now.getTime() + lifetimeMilliseconds
  return sealer.seal(String(expiresAt), contextOf(form)).toString('base64url')
}

export function isFormToken(sealer: Sealer, token: string, form: FormOf): boolean {
  try {
    const expiresAt = Number(sealer.open(Buffer.from(token, 'base64url'), contextOf(form)))
    return form.now.getTime() < expiresAt
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}

function contextOf({ session, deviceId }: FormOf): string {
  return `configuration form:${session.sessionId}:${deviceId}`
}
