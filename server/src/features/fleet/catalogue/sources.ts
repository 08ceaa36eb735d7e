import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { changeAt } from '../../../http/change-record.ts'
import { bodyLimits, type Caller } from '../../../http/endpoint.ts'
import { conflict, forbidden, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalText, requiredText } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { countLocked } from '../../people/organizations/organization-queries.ts'
import { CatalogueFault } from './archives/file-collector.ts'
import { builtInModels } from './built-in-models.ts'
import * as catalogueQueries from './catalogue-queries.ts'
import type { SourceKind } from './catalogue-record.ts'
import { builtInSource, folderSource } from './find-models.ts'
import type { CatalogueServices } from './folder-catalogue.ts'
import { type Given, type ReadSource, readSource, storeSource } from './read-source.ts'
import { takeReadingTurn } from './reading-turns.ts'

/** Where an organization has models from: archives that it sends, and repositories. */

const mostOwn = 20
const mostOfTenant = 200
const mostShown = 20

const source = z
  .object(
    withExamples(
      {
        id: z.string(),
        name: z.string(),
        kind: z.enum(['built_in', 'folder', 'zip', 'git'] satisfies SourceKind[]),
        url: z.string().nullable(),
        ref: z.string().nullable(),
        folder: z.string().nullable(),
        has_token: z.boolean(),
        revision: z.string().nullable().describe('The commit, or the hash of the archive.'),
        vendors: z.int(),
        models: z.int(),
        problems: z.array(z.string()).describe('What could not be read of it; at most 20.'),
        fetched_at: z.string().nullable(),
        error: z.string().nullable().describe('Why it could not be read last.'),
      },
      {
        id: '12',
        name: 'Device profiles',
        kind: 'git' as const,
        url: 'https://github.com/chirpstack/chirpstack-device-profiles',
        ref: null,
        folder: null,
        has_token: false,
        revision: '4cf8d34a8d3f5b0e6f2b6a0c6d9e1f7a8b9c0d1e',
        vendors: 15,
        models: 118,
        problems: [],
        fetched_at: '2026-03-01T12:00:00.000000Z',
        error: null,
      },
    ),
  )
  .meta({ id: 'CatalogueSource' })
const sourceAnswer = z.object({ data: source })

const sourcePath = z.object({
  source_id: z
    .string()
    .max(20)
    .meta({ examples: ['12'] }),
})
const sourceNotFound = () => notFound('Catalogue not found')

function toRecord(stored: catalogueQueries.StoredSource): z.infer<typeof source> {
  const { id, sealed_token, problems, fetched_at, ...rest } = stored
  return {
    ...rest,
    id: String(id),
    has_token: sealed_token !== null,
    problems: problems.slice(0, mostShown),
    fetched_at: fetched_at === null ? null : isoTime(fetched_at),
  }
}

const notFetched = {
  ...{ url: null, ref: null, folder: null, has_token: false, revision: null, error: null },
}

function describeFolder({ catalogueFolder }: CatalogueServices): z.infer<typeof source> {
  const { models, vendors, problems, readAt } = catalogueFolder.state()
  return {
    ...{ ...folderSource, ...notFetched, models, vendors },
    problems: problems.slice(0, mostShown),
    fetched_at: readAt?.toISOString() ?? null,
  }
}

export const listSources = endpoint({
  summary: 'Where the models of the catalogue are from',
  answer: z.object({ data: z.array(source) }),
  async handle({ caller }, services: CatalogueServices) {
    const stored = await catalogueQueries.listSources(services.db, caller.organizationId)
    const builtIn = {
      ...{ ...builtInSource, ...notFetched, problems: [], fetched_at: null },
      ...{ models: builtInModels.length, vendors: 2 },
    }
    const { path } = services.catalogueFolder
    if (path !== undefined) await services.catalogueFolder.list()
    const folder = path === undefined ? [] : [describeFolder(services)]
    return { data: [builtIn, ...folder, ...stored.map(toRecord)] }
  },
})

const name = requiredText('name', 100)
const ref = optionalText('ref')
  .describe('A branch, a tag or a commit; left out, the own branch of the repository.')
  .meta({ examples: ['main'] })
const folder = optionalText('folder')
  .describe('Only what is in this folder of it is read.')
  .meta({ examples: ['vendors/acme'] })
const token = optionalText('token', 500)
  .describe('For a repository that is not public. Never shown.')
  .meta({ examples: ['an-invented-token'] })
const archive = z
  .string()
  .refine(isBase64, 'The archive must be a zip in base64.')
  .nullish()
  .describe('A zip, in base64.')
  .meta({ examples: [null] })
const url = z
  .string({ error: 'The url must be the address of a repository.' })
  .max(500)
  .refine(isAddress, 'The url must be like https://host/owner/name.')
  .nullish()
  .describe('The web address of a git repository.')
  .meta({ examples: ['https://github.com/chirpstack/chirpstack-device-profiles'] })

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text.replaceAll(/\s+/g, ''))
}

function isAddress(text: string): boolean {
  const address = URL.parse(text)
  return (
    address !== null &&
    /^https?:$/.test(address.protocol) &&
    !address.username &&
    !address.password &&
    !address.search &&
    !address.hash
  )
}

export const addSource = endpoint({
  summary: 'Add a catalogue: a zip, or the address of a git repository',
  description: `It is read at once, which takes up to a minute. Both layouts are known: that of ChirpStack's device
profiles, and that of The Things Network's device repository. A catalogue that cannot be read is 422 and is not kept.`,
  bodyLimit: bodyLimits.batch,
  isHeavy: true,
  body: z.object({
    name: name.meta({ examples: ['Device profiles'] }),
    ...{ url, archive, ref, folder, token },
  }),
  status: 201,
  answer: sourceAnswer,
  failures: [409, 503],
  change: changeAt('organization', 'given a catalogue'),
  async handle({ body, caller, record }, services: CatalogueServices) {
    const { db, sealer, now } = services
    const { organizationId } = caller
    if (!body.url === !body.archive) {
      throw invalid({ url: ['Either the url or the archive is required.'] })
    }
    const values = {
      name: body.name,
      kind: body.url ? ('git' as const) : ('zip' as const),
      ...{ url: body.url ?? null, ref: body.ref || null, folder: body.folder || null },
    }
    const read = await readOrRefuse(services, caller, values, {
      archive: body.archive,
      token: body.token || undefined,
    })
    const id = await db.transaction(async (tx) => {
      const { own, ofTenant } = await countLocked(tx, organizationId, 'catalogue_sources')
      if (own >= mostOwn || ofTenant >= mostOfTenant) {
        throw conflict(`The organization has ${own} catalogues already. Delete one first.`)
      }
      const made = await catalogueQueries.insertSource(tx, organizationId, values, now())
      if (body.token) {
        const sealed_token = sealer.seal(body.token, contextOfToken(organizationId, made))
        await catalogueQueries.updateSource(
          tx,
          organizationId,
          { ...values, id: made, sealed_token },
          now(),
        )
      }
      await storeSource(tx, organizationId, made, read, now())
      await record(tx)
      return made
    })
    return { data: toRecord(await findStored(services, caller, String(id))) }
  },
})

function contextOfToken(organizationId: number, id: number): string {
  return sealContext('catalogueToken', organizationId, id)
}

export const changeSource = endpoint({
  summary: 'Change a catalogue of your own; what is left out stays',
  description:
    'With `archive`, `ref` or `folder` it is read again. The archive takes the place of the former one.',
  params: sourcePath,
  bodyLimit: bodyLimits.batch,
  isHeavy: true,
  body: z.object({
    name: name.optional().meta({ examples: ['Our sensors'] }),
    archive,
    ref,
    folder,
    token,
  }),
  answer: sourceAnswer,
  failures: [404, 503],
  change: changeAt('organization', 'given another catalogue'),
  async handle({ params, body, caller, record }, services: CatalogueServices) {
    const { db, sealer, now } = services
    const { organizationId } = caller
    const before = await findStored(services, caller, params.source_id)
    if (body.archive && before.kind !== 'zip') {
      throw invalid({ archive: ['A catalogue at an address takes no archive.'] })
    }
    const changed = {
      ...before,
      name: body.name ?? before.name,
      ref: body.ref === undefined ? before.ref : body.ref || null,
      folder: body.folder === undefined ? before.folder : body.folder || null,
    }
    const isMoved = changed.ref !== before.ref || changed.folder !== before.folder
    if (isMoved && before.kind === 'zip' && !body.archive) {
      throw invalid({ archive: ['Send the archive again with another folder.'] })
    }
    const newToken =
      body.token === undefined ? openToken(services, caller, before) : body.token || undefined
    const isRead = Boolean(body.archive) || isMoved
    const read = isRead
      ? await readOrRefuse(services, caller, changed, { archive: body.archive, token: newToken })
      : undefined
    await db.transaction(async (tx) => {
      const current = await lockSource(tx, organizationId, before.id)
      const sealed_token =
        body.token === undefined
          ? current.sealed_token
          : newToken
            ? sealer.seal(newToken, contextOfToken(organizationId, before.id))
            : null
      const { name } = body.name === undefined ? current : changed
      const { ref, folder } = isRead ? changed : current
      const next = { id: before.id, name, ref, folder, sealed_token }
      await catalogueQueries.updateSource(tx, organizationId, next, now())
      if (read) await storeSource(tx, organizationId, before.id, read, now())
      await record(tx)
    })
    return { data: toRecord(await findStored(services, caller, params.source_id)) }
  },
})

export const fetchSource = endpoint({
  summary: 'Read a catalogue again',
  description: `That of a repository: its newest commit is fetched where it is another one than the known. \`folder\` is the
operator's folder, which organization 1 reads again. Types that were made of its models stay as they are; see
GET /device-types/{id}/catalogue-update.`,
  params: sourcePath,
  isHeavy: true,
  answer: sourceAnswer,
  failures: [404, 422, 503],
  change: changeAt('organization', 'given another catalogue'),
  async handle({ params, caller, record }, services: CatalogueServices) {
    const { db, catalogueFolder, now } = services
    const { organizationId } = caller
    if (params.source_id === 'folder' && catalogueFolder.path !== undefined) {
      if (organizationId !== 1) throw forbidden('Only organization 1 reads the folder again.')
      await catalogueFolder.refresh()
      await db.transaction((tx) => record(tx))
      return { data: describeFolder(services) }
    }
    const stored = await findStored(services, caller, params.source_id)
    if (stored.kind === 'zip') {
      throw invalid({ source_id: ['It was sent as an archive: send a newer one.'] })
    }
    const given = { token: openToken(services, caller, stored), known: stored.revision }
    const read = await readOrRefuse(services, caller, stored, given, (error) =>
      catalogueQueries.noteRead(db, organizationId, stored.id, { error }, now()),
    )
    await db.transaction(async (tx) => {
      await lockSource(tx, organizationId, stored.id)
      await storeSource(tx, organizationId, stored.id, read, now())
      await record(tx)
    })
    return { data: toRecord(await findStored(services, caller, params.source_id)) }
  },
})

export const deleteSource = endpoint({
  summary: 'Delete a catalogue of your own; types that were made of it stay',
  params: sourcePath,
  status: 204,
  failures: [404],
  change: changeAt('organization', 'rid of a catalogue'),
  async handle({ params, caller, record }, services: CatalogueServices) {
    const { id } = await findStored(services, caller, params.source_id)
    await services.db.transaction(async (tx) => {
      if (!(await catalogueQueries.removeSource(tx, caller.organizationId, id)))
        throw sourceNotFound()
      await record(tx)
    })
  },
})

async function findStored(
  { db }: Pick<CatalogueServices, 'db'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  id: string,
): Promise<catalogueQueries.StoredSource> {
  const found = /^\d{1,15}$/.test(id)
    ? await catalogueQueries.findSource(db, organizationId, Number(id))
    : undefined
  if (!found) throw sourceNotFound()
  return found
}

/** It may have changed, or be gone, since it was read to fetch its files. */
async function lockSource(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<catalogueQueries.StoredSource> {
  const found = await catalogueQueries.findSource(tx, organizationId, id, 'for update')
  if (!found) throw sourceNotFound()
  return found
}

function openToken(
  { sealer }: Pick<CatalogueServices, 'sealer'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  { id, sealed_token }: catalogueQueries.StoredSource,
): string | undefined {
  return sealed_token ? sealer.open(sealed_token, contextOfToken(organizationId, id)) : undefined
}

/** @throws HttpError 422 with what is wrong, after it was told. */
async function readOrRefuse(
  services: CatalogueServices,
  caller: Caller,
  values: catalogueQueries.SourceValues,
  given: Given,
  tell?: (words: string) => Promise<void>,
): Promise<ReadSource> {
  try {
    return await takeReadingTurn(caller, () => readSource(services, values, given))
  } catch (error) {
    if (!(error instanceof CatalogueFault)) throw error
    await tell?.(error.message)
    throw invalid({ [values.kind === 'git' ? 'url' : 'archive']: [error.message] })
  }
}
