import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import type { GatewayFieldName } from '../../../networks/forms.ts'
import { findNetwork } from '../../../networks/index.ts'
import { toMethod } from '../../accounts/connections/account-name.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import { hashOfSecret, newCallbackSecret } from '../../accounts/connections/callback-secret.ts'
import { findReasonsToWait } from '../../accounts/provisioning/hindrances.ts'
import { type Call, enqueueAll, withdrawAll } from '../../accounts/provisioning/outbox-queries.ts'
import { allotIds } from '../batches/id-queries.ts'
import type { Place } from '../inventory/places.ts'
import type { Tags } from '../inventory/tags.ts'
import { requestNames } from './gateway-fields.ts'
import type { GatewayRegistration } from './gateway-registration.ts'
import * as queries from './gateway-write-queries.ts'

/**
 * The only code that writes gateways: rows, and the outbox, whose calls the provisioner makes. One
 * gateway takes as many statements as a thousand.
 */

/**
 * Inserts gateways and returns their ids in the same order. Undefined when another request took one
 * of the EUIs: the transaction must then end. Gateways of kind `other` are active at once, each with
 * a token. Adopted gateways are at their network already, so nothing goes to the outbox.
 */
export async function insertGateways(
  tx: Queryable,
  sealer: Sealer,
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  {
    registrations,
    now,
    adoptedThrough,
  }: {
    registrations: readonly GatewayRegistration[]
    now: Date
    adoptedThrough?: RegisterMethod
  },
): Promise<number[] | undefined> {
  if (registrations.length === 0) return []
  const networks = [...new Set(registrations.map(({ network }) => network.key))]
  const methods = await queries.findRegisterMethods(tx, organizationId, networks)
  const ids = await allotIds(tx, 'gateways', registrations.length)
  const rows = registrations.map((registration, index) => {
    const row = toRow(registration, ids[index] ?? 0, { methods, sealer })
    if (adoptedThrough === undefined) return row
    return { ...row, registerMethod: adoptedThrough, registerStatus: 'active' as const }
  })
  const calls = adoptedThrough === undefined ? rows.flatMap(toAddition) : []
  const reasons = await findReasonsToWait(tx, organizationId, calls)
  const waiting = rows.map((row) => ({ ...row, registerError: reasons.get(row.id) }))
  const inserted = await queries.insertAll(tx, organizationId, waiting, { userId, now })
  if (inserted < rows.length) return undefined
  await enqueueAll(tx, organizationId, calls, now)
  return ids
}

function toRow(
  { network, values, accountName, tags, place }: GatewayRegistration,
  id: number,
  { methods, sealer }: { methods: ReadonlyMap<string, RegisterMethod[]>; sealer: Sealer },
): queries.GatewayRow {
  const isOther = network.key === 'other'
  return {
    id,
    gatewayEui: values.gatewayEui ?? '',
    name: values.gatewayName ?? '',
    network: network.key,
    registerMethod: accountName
      ? toMethod('user_account', accountName)
      : chooseMethod(methods.get(network.key) ?? []),
    ip: values.gatewayIp ?? null,
    region: values.region ?? null,
    description: values.description ?? null,
    settings: settingsOf(values),
    tags,
    place,
    registerStatus: isOther ? 'active' : 'pending',
    token: isOther ? makeToken(sealer, id) : undefined,
  }
}

/**
 * A gateway goes through the organization's own account, never through the operator's, where one
 * organization could rename and remove the gateways of another. Only the operator's organization may
 * use the operator's account.
 */
function chooseMethod(methods: readonly RegisterMethod[]): RegisterMethod {
  const isOperatorsOnly = methods.includes('vendor') && methods.length === 1
  return isOperatorsOnly ? 'vendor' : 'user_account'
}

function makeToken(sealer: Sealer, gatewayId: number): { sealed: Buffer; hash: Buffer } {
  const token = newCallbackSecret()
  return {
    sealed: sealer.seal(token, sealContext('gatewayToken', gatewayId)),
    hash: hashOfSecret(token),
  }
}

/** Fields with a column of their own. */
const ownColumns: readonly string[] = [
  'gatewayName',
  'gatewayEui',
  'gatewayIp',
  'region',
  'description',
]

function settingsOf(values: GatewayRegistration['values']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !ownColumns.includes(name))
      .map(([name, value]) => [requestNames[name as GatewayFieldName][0], value]),
  )
}

function toAddition(gateway: queries.GatewayRow): Call[] {
  if (gateway.network === 'other') return []
  return [
    {
      kind: 'gateway',
      id: gateway.id,
      eui: normalizeEui(gateway.gatewayEui),
      network: gateway.network,
      register_method: gateway.registerMethod,
      action: 'add',
    },
  ]
}

/** New values of a gateway; undefined leaves a value as it is. */
export interface GatewayChange {
  gateway: queries.RegisteredGateway
  name?: string | undefined
  ip?: string | null | undefined
  tags?: Tags | undefined
  place?: Place | null | undefined
}

/** Changes gateways that the caller has locked. */
export async function changeGateways(
  tx: Queryable,
  organizationId: number,
  changes: readonly GatewayChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  const given = changes.map(({ gateway, ...values }) => ({ id: gateway.id, ...values }))
  await queries.changeAll(tx, organizationId, given, now)
  await enqueueAll(tx, organizationId, changes.flatMap(callAfterChange), now)
}

/** A refused gateway is added again. Networks are not told of anything but names and places. */
function callAfterChange({ gateway, name, place }: GatewayChange): Call[] {
  const can = findNetwork(gateway.network)?.capabilities
  const isMoved = place && can?.places?.includes('gateways')
  if (gateway.network === 'other' || (name === undefined && !isMoved)) return []
  if (gateway.register_status === 'register_error') return [{ ...gateway, action: 'add' }]
  const isRenamed = name !== undefined && gateway.name !== name
  return isRenamed || isMoved ? [{ ...gateway, action: 'rename' }] : []
}

/** Deletes locked gateways. Networks that never heard of a gateway get no call. */
export async function removeGateways(
  tx: Queryable,
  organizationId: number,
  gateways: readonly queries.RegisteredGateway[],
  now: Date,
): Promise<void> {
  if (gateways.length === 0) return
  const ids = gateways.map(({ id }) => id)
  await queries.markAllDeleted(tx, organizationId, ids, now)
  const unheardOf = await withdrawAll(tx, organizationId, { kind: 'gateway', ids }, now)
  const calls = gateways.flatMap((gateway): Call[] =>
    gateway.network === 'other' || unheardOf.has(gateway.id)
      ? []
      : [{ ...gateway, action: 'remove' }],
  )
  await enqueueAll(tx, organizationId, calls, now)
}
