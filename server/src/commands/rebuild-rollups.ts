import { rebuildRollups } from '../uplinks/rollups/rebuild.ts'
import { command, countOf } from './command.ts'
import { readOrganization } from './export.ts'

export const rebuildRollupsCommand = command({
  name: 'rebuild-rollups',
  parameters: [],
  summary: 'sums the stored measurements of an organization up again, by hour and day',
  help: `The service sums measurements up by itself, also after late uplinks and deletions. This is for a database
that was changed by hand. The service may run meanwhile, and its answers stay whole.

  --organization ID  whose measurements (1)`,
  options: { organization: { type: 'string', default: '1' } },
  run: ({ say, withDatabase }, _parameters, { organization }) =>
    withDatabase(async ({ db }) => {
      const organizationId = readOrganization(organization)
      const uplinks = await rebuildRollups(db, organizationId)
      say(`The measurements of ${countOf(uplinks, 'uplink')} are summed up again.`)
      return { organization_id: organizationId, uplinks }
    }),
})
