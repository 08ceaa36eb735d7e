import { changeBy } from '../../http/change-record.ts'
import { forbidden } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { deleteMember, lockOwners, passOwnership } from './member-queries.ts'

export const leaveOrganization = endpoint({
  summary: 'Ends the own membership; the last owner stays',
  status: 204,
  change: changeBy(() => ({ kind: 'member', action: 'left' })),
  async handle({ caller, record }, { db }) {
    const { organizationId, userId } = caller
    await db.transaction(async (tx) => {
      const owners = await lockOwners(tx, organizationId)
      if (owners.includes(userId)) {
        const successor = owners.find((owner) => owner !== userId)
        if (successor === undefined) {
          throw forbidden('The last owner of an organization cannot leave it.')
        }
        await passOwnership(tx, organizationId, { from: userId, to: successor })
      }
      await deleteMember(tx, organizationId, userId)
      await record(tx)
    })
  },
})
