import { z } from 'zod'
import { changeBy, changeOf, dataOf, textOf } from '../../../http/change-record.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { queryChoice, queryInteger, searchText } from '../../../http/fields.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { findNetwork } from '../../../networks/index.ts'
import { beginPuttingBack } from '../../accounts/provisioning/move-ending-queries.ts'
import { lockMove } from '../../accounts/provisioning/move-queries.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import type { RegistrationServices } from '../devices/registration.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { advanceMove } from './advance-move.ts'
import { moveBody } from './move-form.ts'
import { findMove, listMoves as list, moveStates } from './move-queries.ts'
import { moveNotFound, movePath, moveRecord, toMoveRecord } from './move-record.ts'
import { movesAlready, startMove } from './start-move.ts'
import type { MoveServices } from './work-moves.ts'

const states = ['open', ...moveStates] as const

export const listMoves = endpoint({
  summary: 'Moves of devices between networks, newest first',
  query: z.object({
    device: searchText('device').describe('The DevEUI: the moves of one device.'),
    state: queryChoice('state', states).optional().describe('`open`: all that are not over.'),
    network: searchText('network').describe('The key of the old or the new network.'),
    after: queryInteger('after', { min: 1, fallback: 0 }).describe(
      'The `after` of the answer before: the further ones.',
    ),
    limit: queryInteger('limit', { min: 1, max: 100, fallback: 25 }),
  }),
  answer: z.object({
    data: z.array(moveRecord),
    ...withExamples(
      { after: z.int().nullable().describe('The `after` of the next request; null at the end.') },
      { after: null },
    ),
  }),
  async handle({ query, caller: { organizationId } }, { db }) {
    const { device, state, network, limit } = query
    const filter = {
      eui: device ? normalizeEui(device) : undefined,
      state: state === 'open' ? undefined : state,
      isOpen: state === 'open',
      network: network ? (findNetwork(network)?.key ?? network) : undefined,
    }
    const before = query.after === 0 ? undefined : query.after
    const moves = await list(db, organizationId, filter, { before, limit })
    const last = moves.length < limit ? undefined : moves.at(-1)
    return { data: moves.map(toMoveRecord), after: last?.id ?? null }
  },
})

export const getMove = endpoint({
  summary: 'A move of a device to another network, and its history',
  params: movePath,
  answer: z.object({ data: moveRecord }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const move = await findMove(db, caller.organizationId, params.move_id)
    if (!move) throw moveNotFound()
    return { data: toMoveRecord(move) }
  },
})

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

export const cancelMove = endpoint({
  summary: 'Cancel a move: the device is taken from its new network again',
  description:
    'Until the new network has heard the device. After that it is 409: the device has left its old network. A move that is over, or is being put back, stays as it is.',
  params: movePath,
  answer: z.object({ data: moveRecord }),
  failures: [404, 409],
  change: changeBy((done) => {
    const device = dataOf(done).device as Record<string, unknown>
    const [subject, name] = [textOf(device.device_id), textOf(device.device_name)]
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
