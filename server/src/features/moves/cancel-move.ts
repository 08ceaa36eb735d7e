import { z } from 'zod'
import { changeBy, dataOf, textOf } from '../../http/change-record.ts'
import { conflict } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { announce } from '../events/announce.ts'
import { beginPuttingBack } from '../provisioning/move-ending-queries.ts'
import { lockMove } from '../provisioning/move-queries.ts'
import { advanceMove } from './advance-move.ts'
import { findMove } from './move-queries.ts'
import { moveNotFound, movePath, moveRecord, toMoveRecord } from './move-record.ts'
import type { MoveServices } from './work-moves.ts'

export const cancelMove = endpoint({
  summary: 'Cancel a move: the device is taken from its new network again',
  description:
    'Until the new network has heard the device. After that it is 409: the device has left its old network. A move that is over, or is being put back, stays as it is.',
  params: movePath,
  answer: z.object({ data: moveRecord }),
  failures: [404, 409],
  change: changeBy((done) => {
    const { device, state } = dataOf(done) as Record<string, unknown>
    const isBack = state === 'putting_back' || state === 'cancelled'
    if (!isBack || typeof device !== 'object' || device === null) return undefined
    const moved = device as Record<string, unknown>
    const [subject, name] = [textOf(moved.device_id), textOf(moved.device_name)]
    return { kind: 'device', action: 'kept at its network', subject, name }
  }),
  async handle({ params, caller: { organizationId }, record }, services: MoveServices) {
    const { db, now, provisioner, sealer } = services
    const key = { organizationId, moveId: params.move_id }
    const found = await findMove(db, organizationId, params.move_id)
    if (!found) throw moveNotFound()
    await db.transaction(async (tx) => {
      const move = await lockMove(tx, key, now())
      if (move?.state === 'completing') throw conflict(heardAlready)
      const message = 'It was cancelled by a member.'
      const isBegun = await beginPuttingBack(tx, key, { ending: 'cancelled', message, now: now() })
      await advanceMove(tx, sealer, key, now())
      const put = isBegun && (await findMove(tx, organizationId, params.move_id))
      if (put) await record(tx, { data: toMoveRecord(put) })
    })
    await provisioner.provisionNow(found.device_id)
    announce(services, organizationId, { kind: 'device', id: found.device_id })
    const move = await findMove(db, organizationId, params.move_id)
    if (!move) throw moveNotFound()
    return { data: toMoveRecord(move) }
  },
})

const heardAlready = 'The new network has heard the device: the move can no longer be cancelled.'
