import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import type { DownlinkServices } from '../../downlinks/downlink-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { advanceMove } from './advance-move.ts'
import { type DueMove, listDueMoves, listStrandedMoves } from './move-step-queries.ts'

/** What moves need. */
export interface MoveServices extends ProvisioningServices, DownlinkServices {}

/** Moves that are looked at in one go; further ones have their turn the next time. */
const mostAtOnce = 500

/** Takes the steps of moves that are due, one transaction for each. */
export async function workMoves(services: MoveServices): Promise<void> {
  await advanceAll(services, await listDueMoves(services.db, services.now(), mostAtOnce))
}

/** Goes on with moves that await a call that is never made. */
export async function freeStrandedMoves(services: MoveServices): Promise<void> {
  await advanceAll(services, await listStrandedMoves(services.db, mostAtOnce))
}

async function advanceAll(services: MoveServices, due: readonly DueMove[]): Promise<void> {
  const { provisioner, downlinkSender } = services
  for (const move of due) await advanceOne(services, move)
  if (due.length === 0) return
  provisioner.wake()
  downlinkSender.wake()
}

async function advanceOne(services: MoveServices, move: DueMove): Promise<void> {
  const { db, log, now, sealer } = services
  try {
    await db.transaction((tx) => advanceMove(tx, sealer, move, now()))
    announce(services, move.organizationId, { kind: 'device', id: move.deviceId })
  } catch (error) {
    log.error({ err: error, move: move.moveId }, 'a move failed')
  }
}
