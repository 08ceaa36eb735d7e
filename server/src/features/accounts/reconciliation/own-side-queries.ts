import type { Queryable } from '../../../db/connect.ts'

import type { DeviceRadio } from '../../../networks/device-radio.ts'
import { queueRegistration } from '../../outgoing/events/webhook-event-queries.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { type Kind, type OwnSide, type OwnThing, placeOf } from './difference.ts'

/** Selects the devices, gateways and outbox rows of an account. */
type AccountKey = Pick<StoredAccount, 'organization_id' | 'network' | 'register_method'>

/**
 * Reads what is registered here under an account, and its places with calls in the outbox, or with a
 * device that moves. The operator's account is compared with the devices of all organizations.
 */
export async function readOwnSide(db: Queryable, account: AccountKey): Promise<OwnSide> {
  const key = [account.organization_id, account.network, account.register_method]
  // The outbox comes last: a call that ends in between is then missing here, but the other reading
  // has it, and it makes no difference.
  const things = await db.query<OwnThing>(
    `select 'device' as kind, id, eui, name, is_console_only, upper(join_eui) as join_eui,
       sealed_key is not null as has_key, radio
     from devices
     where (organization_id = $1 or $3 = 'vendor') and network = $2 and register_method = $3
       and deleted_at is null
     union all
     select 'gateway', id, eui, name, false, null, false, null
     from gateways
     where organization_id = $1 and network = $2 and register_method = $3 and deleted_at is null`,
    key,
  )
  const busy = await db.query<{ kind: Kind; eui: string }>(
    `select case when gateway_id is null then 'device' else 'gateway' end as kind, eui
     from provisioning
     where network = $2 and register_method = $3 and (organization_id = $1 or $3 = 'vendor')
     union all
     select 'device', devices.eui
     from device_moves as moves
     join devices on devices.organization_id = moves.organization_id
       and devices.id = moves.device_id
     where moves.finished_at is null and (moves.organization_id = $1 or $3 = 'vendor')
       and (
         moves.to_network = $2 and moves.to_method = $3
         or moves.from_network = $2 and moves.from_method = $3
       )`,
    key,
  )
  return {
    things: new Map(things.map((thing) => [placeOf(thing), thing])),
    busy: new Set(busy.map(placeOf)),
  }
}

/** Reads the sealed keys of devices by id. Devices adopted without a key have none. */
export async function readSealedKeys(
  db: Queryable,
  account: AccountKey,
  deviceIds: readonly number[],
): Promise<Map<number, SealedKeys>> {
  if (deviceIds.length === 0) return new Map()
  const rows = await db.query<SealedKeys & { id: number }>(
    `select id, sealed_key, sealed_network_key from devices
     where (organization_id = $1 or $2 = 'vendor') and id = any($3) and sealed_key is not null`,
    [account.organization_id, account.register_method, deviceIds],
  )
  return new Map(rows.map(({ id, ...keys }) => [id, keys]))
}

export interface SealedKeys {
  sealed_key: Buffer
  /** NwkKey of LoRaWAN 1.1. */
  sealed_network_key: Buffer | null
}

export interface RepairTarget {
  kind: Kind
  id: number
  organization_id: number
  eui: string
  network: string
  register_method: string
  /** Always true for a gateway. */
  has_key: boolean
  /** Its network refused to register it. Never of a gateway. */
  is_refused: boolean
}

/** Locks the rows that no other transaction holds: waiting could deadlock. */
export async function lockSteady(
  tx: Queryable,
  { organization_id, network, register_method }: StoredAccount,
  kind: Kind,
  euis: readonly string[],
): Promise<RepairTarget[]> {
  const lock = (organizationId: number) =>
    tx.query<RepairTarget>(lockText(kind), [organizationId, network, register_method, euis])
  if (kind !== 'device' || register_method !== 'vendor') return lock(organization_id)
  // The operator's account has devices of all organizations. Citus locks rows of one at a time.
  const holders = await tx.query<{ id: number }>(
    `select distinct organization_id as id from devices
     where register_method = 'vendor' and network = $1 and eui = any($2) and deleted_at is null`,
    [network, euis],
  )
  const locked = await Promise.all(holders.map(({ id }) => lock(id)))
  return locked.flat()
}

function lockText(kind: Kind): string {
  return `select '${kind}' as kind, targets.id, targets.organization_id, targets.eui, targets.network,
       targets.register_method,
       ${kind === 'device' ? 'targets.sealed_key is not null' : 'true'} as has_key,
       ${kind === 'device' ? 'targets.is_refused' : 'false'} as is_refused
     from ${kind}s as targets
     where targets.organization_id = $1${kind === 'device' ? ' and not targets.is_console_only' : ''}
       and targets.network = $2 and targets.register_method = $3
       and targets.eui = any($4) and targets.deleted_at is null
     for no key update of targets skip locked`
}

/** Marks devices or gateways that will be added again. */
export async function markPending(
  tx: Queryable,
  kind: Kind,
  targets: readonly Pick<RepairTarget, 'organization_id' | 'id'>[],
): Promise<void> {
  await tx.query(
    `update ${kind}s set register_status = 'pending', register_error = null where organization_id = any($1) and id = any($2)`,
    [targets.map(({ organization_id }) => organization_id), targets.map(({ id }) => id)],
  )
}

/** Tells the webhooks of an organization that these devices are active. */
export async function tellActive(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `with changed as (
       select organization_id, id from devices where organization_id = $1 and id = any($2)
     )
     ${queueRegistration('changed', { status: "'active'" })}`,
    [organizationId, ids],
  )
}

export async function setSealedKeys(
  tx: Queryable,
  keys: readonly { organization_id: number; id: number; sealedKey: Buffer }[],
): Promise<void> {
  const given = keys.map(({ sealedKey, ...key }) => ({ ...key, sealed: sealedKey.toString('hex') }))
  await tx.query(
    `update devices set sealed_key = decode(given.sealed, 'hex')
     from json_to_recordset($1) as given(organization_id bigint, id bigint, sealed text)
     where devices.organization_id = given.organization_id and devices.id = given.id`,
    [JSON.stringify(given)],
  )
}

/** Values in hexadecimal; null leaves a value as it is. */
interface TakenOver {
  organization_id: number
  id: number
  joinEui: string | null
  sealedKey: string | null
  /** With another version or activation, the keys that are not given are forgotten. */
  radio: Omit<DeviceRadio, 'networkKey'> | null
  sealedNetworkKey: string | null
  /** The key that is replaced. */
  sealedBefore: string | null
}

/** SQL: the keys here mean the same as before. */
const keepsKeys = `(given.radio is null or
  given.radio ->> 'version' = coalesce(devices.radio ->> 'version', '1.0')
  and given.radio ->> 'activation' = coalesce(devices.radio ->> 'activation', 'otaa'))`

/**
 * A registration that the network refused is active then: the network has the device as it is here.
 * Returns the ids of the changed devices. A device whose key changed meanwhile stays as it is.
 */
export async function takeOverAll(
  tx: Queryable,
  changes: readonly TakenOver[],
): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(
    `update devices
     set join_eui = coalesce(given."joinEui", devices.join_eui),
       sealed_key = coalesce(
         decode(given."sealedKey", 'hex'), case when ${keepsKeys} then devices.sealed_key end
       ),
       radio = coalesce(given.radio, devices.radio),
       register_status = case when devices.is_refused then 'active' else devices.register_status end,
       register_error = case when not devices.is_refused then devices.register_error end,
       is_refused = false,
       sealed_network_key = coalesce(
         decode(given."sealedNetworkKey", 'hex'),
         case when ${keepsKeys} then devices.sealed_network_key end
       )
     from json_to_recordset($1) as given(
       organization_id bigint, id bigint, "joinEui" text, "sealedKey" text,
       radio jsonb, "sealedNetworkKey" text, "sealedBefore" text
     )
     where devices.organization_id = given.organization_id and devices.id = given.id and (
       given."sealedKey" is null
       or devices.sealed_key is not distinct from decode(given."sealedBefore", 'hex')
     )
     returning devices.id`,
    [JSON.stringify(changes)],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Claims the account on these networks that has been due longest, and sets its next time. */
export async function claimDue(
  db: Queryable,
  claim: { networks: readonly string[]; now: Date; next: Date },
): Promise<(StoredAccount & { tenant_id: number }) | undefined> {
  const accounts = await db.query<StoredAccount & { tenant_id: number }>(
    `with due as materialized (
       select id from network_accounts
       where next_comparison_at <= $1 and network = any($3) and not exists (
         select from organizations where organizations.id = organization_id and deletion_id is not null
       )
       order by next_comparison_at
       limit 1
       for update skip locked
     )
     update network_accounts as accounts set next_comparison_at = $2
     from due, organizations
     where accounts.id = due.id and organizations.id = accounts.organization_id
     returning accounts.id, accounts.organization_id, accounts.network, accounts.register_method,
       accounts.uuid, accounts.account_fields, accounts.sealed_secrets, accounts.status,
       accounts.status_message, accounts.callback_message, accounts.broker_message,
       accounts.broker_session, accounts.subscriber, accounts.sealed_callback_secret, accounts.updated_at, organizations.tenant_id`,
    [claim.now, claim.next, claim.networks],
  )
  return accounts[0]
}

export async function setNextComparison(
  db: Queryable,
  accountId: number,
  next: Date,
): Promise<void> {
  await db.query('update network_accounts set next_comparison_at = $2 where id = $1', [
    accountId,
    next,
  ])
}
