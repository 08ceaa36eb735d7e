import { resolve } from 'node:path'
import { restoreArchive } from '../features/outgoing/archive/restore-archive.ts'
import { command } from './command.ts'
import { countsOf, openSealer, readOrganization } from './export.ts'
import { createProgress } from './moving-in/progress.ts'

export const importArchive = command({
  name: 'import archive',
  parameters: ['DIRECTORY'],
  summary: 'brings an archive of lora-console export into an organization',
  help: `Every file is compared with the manifest first. Groups, types, gateways and devices that are missing
are added; those that are there stay as they are. Devices are recorded as they were, and no network is
told: connect the accounts afterwards, and compare them (lora-console reconcile). Uplinks keep their
times, and come into an organization that has none of its own; webhooks and alerts do not take them for
news. A run that was stopped is repeated: it goes on where it was.

  --organization ID  where everything goes (1)
  --dry-run          checks the archive, says what is missing, and changes nothing`,
  options: {
    organization: { type: 'string', default: '1' },
    'dry-run': { type: 'boolean' },
  },
  run: ({ config, say, signal, withDatabase }, [directory = ''], values) =>
    withDatabase(async ({ db }) => {
      const isDryRun = values['dry-run'] ?? false
      const { manifest, result } = await restoreArchive({
        db,
        signal,
        isDryRun,
        now: new Date(),
        directory: resolve(directory),
        organizationId: readOrganization(values.organization),
        sealer: openSealer(config),
        tell: createProgress(say).count,
      })
      say(`The archive of ${manifest.organization.name}, as of ${manifest.taken_at}, is whole.`)
      say(`It has ${countsOf(manifest)}.`)
      for (const [name, { added, known }] of Object.entries(result)) {
        const verb = isDryRun ? 'to be added' : 'added'
        say(`${name.replaceAll('_', ' ')}: ${added} ${verb}, ${known} already there`)
      }
      return { dry_run: isDryRun, taken_at: manifest.taken_at, ...result }
    }),
})
