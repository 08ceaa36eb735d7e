import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import {
  type ChainFormat,
  chainFormats,
  exportChain,
} from '../features/people/activity/chain-export.ts'
import { openSealer, readOrganization } from './audit-verify.ts'
import { command, WrongUse } from './command.ts'

export const auditExport = command({
  name: 'audit export',
  parameters: ['PATH'],
  summary: 'writes the chained records of the activity to a new file',
  help: `One record a line, oldest first, with its hash. The service may run meanwhile.

  --organization ID  whose records (1)
  --format FORMAT    ndjson, which can be verified (default), or csv, for spreadsheets
  --after POSITION   only the records behind this position`,
  options: {
    organization: { type: 'string', default: '1' },
    format: { type: 'string', default: 'ndjson' },
    after: { type: 'string', default: '0' },
  },
  run: ({ config, say, withDatabase }, [path = ''], values) => {
    const organizationId = readOrganization(values.organization) ?? 1
    const format = readFormat(values.format)
    if (!/^\d{1,12}$/.test(values.after)) throw new WrongUse('--after must be a position.')
    const range = { after: Number(values.after), format }
    return withDatabase(async ({ db }) => {
      const services = { db, sealer: await openSealer(db, config) }
      // Never over another file.
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
      await pipeline(exportChain(services, organizationId, range), file)
      say(`The records of the organization ${organizationId} are in ${path}.`)
      return { organization_id: organizationId, path }
    })
  },
})

/** @throws WrongUse */
function readFormat(text: string): ChainFormat {
  if (Object.hasOwn(chainFormats, text)) return text as ChainFormat
  throw new WrongUse(`--format must be one of: ${Object.keys(chainFormats).join(', ')}.`)
}
