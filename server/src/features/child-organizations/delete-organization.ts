import { z } from 'zod'
import { changeBy, textOf } from '../../http/change-record.ts'
import { forbidden, invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { findChild } from './child-queries.ts'
import { childNotFound, childPath } from './child-record.ts'
import { begin, find } from './deletion-queries.ts'
import { deletionRecord, toDeletionRecord } from './deletion-record.ts'

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
