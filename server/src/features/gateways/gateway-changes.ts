import type { Queryable } from '../../db/connect.ts'
import { type Call, enqueueAll, withdrawAll } from '../provisioning/outbox-batch-queries.ts'
import { changeAll, type KnownGateway, markAllDeleted } from './gateway-change-queries.ts'

/** A gateway, and what is to be different of it; `ip` left out stays as it is. */
export interface PlannedChange {
  gateway: KnownGateway
  name: string
  ip?: string | null | undefined
}

/** Changes gateways that are locked, and lets their networks know. */
export async function changeGateways(
  tx: Queryable,
  organizationId: number,
  changes: readonly PlannedChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  const given = changes.map(({ gateway, name, ip }) => ({ id: gateway.id, name, ip }))
  await changeAll(tx, organizationId, given, now)
  await enqueueAll(tx, organizationId, changes.flatMap(callAfterChange), now)
}

/** A gateway that the network refused is offered to it again. */
function callAfterChange({ gateway, name }: PlannedChange): Call[] {
  if (gateway.network === 'other') return []
  if (gateway.register_status === 'register_error') return [{ ...gateway, action: 'add' }]
  return gateway.name === name ? [] : [{ ...gateway, action: 'rename' }]
}

/** Deletes gateways that are locked, and lets those networks know that may have heard of them. */
export async function removeGateways(
  tx: Queryable,
  organizationId: number,
  gateways: readonly KnownGateway[],
  now: Date,
): Promise<void> {
  if (gateways.length === 0) return
  const ids = gateways.map(({ id }) => id)
  await markAllDeleted(tx, organizationId, ids, now)
  const unheardOf = await withdrawAll(tx, organizationId, { kind: 'gateway', ids }, now)
  const calls = gateways.flatMap((gateway): Call[] =>
    gateway.network === 'other' || unheardOf.has(gateway.id)
      ? []
      : [{ ...gateway, action: 'remove' }],
  )
  await enqueueAll(tx, organizationId, calls, now)
}
