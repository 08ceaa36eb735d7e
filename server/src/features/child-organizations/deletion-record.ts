import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { isoTime } from '../../http/timestamps.ts'
import { type Deletion, deletionStates } from './deletion-queries.ts'

const count = z.object({ total: z.int(), left: z.int() })

/** The deletion of an organization with all that is below it. */
export const deletionRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        organization: z.object({ id: z.int(), name: z.string() }),
        state: z
          .enum(deletionStates)
          .describe(
            '`removing`: devices and gateways are deleted. `telling`: their networks are told, for an hour at most. `leaving`: accounts are disconnected, with their callbacks and sessions. `deleting`: what is stored is deleted. `done`.',
          ),
        organizations: count.describe('With those below it.'),
        devices: count,
        uplinks: count,
        left_at_networks: z
          .int()
          .describe(
            'Devices, gateways, callbacks and sessions that the networks could not be told to forget.',
          ),
        requested_by: z.string().nullable().describe('Null: by the command of the operator.'),
        created_at: z.string(),
        finished_at: z.string().nullable(),
      },
      {
        id: 4,
        organization: { id: 2, name: 'Harbour Cold Storage' },
        state: 'deleting',
        organizations: { total: 3, left: 1 },
        devices: { total: 120, left: 0 },
        uplinks: { total: 250_000, left: 41_500 },
        left_at_networks: 0,
        requested_by: 'ada@example.test',
        created_at: '2026-03-01T12:00:00.000000Z',
        finished_at: null,
      },
    ),
  )
  .meta({ id: 'OrganizationDeletion' })

export function toDeletionRecord(deletion: Deletion) {
  const { organizations_left, devices_left, uplinks_left } = deletion
  return {
    id: deletion.id,
    organization: { id: deletion.organization_id, name: deletion.name },
    state: deletion.state,
    organizations: { total: deletion.organizations, left: organizations_left },
    devices: { total: deletion.devices, left: devices_left },
    uplinks: { total: deletion.uplinks, left: uplinks_left },
    left_at_networks: deletion.left_at_networks,
    requested_by: deletion.requested_by,
    created_at: isoTime(deletion.created_at),
    finished_at: deletion.finished_at === null ? null : isoTime(deletion.finished_at),
  }
}
