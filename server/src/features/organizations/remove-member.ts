import { changeOf } from '../../http/change-record.ts'
import { forbidden } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { deleteMember, findMember } from './member-queries.ts'
import { memberNotFound, memberPath } from './member-record.ts'

export const removeMember = endpoint({
  summary: 'Ends a membership; the person keeps their login and other organizations',
  description:
    'What they could see goes on being valid until it is rotated: with `manage_account`, callback secrets (`POST /network-accounts/{network}/rotate` with `end_former`) and API keys (`POST /api-keys/{key_id}/rotate` with `overlap_hours` 0); with `manage_gateways`, tokens of gateways of kind `other` (`POST /gateways/{gateway_id}/rotate-token` with `end_former`); with `manage_devices`, device keys (a device gets another by `PATCH /devices/{device_id}`).',
  params: memberPath,
  status: 204,
  change: changeOf('member', 'removed'),
  async handle({ params, caller, record }, { db }) {
    const isGone = await db.transaction(async (tx) => {
      const isDeleted = await deleteMember(tx, caller.organizationId, params.user_id)
      if (isDeleted) await record(tx)
      return isDeleted
    })
    if (isGone) return
    const member = await findMember(db, caller.organizationId, params.user_id)
    if (!member?.is_owner) throw memberNotFound()
    throw forbidden('The owner of the organization cannot be removed.')
  },
})
