import { useSyncExternalStore } from 'react'
import { ApiError, onSessionEnd } from '../api/client.ts'
import { t } from '../languages/text.ts'
import { fetchSession, keepSession, knownSession, type Session } from './known-session.ts'

/**
 * The end of a session while pages are open: they stay as they are, a dialog over them asks for the
 * password, and the refused requests are sent again.
 */

interface Question {
  resolve(): void
  reject(reason: ApiError): void
}

/** Milliseconds. */
const cookieDelay = 500

let underWay: Promise<void> | undefined
let question: Question | undefined
/** The address of the page where the user did not want to log in. */
let declinedOn: string | undefined
const listeners = new Set<() => void>()

onSessionEnd(resumeSession)

/**
 * Resolves when the user is logged in again; rejects when they do not want to. Who has declined on this
 * page is asked again for what they do, and not for what the page reads by itself.
 */
export async function resumeSession(isAct = false): Promise<void> {
  if (!isAct && declinedOn === location.href) throw loggedOut()
  underWay ??= resume().finally(() => {
    underWay = undefined
  })
  return underWay
}

async function resume(): Promise<void> {
  // Another tab may have renewed the session while the request was on its way.
  const session = (await fetchSession()) ?? (await fetchRenewed())
  if (session) return goOnAs(session)
  // After a logout nobody is asked.
  if (!knownSession()) throw new ApiError(401, t('You are logged out.'))
  await new Promise<void>((resolve, reject) => ask({ resolve, reject }))
}

/** The old session ends at the service a moment before the cookie of the new one is here. */
async function fetchRenewed(): Promise<Session | null> {
  if (!knownSession()) return null
  await new Promise((resolve) => setTimeout(resolve, cookieDelay))
  return fetchSession()
}

/** Goes on with the session, or loads the page again if it is somebody else's. */
function goOnAs(session: Session): void {
  declinedOn = undefined
  const former = knownSession()
  if (former && former.user.id !== session.user.id) location.reload()
  else keepSession(session)
}

/** Whether the dialog is open. */
export function useIsAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question !== undefined,
  )
}

export function answerWith(session: Session): void {
  goOnAs(session)
  question?.resolve()
  ask(undefined)
}

/** Closes the dialog: what was typed can be copied, and the next act or page asks again. */
export function answerNotNow(): void {
  declinedOn = location.href
  question?.reject(loggedOut())
  ask(undefined)
}

function loggedOut(): ApiError {
  return new ApiError(401, t('You are logged out, so nothing was sent.'))
}

function ask(next: Question | undefined): void {
  question = next
  for (const listener of listeners) listener()
}
