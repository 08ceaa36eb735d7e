import { resolve } from 'node:path'
import { createSealer } from '../db/seal.ts'
import { readSecretKeys, type SecretKeySource } from '../db/secret-keys.ts'
import type { Manifest } from '../features/outgoing/archive/archive-format.ts'
import { writeArchive } from '../features/outgoing/archive/write-archive.ts'
import { command, countOf, WrongUse } from './command.ts'
import { createProgress } from './moving-in/progress.ts'

export const exportCommand = command({
  name: 'export',
  parameters: ['DIRECTORY'],
  summary: 'writes everything of an organization into a new directory, as plain files',
  help: `Groups, device types with codecs, network accounts without secrets, gateways, devices, and all uplinks
with their times, as lines of JSON. The service may run meanwhile: everything is as of one moment. The
manifest, written last, has the number of records and the SHA-256 of each file. lora-console import
archive reads it back in. docs/archive.md describes the lines.

  --organization ID  whose archive (1)
  --keys             also the keys and variables of devices, readable: keep the directory as a secret
  --csv              the uplinks also as CSV`,
  options: {
    organization: { type: 'string', default: '1' },
    keys: { type: 'boolean' },
    csv: { type: 'boolean' },
  },
  run: ({ config, say, withDatabase }, [directory = ''], { organization, keys, csv }) =>
    withDatabase(async ({ url }) => {
      const path = resolve(directory)
      const organizationId = readOrganization(organization)
      const { count: tell } = createProgress(say)
      const sealer = keys ? openSealer(config) : undefined
      const manifest = await writeArchive(url, path, {
        organizationId,
        sealer,
        hasCsv: csv ?? false,
        tell,
      })
      say(`Done: ${countsOf(manifest)}, as of ${manifest.taken_at}, in ${path}.`)
      if (keys)
        say('Its file devices.ndjson has the keys and variables of devices: keep it as a secret.')
      return { directory: path, ...manifest }
    }),
})

/** @throws WrongUse */
export function readOrganization(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new WrongUse('--organization must be the id of an organization.')
}

/** @throws Error where the settings name no key. */
export function openSealer(config: SecretKeySource) {
  const [key, ...older] = readSecretKeys(config)
  if (key) return createSealer(key, ...older)
  throw new Error('There is no key: set SECRET_KEY, or DATA_DIR as for the service.')
}

export function countsOf({ members }: Manifest): string {
  return Object.entries(members)
    .flatMap(([name, each]) => {
      const many = name.replaceAll('_', ' ')
      return each ? countOf(each.records, singularOf(many), many) : []
    })
    .join(', ')
}

/** Of the names of an archive's members: `categories`, `device types`, `gateways`, `activity`. */
function singularOf(many: string): string {
  return many.replace(/ies$/, 'y').replace(/s$/, '')
}
