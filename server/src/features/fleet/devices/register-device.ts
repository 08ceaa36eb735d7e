import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeBy, textOf } from '../../../http/change-record.ts'
import type { Caller, RecordChange } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import { findHindrances } from '../../accounts/provisioning/hindrances.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import {
  findUnpaid,
  paymentMissing,
  paymentRecord,
  readPayment,
} from '../../people/billing/registration-payment.ts'
import { lockOrFindMissing } from '../device-types/device-type-queries.ts'
import type { StoredDevice } from '../inventory/device-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { isLimitReached, lockRemaining } from '../inventory/quota-queries.ts'
import { lockGroups, mustManageGroups } from './device-groups.ts'
import { fullDevice, toFullDevice } from './device-record.ts'
import { insertDevices } from './device-writes.ts'
import { findProfileOfModel, profileOfModelField } from './profile-of-model.ts'
import {
  checkRegistration,
  euiTaken,
  findFaultsIn,
  quotaSpent,
  type Registration,
  type RegistrationServices,
  registrationBody,
  typeUnknown,
} from './registration.ts'

const exampleDevice = {
  network: 10,
  deviceName: 'Front door',
  deviceId: '00AA000000000001',
  deviceKey: '00112233445566778899AABBCCDDEEFF',
  deviceType: 16,
  appRegion: 'EU868',
  registerMethod: 'user_account',
}

/**
 * Two steps: `validate` returns the price, `confirm` registers. The network is called at once; when
 * it does not answer in time, the device stays pending and the provisioner tries again.
 */
export const registerDevice = endpoint({
  summary: 'Register a device: `validate`, then `confirm`',
  body: registrationBody,
  examples: [
    { name: 'validate', body: { ...exampleDevice, action: 'validate' } },
    { name: 'confirm', body: { ...exampleDevice, action: 'confirm' } },
  ],
  answer: z.union([
    z
      .object({
        status: z.literal(true),
        payment: paymentRecord,
        ...profileOfModelField,
        ...warningsField,
      })
      .meta({ title: 'validate' }),
    z
      .object({ status: z.literal(true), device: fullDevice, ...warningsField })
      .meta({ title: 'confirm' }),
  ]),
  alsoWrong: (sent, { organizationId }, { db }: RegistrationServices) =>
    findFaultsIn(db, organizationId, sent),
  change: changeBy(({ body, answer }) =>
    'device' in answer
      ? {
          kind: 'device',
          action: 'registered',
          subject: textOf(body.deviceId)?.toUpperCase(),
          name: textOf(body.deviceName),
        }
      : undefined,
  ),
  async handle({ body, caller, record }, services: RegistrationServices) {
    const { db, provisioner, now } = services
    const { organizationId } = caller
    if (body.groups?.length) mustManageGroups(caller)
    const registration = await checkRegistration(db, organizationId, body)
    if (body.action === 'validate') {
      const { typeId } = registration
      const candidate = { network: registration.network.key, typeId }
      const payment = await readPayment(services, organizationId, candidate, now())
      const warnings = await warnOfHindrance(db, organizationId, registration)
      const profile = await findProfileOfModel(db, organizationId, registration)
      return { status: true as const, payment, ...profile, ...warnings }
    }
    const id = await register(services, caller, registration, { now: now(), record })
    announce(services, organizationId, { kind: 'device', id })
    const told = await provisioner.provisionNow(id)
    const device = await deviceQueries.findRegistered(db, organizationId, id)
    const hindrance = await warnOfHindrance(db, organizationId, registration, device)
    const warnings = [...(hindrance.warnings ?? []), ...told]
    const said = warnings.length > 0 ? { warnings } : {}
    return { status: true as const, device: toFullDevice(device), ...said }
  },
})

/**
 * Returns the id of the new device. Throws the 422 when billing is missing, or when since the checks
 * the EUI or the quota was taken, or the type or a group was deleted.
 */
async function register(
  { db, sealer, billingPlans }: Pick<RegistrationServices, 'db' | 'sealer' | 'billingPlans'>,
  caller: Caller,
  registration: Registration,
  { now, record }: { now: Date; record: RecordChange },
): Promise<number> {
  const { organizationId } = caller
  const { network, typeId, groups } = registration
  try {
    return await db.transaction(async (tx) => {
      const remaining = await lockRemaining(tx, organizationId)
      if (remaining <= 0) throw invalid({ deviceId: [quotaSpent] })
      const missing = await lockOrFindMissing(tx, organizationId, [typeId])
      if (missing.size > 0) throw invalid({ deviceType: [typeUnknown] })
      const unpaid = await findUnpaid(tx, billingPlans, organizationId, [network.key], now)
      if (unpaid.size > 0) throw invalid({ payment: [paymentMissing] })
      if (groups.length > 0) await lockGroups(tx, organizationId, groups)
      const ids = await insertDevices(tx, sealer, caller, { registrations: [registration], now })
      const [id] = ids ?? []
      if (id === undefined) throw invalid({ deviceId: euiTaken })
      await record(tx, { device: { id } })
      return id
    })
  } catch (error) {
    throw isLimitReached(error) ? invalid({ deviceId: [quotaSpent] }) : error
  }
}

/**
 * Says why the network does not take the device: before the registration, or after the call. Says
 * nothing when the network has the device, or the device is of the console only.
 */
async function warnOfHindrance(
  db: Queryable,
  organizationId: number,
  { network, registerMethod, isConsoleOnly }: Registration,
  asked?: StoredDevice,
): Promise<{ warnings?: string[] }> {
  if (isConsoleOnly) return {}
  const hindranceOf = await findHindrances(db, organizationId)
  const hindrance = hindranceOf({
    kind: 'device',
    network: network.key,
    register_method: registerMethod,
  })
  const isDone = asked?.register_status === 'active' && hindrance?.waits !== false
  const warning = isDone ? undefined : (hindrance?.sentence ?? asked?.register_error)
  return warning ? { warnings: [warning] } : {}
}
