import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { accountNameInAnswer, methodInAnswer } from '../../accounts/connections/account-name.ts'
import { networkName } from '../devices/device-record.ts'
import { moveStates, type StoredMove } from './move-queries.ts'

const place = z.object({
  network: z.string().describe('The key of the network.'),
  network_name: z.string(),
  register_method: z.enum(['vendor', 'user_account']),
  ...accountNameInAnswer,
})

export const moveRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        device: z.object({ id: z.int(), device_id: z.string(), device_name: z.string() }),
        from: place,
        to: place,
        state: z
          .enum(moveStates)
          .describe(
            '`preparing` until the device is at the new network, `waiting` until that has heard it, `completing` until the old network has forgotten it, then `done`; or `putting_back` until the new network has forgotten it, then `expired`, `cancelled` or `failed`.',
          ),
        message: z
          .string()
          .nullable()
          .describe('What to do by hand, why a step is delayed, or why the device was put back.'),
        steps: z
          .array(
            z.object({
              state: z.enum(moveStates),
              at: z.string(),
              message: z.string().nullable(),
            }),
          )
          .describe('Its history, oldest first.'),
        created_by: z.object({ id: z.int(), name: z.string() }),
        created_at: z.string(),
        expires_at: z.string().describe('Not heard until then, the device is put back.'),
        heard_at: z.string().nullable().describe('The first uplink by the new network.'),
        finished_at: z.string().nullable(),
      },
      {
        id: 7,
        device: { id: 101, device_id: '00AA000000000001', device_name: 'Front door' },
        from: {
          network: 'chirpstack',
          network_name: 'ChirpStack v4',
          register_method: 'user_account',
        },
        to: {
          network: 'thethingsnetwork',
          network_name: 'The Things Stack',
          register_method: 'user_account',
        },
        state: 'waiting',
        message: null,
        steps: [
          { state: 'preparing', at: '2026-03-01T12:00:00.000000Z', message: null },
          { state: 'waiting', at: '2026-03-01T12:00:01.000000Z', message: null },
        ],
        created_by: { id: 4, name: 'Bo Summer' },
        created_at: '2026-03-01T12:00:00.000000Z',
        expires_at: '2026-03-02T12:00:00.000000Z',
        heard_at: null,
        finished_at: null,
      },
    ),
  )
  .meta({ id: 'Move' })

export function toMoveRecord(move: StoredMove): z.infer<typeof moveRecord> {
  return {
    id: move.id,
    device: { id: move.device_id, device_id: move.device_eui, device_name: move.device_name },
    from: toPlace(move.from_network, move.from_method),
    to: toPlace(move.to_network, move.to_method),
    state: move.state,
    message: move.message,
    steps: move.steps,
    created_by: { id: move.user_id, name: move.user_name },
    created_at: isoTime(move.created_at),
    expires_at: isoTime(move.expires_at),
    heard_at: timeOrNull(move.heard_at),
    finished_at: timeOrNull(move.finished_at),
  }
}

function toPlace(network: string, method: StoredMove['from_method']) {
  return { network, network_name: networkName({ network }), ...methodInAnswer(method) }
}

function timeOrNull(moment: Moment | null): string | null {
  return moment === null ? null : isoTime(moment)
}

export const movePath = z.object({ move_id: pathId('7') })

export function moveNotFound(): HttpError {
  return notFound('Move not found')
}
