import { combineFormats } from '../../../server/src/lora/formats.ts'
import { ApiError, call, setRequestOrganization } from '../api/client.ts'
import type { Operations } from '../api/generated.ts'
import { queryClient } from '../api/hooks.ts'
import { browserLanguage, followLanguage } from '../languages/choice.ts'
import { setFormats } from '../ui/formats.ts'
import { setTimeZone } from '../ui/time-zone.ts'

export type Session = Operations['GET /auth/session']['answer']['data']
export type SessionOrganization = Session['organizations'][number]

export const sessionKey = ['GET /auth/session']
export const chosenKey = 'organization'

/** The session of this browser; null if nobody is logged in. */
export async function fetchSession(): Promise<Session | null> {
  try {
    const { data } = await call('GET /auth/session', {}, { isAnonymous: true })
    return data
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** The session that the pages were made for, as far as it is known. */
export function knownSession(): Session | null | undefined {
  return queryClient.getQueryData<Session | null>(sessionKey)
}

/** The session goes on, perhaps with other permissions or another end. */
export function keepSession(session: Session): void {
  const organization = findOrganization(session)
  setTimeZone(session.user.time_zone ?? undefined)
  const formats = combineFormats(
    session.user.formats,
    organization?.formats ?? {},
    browserLanguage(),
  )
  followLanguage(formats.language)
  setFormats(formats)
  setRequestOrganization(organization?.id)
  queryClient.setQueryData(sessionKey, session)
}

/** The organization of the address, or the one chosen last, or the first. */
export function findOrganization(session: Session): SessionOrganization | undefined {
  const wanted =
    new URLSearchParams(location.search).get('org') ?? localStorage.getItem(chosenKey) ?? ''
  const { organizations } = session
  return organizations.find(({ id }) => String(id) === wanted) ?? organizations[0]
}
