import { useQuery } from '@tanstack/react-query'
import {
  type Answer,
  call,
  type Operation,
  type RequestParts,
  setRequestOrganization,
} from '../api/client.ts'
import type { Operations } from '../api/generated.ts'
import { prefetchApi, queryClient } from '../api/hooks.ts'
import { forgetDrafts } from './drafts.ts'
import { resumeSession } from './expiry.ts'
import { forgetInstalls } from './kept-installs.ts'
import {
  chosenKey,
  fetchSession,
  findOrganization,
  keepSession,
  knownSession,
  type Session,
  type SessionOrganization,
  sessionKey,
} from './known-session.ts'
import { mayDo } from './page-access.ts'
import type { PermissionName } from './permissions.ts'
import { renewIfOld } from './renewal.ts'

export type { Session, SessionOrganization }
export type Permission = PermissionName

/**
 * Reads the session again. Where it has ended, the pages stay, and the user is asked to log in over
 * them; if somebody else has logged in, they are loaded again.
 */
async function readSession(): Promise<Session | null> {
  const former = knownSession()
  const session = await fetchSession()
  if (!session && former) {
    await resumeSession()
    return knownSession() ?? null
  }
  if (session && former && session.user.id !== former.user.id) location.reload()
  if (session) keepSession(session)
  return session ? renewIfOld(session) : null
}

const sessionQuery = { queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 }

/** The session, read at the start and kept. A console in use renews it before it ends. */
export function useSessionQuery() {
  const everyHour = { refetchInterval: 3600_000, refetchIntervalInBackground: true }
  return useQuery({ ...sessionQuery, ...everyHour })
}

/** Asks for the session while the rest of the console is still being loaded. */
export function prefetchSession(): Promise<void> {
  return queryClient.prefetchQuery(sessionQuery)
}

/** Asks for what a page shows while its code is still being loaded, once there is a session. */
export async function prefetchAnswer<O extends Operation>(
  operation: O,
  parts: RequestParts<O>,
): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery).catch(() => null)
  const organization = session && findOrganization(session)
  if (organization?.group === null) await prefetchApi(operation, parts)
}

/** Reads the session again, after a change of its content. */
export function refreshSession(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: sessionKey })
}

/** The session of a page inside the shell, where there is always one. */
export function useSession(): { session: Session; organization: SessionOrganization } {
  const { data } = useSessionQuery()
  const organization = data && findOrganization(data)
  if (!data || !organization) throw new Error('This page needs a login.')
  return { session: data, organization }
}

/** Whether the user may do it in this organization. */
export function useMay(permission: Permission): boolean {
  return mayDo(useSession().organization, permission)
}

/** Whether all that there is for the user are the devices of one group. The service sees to it. */
export function useIsLimited(): boolean {
  return useSession().organization.group !== null
}

type LoginAnswer = Answer<'POST /auth/session'>
/** What stands in place of a session when a second factor is needed. */
export type Challenge = Exclude<LoginAnswer, { data: unknown }>

/** Checks the credentials. */
export function sendCredentials(
  body: Operations['POST /auth/session']['body'],
): Promise<LoginAnswer> {
  return call('POST /auth/session', { body }, { isAnonymous: true })
}

export function sessionIn(answer: LoginAnswer): Session | undefined {
  return 'data' in answer ? answer.data : undefined
}

/** Begins with nothing of what another user has read. */
export function beginSession(session: Session): void {
  forgetAnswers()
  keepSession(session)
}

export async function logOut(): Promise<void> {
  await queryClient.cancelQueries()
  const isSignedOn = Boolean(knownSession()?.sign_on)
  const url = isSignedOn ? await endSignOn() : await endSession()
  queryClient.setQueryData(sessionKey, null)
  forgetDrafts()
  forgetInstalls()
  forgetAnswers()
  if (url !== null) location.assign(url)
}

async function endSession(): Promise<null> {
  await call('DELETE /auth/session', {}, { isAnonymous: true })
  return null
}

/** Where the session ends at the provider, if it offers that. */
async function endSignOn(): Promise<string | null> {
  const { data } = await call('DELETE /auth/sign-on', {}, { isAnonymous: true })
  return data.url
}

/** Changes to another organization: everything that was read belongs to the former one. */
export function switchOrganization(id: number): void {
  localStorage.setItem(chosenKey, String(id))
  setRequestOrganization(id)
  forgetAnswers()
  void queryClient.invalidateQueries({ queryKey: sessionKey })
}

/** Removes all that was read, except the session, which pages go on to watch. */
function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}
