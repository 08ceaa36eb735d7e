import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../../db/connect.ts'
import type { Caller, RecordChange } from '../../../http/endpoint.ts'
import { toOneLine } from '../../../http/fields.ts'
import { type DeviceRadio, type KnownRadio, toWholeRadio } from '../../../networks/device-radio.ts'
import { anyJoinEui } from '../../../networks/forms.ts'
import type { Network } from '../../../networks/network.ts'
import { release } from '../../../uplinks/receive/release-queries.ts'
import { EuiTakenMeanwhile, transactBatch } from '../../fleet/batches/batches.ts'
import { lockOrFindMissing } from '../../fleet/device-types/device-type-queries.ts'
import { insertDevices } from '../../fleet/devices/device-writes.ts'
import { quotaSpent, type Registration, typeUnknown } from '../../fleet/devices/registration.ts'
import { findTakenDevices } from '../../fleet/devices/taken-device-queries.ts'
import { findTakenGateways } from '../../fleet/gateways/gateway-write-queries.ts'
import { insertGateways } from '../../fleet/gateways/gateway-writes.ts'
import { lockRemaining } from '../../fleet/inventory/quota-queries.ts'
import type { Tags } from '../../fleet/inventory/tags.ts'
import type { BillingServices } from '../../people/billing/plans.ts'
import { findUnpaid, paymentMissing } from '../../people/billing/registration-payment.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { findBusy } from '../provisioning/outbox-queries.ts'
import type { Kind } from './difference.ts'
import type { RowResult } from './reconciliation-record.ts'
import type { DeviceFacts } from './reconciliation-rows.ts'

/** A device or gateway to record here as the network has it. */
export interface Adoption {
  kind: Kind
  eui: string
  name: string
  device: DeviceFacts
  /** How the network has the device, where it tells. */
  radio: KnownRadio | undefined
  tags: Tags
}

interface AdoptionContext {
  network: Network
  account: StoredAccount
  caller: Pick<Caller, 'organizationId' | 'userId'>
  now: Date
  /** Makes the groups of devices that pass, and returns their ids by EUI. */
  groupsOf?: (accepted: readonly Adoption[]) => Promise<ReadonlyMap<string, readonly number[]>>
}

type Dependencies = Pick<BillingServices, 'db' | 'sealer' | 'billingPlans'>

/**
 * Registers devices or gateways that the network already has: as active, without a call to the
 * network. All are of one kind. Returns the results in order. Quota and billing apply as in a
 * registration.
 */
export function adopt(
  services: Dependencies,
  context: AdoptionContext & { record: RecordChange },
  kind: Kind,
  adoptions: readonly Adoption[],
): Promise<RowResult[]> {
  const adoptAll = kind === 'device' ? adoptDevices : adoptGateways
  return transactBatch(services.db, async (tx) => {
    const results = await adoptAll(tx, services, context, adoptions)
    return recordDone(tx, context, results)
  })
}

/** As `adopt`, in a transaction of `transactBatch`. */
export async function adoptDevices(
  tx: Queryable,
  services: Dependencies,
  context: AdoptionContext,
  adoptions: readonly Adoption[],
): Promise<RowResult[]> {
  const { network, account, caller, now } = context
  const { organizationId } = caller
  const euis = adoptions.map(({ eui }) => eui)
  // First: its lock keeps everything below unchanged.
  let remaining = await lockRemaining(tx, organizationId)
  const taken = await findTakenDevices(tx, account, euis)
  const busy = await findBusy(tx, account, 'device', euis)
  const unpaid = await findUnpaid(tx, services.billingPlans, organizationId, [network.key], now)
  const types = adoptions.flatMap(({ device }) => device.typeId ?? [])
  const missingTypes = await lockOrFindMissing(tx, organizationId, types)
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
  if (accepted.length === 0) return results
  const groups = await context.groupsOf?.(accepted)
  const registrations = accepted.map((adoption) => {
    return toRegistration(adoption, context, groups?.get(adoption.eui))
  })
  const what = { registrations, now, isAdoption: true }
  if (!(await insertDevices(tx, services.sealer, caller, what))) throw new EuiTakenMeanwhile()
  const adopted = accepted.map(({ eui }) => eui)
  await release(tx, account, adopted)
  return results
}

function toRegistration(
  { eui, name, device, radio, tags }: Adoption,
  { network, account }: AdoptionContext,
  groups: readonly number[] = [],
): Registration {
  const { key, joinEui = anyJoinEui, typeId = 0 } = device
  return {
    deviceEui: eui,
    deviceKey: key,
    joinEui,
    name: toOneLine(name) || eui,
    typeId,
    network,
    registerMethod: account.register_method,
    gatewayId: null,
    appRegion: null,
    frequencyPlan: null,
    isConsoleOnly: false,
    groups: [...groups],
    tags,
    radio: toRadio(radio ?? {}, device),
  }
}

/** Undefined for the usual device: of LoRaWAN 1.0.x and class A with a join. */
function toRadio(known: KnownRadio, { networkKey }: DeviceFacts): DeviceRadio | undefined {
  const radio = toWholeRadio(known)
  if (isDeepStrictEqual(radio, toWholeRadio({}))) return undefined
  const hasSecondKey = radio.version === '1.1' || radio.activation === 'abp'
  return { ...radio, ...(hasSecondKey && networkKey !== undefined && { networkKey }) }
}

/** Likewise. */
export async function adoptGateways(
  tx: Queryable,
  services: Dependencies,
  { network, account, caller, now }: AdoptionContext,
  adoptions: readonly Adoption[],
): Promise<RowResult[]> {
  const euis = adoptions.map(({ eui }) => eui)
  const taken = await findTakenGateways(tx, account.organization_id, network.key, euis)
  const busy = await findBusy(tx, account, 'gateway', euis)
  const accepted: Adoption[] = []
  const results = adoptions.map((adoption) => {
    const fault = findFault(adoption, { taken, busy })
    if (fault !== undefined) return refused(fault)
    accepted.push(adoption)
    return done('Gateway adopted.')
  })
  const registrations = accepted.map(({ eui, name, tags }) => {
    return { network, tags, values: { gatewayEui: eui, gatewayName: toOneLine(name) || eui } }
  })
  const what = { registrations, now, adoptedThrough: account.register_method }
  if (!(await insertGateways(tx, services.sealer, caller, what))) throw new EuiTakenMeanwhile()
  return results
}

/** Returns the fault that arose after the comparison. */
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

export const onItsWay = 'Another change of it is being sent to the network. Please try again.'

/** Records in the transaction of the rows how many of them were carried out. */
export async function recordDone(
  tx: Queryable,
  { record }: { record: RecordChange },
  results: RowResult[],
): Promise<RowResult[]> {
  const done = results.filter(({ status }) => status).length
  await record(tx, { data: { outcome: { done } } })
  return results
}

export function done(message: string): RowResult {
  return { status: true, message }
}

export function refused(message: string): RowResult {
  return { status: false, message }
}
