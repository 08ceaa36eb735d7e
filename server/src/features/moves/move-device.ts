import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import { warningsField } from '../../http/unknown-members.ts'
import { endpoint } from '../core-services.ts'
import type { RegistrationServices } from '../devices/registration.ts'
import { announce } from '../events/announce.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { moveBody } from './move-form.ts'
import { findMove } from './move-queries.ts'
import { moveNotFound, moveRecord, toMoveRecord } from './move-record.ts'
import { movesAlready, startMove } from './start-move.ts'

/** The new network is called at once; when it does not answer in time, the call is made later. */
export const moveDevice = endpoint({
  summary: 'Move a device to another network, with its history',
  description:
    'The device is created at the new network and stays at the old one. Its first uplink by the new network completes the move: it is taken from the old one. Without such an uplink in `hours`, it is put back. Until the move is done, the device is shown at the old network.',
  params: devicePath,
  body: moveBody,
  examples: [
    {
      name: 'to The Things Stack',
      body: { network: 5, registerMethod: 'user_account', appRegion: 'EU868', hours: 48 },
    },
  ],
  answer: z.object({ data: moveRecord, ...warningsField }),
  failures: [404, 409],
  change: changeOf('device', 'moved'),
  async handle({ params, body, caller, record }, services: RegistrationServices) {
    const { db, now, provisioner } = services
    const { organizationId } = caller
    const device = await deviceQueries.find(db, organizationId, readReference(params.device_id))
    if (!device) throw notFound('device not found')
    const started = await db.transaction(async (tx) => {
      const what = { deviceId: device.id, body, now: now() }
      const begun = await startMove(tx, services, caller, what)
      if (typeof begun === 'object' && 'id' in begun) await record(tx)
      return begun
    })
    if (started === 'device_gone') throw notFound('device not found')
    if (started === 'moves_already') throw conflict(movesAlready)
    if ('errors' in started) throw invalid(started.errors)
    await provisioner.provisionNow(device.id)
    announce(services, organizationId, { kind: 'device', id: device.id })
    const move = await findMove(db, organizationId, started.id)
    if (!move) throw moveNotFound()
    return { data: toMoveRecord(move) }
  },
})
