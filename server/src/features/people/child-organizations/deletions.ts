import { z } from 'zod'
import { changeBy, textOf } from '../../../http/change-record.ts'
import { forbidden, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pageQuery, requiredText } from '../../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { findChild } from './child-queries.ts'
import { childNotFound, childPath } from './child-record.ts'
import { begin, type Deletion, deletionStates, find, listPage } from './deletion-queries.ts'

const count = z.object({ total: z.int(), left: z.int() })

/** The deletion of an organization with all that is below it. */
const deletionRecord = z
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
            'Devices, gateways, callbacks and sessions that could not be deleted at their networks.',
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

function toDeletionRecord(deletion: Deletion) {
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

export const deleteOrganization = endpoint({
  summary: 'Deletes an organization directly below this one, with all that is in it and below it',
  description: `For owners of this organization, and nobody can undo it. It accepts nothing any more at once: its
members see it no more, its API keys and the messages of its networks are refused. The rest goes on in
the background (\`GET /organization/deletions\`); what is gone counts no more against limits. Networks are
told to forget its devices, gateways and callbacks; what they have not heard within an hour stays there.
People keep their logins.`,
  params: childPath,
  body: z.object(withExamples({ name: requiredText('name') }, { name: 'Harbour Cold Storage' })),
  answer: z.object({ data: deletionRecord }),
  status: 202,
  failures: [404],
  change: changeBy(({ params, body }) => ({
    kind: 'organization',
    action: 'deleted',
    subject: textOf(params.id),
    name: textOf(body.name),
  })),
  async handle({ params, body, caller, record }, { db, now }) {
    const child = await findChild(db, caller.organizationId, params.id)
    if (!child) throw childNotFound()
    if (!caller.isOwner) throw forbidden('Only an owner of your organization can do this.')
    if (body.name.trim() !== child.name) {
      throw invalid({ name: ['The name is not that of the organization.'] })
    }
    const by = { userId: caller.userId, now: now() }
    const deletion = await db.transaction(async (tx) => {
      const id = await begin(tx, child.id, by)
      if (id === undefined) throw childNotFound()
      await record(tx)
      return find(tx, id)
    })
    if (!deletion) throw childNotFound()
    return { data: toDeletionRecord(deletion) }
  },
})

export const listDeletions = endpoint({
  summary: 'Deletions of organizations that were directly below this one, newest first',
  description: 'How far each is. They are kept for 30 days after their end.',
  query: z.object(pageQuery),
  answer: paginated(deletionRecord),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, deletions } = await listPage(db, caller.organizationId, page)
    return paginatedList(deletions.map(toDeletionRecord), total, page, { request, payload: query })
  },
})
