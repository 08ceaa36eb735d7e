import type { Queryable } from '../../db/connect.ts'
import type { Caller } from '../../http/endpoint.ts'
import type { Network } from '../../networks/network.ts'
import { EuiTakenMeanwhile, transactBatch } from '../batches/batch-transaction.ts'
import { allotIds } from '../batches/id-queries.ts'
import type { BillingServices } from '../billing/billing-provider.ts'
import { findUnpaid, paymentMissing } from '../billing/registration-payment.ts'
import { release } from '../callbacks/release-queries.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { findMissing } from '../device-types/device-type-queries.ts'
import * as batchQueries from '../devices/device-write-queries.ts'
import { deviceKeyContext, quotaSpent, typeUnknown } from '../devices/registration.ts'
import { defaultJoinEuiOf } from '../devices/registration-form.ts'
import * as gatewayQueries from '../gateways/gateway-write-queries.ts'
import { findBusy } from '../provisioning/outbox-batch-queries.ts'
import type { Kind } from './difference.ts'
import type { RowResult } from './reconciliation-record.ts'
import type { DeviceFacts } from './reconciliation-rows.ts'
import { findTakenDevices, findTakenGateways } from './side-queries.ts'

/** What is to be recorded here as the network has it. */
export interface Adoption {
  kind: Kind
  eui: string
  name: string
  device: DeviceFacts
}

export interface AdoptionContext {
  network: Network
  account: StoredAccount
  caller: Caller
  now: Date
}

type Dependencies = Pick<BillingServices, 'db' | 'sealer' | 'billing'>

/**
 * Registers what exists at the network already, as active and without a call to it, and gives the
 * result of each, in order. All are of one kind. Devices take the quota and what they are billed
 * by like a registration; a second adoption of the same finds the EUI taken.
 */
export function adopt(
  services: Dependencies,
  context: AdoptionContext,
  kind: Kind,
  adoptions: readonly Adoption[],
): Promise<RowResult[]> {
  const adoptAll = kind === 'device' ? adoptDevices : adoptGateways
  return transactBatch(services.db, (tx) => adoptAll(tx, services, context, adoptions))
}

async function adoptDevices(
  tx: Queryable,
  services: Dependencies,
  context: AdoptionContext,
  adoptions: readonly Adoption[],
): Promise<RowResult[]> {
  const { network, account, caller, now } = context
  const { organizationId } = caller
  const euis = adoptions.map(({ eui }) => eui)
  // First, since it is also the lock: only then does the rest stay as it is.
  let remaining = await batchQueries.lockRemaining(tx, organizationId)
  const taken = await findTakenDevices(tx, account, euis)
  const busy = await findBusy(tx, account, 'device', euis)
  const unpaid = await findUnpaid(tx, services.billing, organizationId, [network.key], now)
  const types = adoptions.flatMap(({ device }) => device.typeId ?? [])
  const missingTypes = await findMissing(tx, organizationId, types)
  const accepted: Adoption[] = []
  const results = adoptions.map((adoption) => {
    const fault = findFault(adoption, { taken, busy }) ?? findTypeFault(adoption, missingTypes)
    if (fault !== undefined) return refused(fault)
    if (remaining <= 0) return refused(quotaSpent)
    if (unpaid.has(network.key)) return refused(paymentMissing)
    remaining -= 1
    accepted.push(adoption)
    return done('Device adopted.')
  })
  if (accepted.length > 0) {
    await insertDevices(tx, services, context, accepted)
    await batchQueries.changeCount(tx, organizationId, accepted.length)
  }
  return results
}

async function insertDevices(
  tx: Queryable,
  { sealer }: Dependencies,
  { network, account, caller, now }: AdoptionContext,
  adoptions: readonly Adoption[],
): Promise<void> {
  const { organizationId, userId } = caller
  const ids = await allotIds(tx, 'devices', adoptions.length)
  const devices = adoptions.map(({ eui, name, device }, index) => {
    const id = ids[index] ?? 0
    const { key, joinEui = defaultJoinEuiOf(network), typeId = 0 } = device
    return {
      id,
      deviceEui: eui,
      joinEui,
      name,
      typeId,
      network: network.key,
      registerMethod: account.register_method,
      registerStatus: 'active' as const,
      gatewayId: null,
      appRegion: null,
      frequencyPlan: null,
      isConsoleOnly: false,
      sealedKey: key === undefined ? null : sealer.seal(key, deviceKeyContext(id)),
    }
  })
  const inserted = await batchQueries.insertAll(tx, organizationId, devices, { userId, now })
  if (inserted < devices.length) throw new EuiTakenMeanwhile()
  const euis = adoptions.map(({ eui }) => eui)
  await release(tx, account.id, euis)
}

async function adoptGateways(
  tx: Queryable,
  _services: Dependencies,
  { network, account, caller, now }: AdoptionContext,
  adoptions: readonly Adoption[],
): Promise<RowResult[]> {
  const euis = adoptions.map(({ eui }) => eui)
  const taken = await findTakenGateways(tx, account, euis)
  const busy = await findBusy(tx, account, 'gateway', euis)
  const accepted: Adoption[] = []
  const results = adoptions.map((adoption) => {
    const fault = findFault(adoption, { taken, busy })
    if (fault !== undefined) return refused(fault)
    accepted.push(adoption)
    return done('Gateway adopted.')
  })
  const ids = await allotIds(tx, 'gateways', accepted.length)
  const gateways = accepted.map(({ eui, name }, index) => ({
    id: ids[index] ?? 0,
    gatewayEui: eui,
    name,
    network: network.key,
    registerMethod: account.register_method,
    ip: null,
    region: null,
    description: null,
    settings: {},
    registerStatus: 'active' as const,
    token: undefined,
  }))
  const origin = { userId: caller.userId, now }
  const inserted = await gatewayQueries.insertAll(tx, caller.organizationId, gateways, origin)
  if (inserted < gateways.length) throw new EuiTakenMeanwhile()
  return results
}

/** What became true since the comparison. */
function findFault(
  { kind, eui }: Adoption,
  { taken, busy }: { taken: ReadonlySet<string>; busy: ReadonlySet<string> },
): string | undefined {
  if (taken.has(eui)) return `The ${kind} EUI has already been taken.`
  return busy.has(eui) ? onItsWay : undefined
}

function findTypeFault(
  { device: { typeId } }: Adoption,
  missing: ReadonlySet<number>,
): string | undefined {
  if (typeId === undefined) return 'The device type field is required.'
  return missing.has(typeId) ? typeUnknown : undefined
}

export const onItsWay = 'The network is being told something of it just now. Please try again.'

export function done(message: string): RowResult {
  return { status: true, message }
}

export function refused(message: string): RowResult {
  return { status: false, message }
}
