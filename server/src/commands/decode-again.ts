import { beginRun } from '../features/fleet/device-types/decoding-run-queries.ts'
import { findOrganizationOf } from '../features/fleet/device-types/device-type-queries.ts'
import { command, WrongUse } from './command.ts'

export const decodeAgainCommand = command({
  name: 'decode-again',
  parameters: ['TYPE'],
  summary: 'decodes the stored UNKNOWN frames of a device type again, after its codec was fixed',
  help: `TYPE is the id of an organization's own device type: GET /v1/device-types lists them. The service
does it in the background, when it runs. Only the stored readings change: webhooks and alerts are not
told again.`,
  options: {},
  run: ({ say, withDatabase }, [type = '']) =>
    withDatabase(async ({ db }) => {
      if (!/^[1-9]\d{0,14}$/.test(type)) throw new WrongUse('TYPE must be the id of a device type.')
      const typeId = Number(type)
      const organizationId = await findOrganizationOf(db, typeId)
      const uplinks = organizationId && (await beginRun(db, organizationId, typeId))
      if (uplinks === undefined) throw new Error(`No organization has a device type ${type}.`)
      say(`The service looks through ${uplinks} stored uplinks of organization ${organizationId}.`)
      return { organization_id: organizationId, uplinks }
    }),
})
