import { useQuery } from '@tanstack/react-query'
import { ApiError, call, setRequestOrganization } from '../api/client.ts'
import type { Operations } from '../api/generated.ts'
import { queryClient } from '../api/hooks.ts'

export type Session = Operations['GET /auth/session']['answer']['data']
export type SessionOrganization = Session['organizations'][number]
export type Permission = 'manage_account' | 'manage_devices' | 'manage_gateways' | 'manage_groups'

const key = ['GET /auth/session']
const chosenKey = 'organization'

/** The session of this browser; null where nobody is logged in. */
export async function fetchSession(): Promise<Session | null> {
  try {
    const { data } = await call('GET /auth/session', {}, { isAnonymous: true })
    chooseOrganization(findOrganization(data)?.id)
    return data
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

const sessionQuery = { queryKey: key, queryFn: fetchSession, staleTime: 60_000 }

/** The session, read at the start and kept. */
export function useSessionQuery() {
  return useQuery(sessionQuery)
}

/** Asks for the session while the rest of the console is still being loaded. */
export function prefetchSession(): void {
  void queryClient.prefetchQuery(sessionQuery)
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
  const { organization } = useSession()
  return organization.is_owner || organization.permissions.includes(permission)
}

/** Logs in. False means that a second factor is needed. */
export async function logIn(body: Operations['POST /auth/session']['body']): Promise<boolean> {
  const answer = await call('POST /auth/session', { body }, { isAnonymous: true })
  if (!('data' in answer)) return false
  queryClient.clear()
  chooseOrganization(findOrganization(answer.data)?.id)
  queryClient.setQueryData(key, answer.data)
  return true
}

export async function logOut(): Promise<void> {
  await call('DELETE /auth/session', {}, { isAnonymous: true })
  queryClient.clear()
  queryClient.setQueryData(key, null)
}

/** Changes to another organization: everything that was read belongs to the former one. */
export function switchOrganization(id: number): void {
  localStorage.setItem(chosenKey, String(id))
  chooseOrganization(id)
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== key[0] })
  void queryClient.invalidateQueries({ queryKey: key })
}

function chooseOrganization(id: number | undefined): void {
  setRequestOrganization(id)
}

/** The organization of the address, or the one chosen last, or the first. */
function findOrganization(session: Session): SessionOrganization | undefined {
  const wanted =
    new URLSearchParams(location.search).get('org') ?? localStorage.getItem(chosenKey) ?? ''
  const { organizations } = session
  return organizations.find(({ id }) => String(id) === wanted) ?? organizations[0]
}
