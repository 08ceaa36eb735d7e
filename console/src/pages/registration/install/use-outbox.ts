import { useEffect, useSyncExternalStore } from 'react'
import { closeWhenForgotten } from '../../../session/kept-installs.ts'
import { useSession } from '../../../session/session.ts'
import { createOutbox, type Outbox, type OutboxState, ownerOf } from './outbox.ts'

const outboxes = new Map<string, Outbox>()

closeWhenForgotten(() => {
  for (const outbox of outboxes.values()) outbox.close()
  outboxes.clear()
})

/** The devices that this user installs for this organization, sent while the page is open. */
export function useOutbox(): { outbox: Outbox; owner: string } & OutboxState {
  const { session, organization } = useSession()
  const owner = ownerOf(session.user.id, organization.id)
  const outbox = outboxes.get(owner) ?? createOutbox(session.user.id, organization.id)
  outboxes.set(owner, outbox)
  useEffect(() => outbox.open(), [outbox])
  return { outbox, owner, ...useSyncExternalStore(outbox.subscribe, outbox.current) }
}
