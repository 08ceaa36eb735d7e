import { z } from 'zod'
import type { Caller } from '../../http/endpoint.ts'
import { forbidden, lacksPermission } from '../../http/errors.ts'
import { paymentRecord, readPayment } from '../billing/registration-payment.ts'
import { endpoint } from '../services.ts'
import * as deviceQueries from './device-queries.ts'
import { fullDevice, toFullDevice } from './device-record.ts'
import {
  checkRegistration,
  findFaultsIn,
  registerDevice as register,
  registrationBody,
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
 * Two steps: `validate` tells what it would cost, `confirm` registers. The network is asked at
 * once; when it does not answer in time the device stays pending and is offered again.
 */
export const registerDevice = endpoint({
  summary: 'Register a device: `validate`, then `confirm`',
  body: registrationBody,
  examples: [
    { name: 'validate', body: { ...exampleDevice, action: 'validate' } },
    { name: 'confirm', body: { ...exampleDevice, action: 'confirm' } },
  ],
  answer: z.union([
    z.object({ status: z.literal(true), payment: paymentRecord }).meta({ title: 'validate' }),
    z.object({ status: z.literal(true), device: fullDevice }).meta({ title: 'confirm' }),
  ]),
  alsoWrong: (sent, { organizationId }, { db }) => findFaultsIn(db, organizationId, sent),
  async handle({ body, caller }, services) {
    const { db, provisioner, now } = services
    const { organizationId } = caller
    if (body.groups?.length) mustManageGroups(caller)
    const registration = await checkRegistration(db, organizationId, body)
    if (body.action === 'validate') {
      const { typeId } = registration
      const candidate = { network: registration.network.key, typeId }
      const payment = await readPayment(services, organizationId, candidate, now())
      return { status: true as const, payment }
    }
    const id = await register(services, caller, registration, now())
    await provisioner.provisionNow(id)
    const device = await deviceQueries.findRegistered(db, organizationId, id)
    return { status: true as const, device: toFullDevice(device) }
  },
})

function mustManageGroups({ permissions }: Caller): void {
  if (!permissions.includes('manage_groups')) {
    throw forbidden(lacksPermission('manage_groups'))
  }
}
