import { createReadStream } from 'node:fs'
import { createSealer, type Sealer } from '../db/seal.ts'
import { checkKeys } from '../features/operation/sealing/proof.ts'
import { findHash, listChained } from '../features/people/activity/chain-queries.ts'
import { type StoredVerification, verifyStored } from '../features/people/activity/verify-chain.ts'
import { type FileVerification, verifyLines } from '../features/people/activity/verify-lines.ts'
import {
  type CommandContext,
  command,
  countOf,
  describeFault,
  type Result,
  WrongUse,
} from './command.ts'
import type { OpenDatabase } from './open-database.ts'

type Db = OpenDatabase['db']

export const auditVerify = command({
  name: 'audit verify',
  parameters: [],
  summary: 'checks the hash chains of the activity, or an export of one',
  help: `Reads every record of the activity and its hash, and compares the newest one with the head that the
service has sealed. Ends with 1, and names the first record that does not fit. The service may run
meanwhile.

  --organization ID  only the chain of this organization; all of them without it
  --file PATH        checks exported lines of JSON instead, without the database; with --organization
                     also that the database still has the last record of the file`,
  options: { organization: { type: 'string' }, file: { type: 'string' } },
  async run(context, _parameters, values) {
    const organizationId = readOrganization(values.organization)
    if (values.file === undefined) return verifyDatabase(context, organizationId)
    return verifyFile(context, values.file, organizationId)
  },
})

/** @throws WrongUse */
export function readOrganization(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) return text ? Number(text) : undefined
  throw new WrongUse('--organization must be the id of an organization.')
}

/** @throws SetupError when a key of the database is missing. */
export async function openSealer(db: Db, config: CommandContext['config']): Promise<Sealer> {
  const { keys } = await checkKeys(db, config)
  const [first, ...others] = keys
  if (!first) throw new Error('There is no key yet: the service has not run on this database.')
  return createSealer(first, ...others)
}

function verifyDatabase(
  { config, say, withDatabase }: CommandContext,
  organizationId: number | undefined,
): Promise<Result> {
  return withDatabase(async ({ db }) => {
    const sealer = await openSealer(db, config)
    const ids = organizationId === undefined ? await listChained(db) : [organizationId]
    const results = []
    for (const id of ids) {
      const found = await verifyStored(db, sealer, id)
      say(`Organization ${id}: ${describe(found)}`)
      results.push({ organization_id: id, ...toResult(found) })
    }
    if (ids.length === 0) say('No organization has records yet.')
    const broken = results.filter(({ fault }) => fault !== null)
    if (broken.length === 0) return { chains: results }
    throw new Error(
      broken
        .map(({ organization_id, fault }) => `Organization ${organization_id}: ${fault}`)
        .join('\n'),
    )
  })
}

function describe({ fault, records, last, head }: StoredVerification): string {
  if (!head) return fault ? 'not checked.' : 'there are no records yet.'
  const { removed } = head
  const range = records > 0 ? ` (${removed.position + 1} to ${last.position})` : ''
  const older = removed.position > 0 ? ` ${removed.position} older ones were removed in time.` : ''
  const fit = `${countOf(records, 'record')}${range} fit together.${older}`
  return `${fit} The chain began at ${head.began_at}; its end is ${last.hash}.`
}

function toResult({ fault, records, last, head }: StoredVerification) {
  return {
    records,
    removed: head?.removed.position ?? 0,
    last: last.position,
    last_hash: last.hash,
    began_at: head?.began_at ?? null,
    fault: fault?.message ?? null,
  }
}

async function verifyFile(
  context: CommandContext,
  path: string,
  organizationId: number | undefined,
): Promise<Result> {
  const found = await verifyLines(readLines(path)).catch((error: unknown) => {
    throw new Error(`${path} cannot be read: ${describeFault(error as NodeJS.ErrnoException)}.`)
  })
  const { fault, first, last, records } = found
  if (fault) throw new Error(`${path}: ${fault.message}`)
  const range = records > 0 ? ` (${first.position + 1} to ${last.position})` : ''
  context.say(
    `${path}: ${countOf(records, 'record')}${range} fit together; the end is ${last.hash}.`,
  )
  if (organizationId !== undefined) await compare(context, found, organizationId)
  return { records, first: first.position + 1, last: last.position, last_hash: last.hash }
}

/** The last record of the file must be in the database as it is in the file. */
async function compare(
  { config, say, withDatabase }: CommandContext,
  { last, records, organizationId: ofFile }: FileVerification,
  organizationId: number,
): Promise<void> {
  if (records === 0) throw new Error('The file has no records to compare.')
  if (ofFile !== organizationId) throw new Error(`The file is of the organization ${ofFile}.`)
  await withDatabase(async ({ db }) => {
    const { head, fault } = await verifyStored(db, await openSealer(db, config), organizationId)
    if (fault) throw new Error(`Organization ${organizationId}: ${fault.message}`)
    const { removed } = head ?? { removed: { position: 0, hash: '' } }
    if (last.position < removed.position) {
      return say('The database has removed these records in time: there is nothing to compare.')
    }
    const stored =
      last.position === removed.position
        ? removed.hash
        : await findHash(db, organizationId, last.position)
    if (stored === last.hash) return say(`The database continues after them, with the same chain.`)
    throw new Error(
      `Record ${last.position} of the database is not that of the file: the chain was rewritten, or is an older one.`,
    )
  })
}

/** Not `node:readline`, which also ends lines at U+2028. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
