import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeOf } from '../../../http/change-record.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId, queryInteger, queryTime, requiredLines } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { countLocked } from '../../people/organizations/organization-queries.ts'
import { devicePath, gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import * as noteQueries from './note-queries.ts'

/** What somebody notes at a point in time: "door repaired". */

const mostOwn = 10_000
const mostOfTenant = 100_000
const longestText = 1000

const isFull = `The organization has ${mostOwn.toLocaleString('en-US')} notes already. Delete some first.`
const isTenantFull = `The organizations have ${mostOfTenant.toLocaleString('en-US')} notes together already.`

const note = z
  .object({
    ...withExamples(
      { id: z.int(), at: z.string(), text: z.string() },
      { id: 9, at: '2026-03-01T12:00:00.000000Z', text: 'Door repaired' },
    ),
    device: z
      .object(
        withExamples(
          { id: z.int(), device_id: z.string(), device_name: z.string() },
          { id: 101, device_id: '00AA000000000001', device_name: 'Front door' },
        ),
      )
      .nullable(),
    gateway: z
      .object(
        withExamples(
          { id: z.int(), gateway_eui: z.string(), gateway_name: z.string() },
          { id: 5, gateway_eui: '00AA0000000000F1', gateway_name: 'Roof' },
        ),
      )
      .nullable()
      .meta({ examples: [null] }),
    group: z
      .object(withExamples({ id: z.int(), name: z.string() }, { id: 12, name: 'House A' }))
      .nullable()
      .meta({ examples: [null] }),
    ...withExamples(
      {
        user_name: z.string().describe('Who wrote it.'),
        created_at: z.string(),
        updated_at: z.string(),
      },
      {
        user_name: 'Ada Owner',
        created_at: '2026-03-01T12:05:00.000000Z',
        updated_at: '2026-03-01T12:05:00.000000Z',
      },
    ),
  })
  .meta({ id: 'Note' })

type NoteRecord = z.infer<typeof note>

function toRecord(stored: noteQueries.StoredNote): NoteRecord {
  const { id, at, text, device_id, gateway_id, group_id, user_name } = stored
  return {
    ...{ id, at: isoTime(at), text },
    device:
      device_id === null
        ? null
        : {
            id: device_id,
            device_id: stored.device_eui ?? '',
            device_name: stored.device_name ?? '',
          },
    gateway:
      gateway_id === null
        ? null
        : {
            id: gateway_id,
            gateway_eui: stored.gateway_eui ?? '',
            gateway_name: stored.gateway_name ?? '',
          },
    group: group_id === null ? null : { id: group_id, name: stored.group_name ?? '' },
    user_name,
    created_at: isoTime(stored.created_at),
    updated_at: isoTime(stored.updated_at),
  }
}

const noteAnswer = z.object({ data: note })
const noteNotFound = () => notFound('Note not found')

const text = requiredLines('text', longestText)
const at = queryTime('at')

const about = z.string().max(64).optional()

export const listNotes = endpoint({
  summary: 'Notes at points in time, the newest first',
  description: `With \`device\`, those about it and about the groups that it is in; with \`group\`, those about the group, the groups
below it, and the devices in them.`,
  query: z.object({
    device: about.describe('DevEUI or id.').meta({ examples: ['00AA000000000001'] }),
    gateway: about.describe('Gateway EUI or id.'),
    group: queryInteger('group', { min: 1, fallback: 0 }),
    from: queryTime('from').optional(),
    to: queryTime('to').optional(),
    limit: queryInteger('limit', { min: 1, max: 200, fallback: 50 }),
    offset: queryInteger('offset', { min: 0, fallback: 0 }),
  }),
  answer: z.object({ data: z.array(note), total: z.int().meta({ examples: [1] }) }),
  async handle({ query, caller }, { db }) {
    const { from, to, limit, offset } = query
    const asked = {
      device:
        query.device === undefined
          ? undefined
          : await findChosen(db, caller, 'device', query.device),
      gateway:
        query.gateway === undefined
          ? undefined
          : await findChosen(db, caller, 'gateway', query.gateway),
      group: query.group === 0 ? undefined : await findChosen(db, caller, 'group', query.group),
    }
    const found = await noteQueries.list(db, caller, { ...asked, from, to }, { limit, offset })
    return { data: found.notes.map(toRecord), total: found.total }
  },
})

type Kind = 'device' | 'gateway' | 'group'

function findSubject(
  db: Queryable,
  caller: Caller,
  kind: Kind,
  name: string | number,
): Promise<number | undefined> {
  const reference = readReference(String(name))
  if (kind === 'device') return noteQueries.findDevice(db, caller, reference)
  if (kind === 'gateway') return noteQueries.findGateway(db, caller, reference)
  return noteQueries.findGroup(db, caller, reference.id ?? 0)
}

/** @throws HttpError 422 for what is not there, or not for the caller. */
async function findChosen(...given: Parameters<typeof findSubject>): Promise<number> {
  const [, , kind] = given
  const found = await findSubject(...given)
  if (found === undefined) throw invalid({ [kind]: [`The selected ${kind} is invalid.`] })
  return found
}

const noteFields = withExamples({ text, at: at.optional() }, { text: 'Door repaired' })

/** The thing that a path names, and a note about it. */
function finderOf(kind: Kind, missing: string) {
  const find = async (tx: Queryable, caller: Caller, params: object) => {
    const name = (params as Record<string, string | number>)[`${kind}_id`] ?? ''
    const id = await findSubject(tx, caller, kind, name)
    if (id === undefined) throw notFound(missing)
    return id
  }
  /** @throws HttpError 404, also for a note on something else. */
  const findOwn = async (tx: Queryable, caller: Caller, params: object) => {
    const subject = await find(tx, caller, params)
    const { note_id: id } = params as { note_id: number }
    const stored = await noteQueries.find(tx, caller.organizationId, { id, isLocked: true })
    if (stored?.[`${kind}_id`] !== subject) throw noteNotFound()
    return stored
  }
  return { find, findOwn }
}

/** Notes are changed below what they are about, with its permission. */
function endpointsOf<P extends Record<string, z.ZodType<string | number>>>(
  kind: Kind,
  { path, missing }: { path: z.ZodObject<P>; missing: string },
) {
  const notePath = z.object({ ...path.shape, note_id: pathId('9') })
  const { find, findOwn } = finderOf(kind, missing)
  const create = endpoint({
    summary: `Note something about a ${kind} at a point in time`,
    description: `Charts of it show the note. An organization has up to ${mostOwn.toLocaleString('en-US')} notes.`,
    params: path,
    body: z.object({ ...noteFields, at: noteFields.at.describe('Now, unless it is sent.') }),
    status: 201,
    answer: noteAnswer,
    failures: [404, 409],
    change: changeOf(kind, 'noted'),
    async handle({ params, body, caller, record }, { db, now }) {
      const { organizationId, userId } = caller
      const data = await db.transaction(async (tx) => {
        const subject = await find(tx, caller, params)
        await refuseFull(tx, organizationId)
        const nobody = { device_id: null, gateway_id: null, group_id: null }
        const about = { ...nobody, [`${kind}_id`]: subject }
        const time = now()
        const values = { ...about, at: body.at ?? time, text: body.text, userId, now: time }
        const id = await noteQueries.insert(tx, organizationId, values)
        await record(tx)
        return read(tx, organizationId, id)
      })
      return { data }
    },
  })

  const change = endpoint({
    summary: `Change a note about a ${kind}; what is left out stays`,
    params: notePath,
    body: z.object(noteFields).partial(),
    answer: noteAnswer,
    failures: [404],
    change: changeOf(kind, 'note changed', kind),
    async handle({ params, body, caller, record }, { db, now }) {
      const { organizationId } = caller
      const data = await db.transaction(async (tx) => {
        const { id } = await findOwn(tx, caller, params)
        const values = { id, at: body.at, text: body.text, now: now() }
        await noteQueries.update(tx, organizationId, values)
        await record(tx)
        return read(tx, organizationId, id)
      })
      return { data }
    },
  })

  const remove = endpoint({
    summary: `Delete a note about a ${kind}`,
    params: notePath,
    status: 204,
    failures: [404],
    change: changeOf(kind, 'note deleted', kind),
    async handle({ params, caller, record }, { db }) {
      await db.transaction(async (tx) => {
        const { id } = await findOwn(tx, caller, params)
        await noteQueries.remove(tx, caller.organizationId, id)
        await record(tx)
      })
    },
  })
  return { create, change, remove }
}

async function refuseFull(tx: Queryable, organizationId: number): Promise<void> {
  const { own, ofTenant } = await countLocked(tx, organizationId, 'notes')
  if (own >= mostOwn) throw conflict(isFull)
  if (ofTenant >= mostOfTenant) throw conflict(isTenantFull)
}

async function read(tx: Queryable, organizationId: number, id: number): Promise<NoteRecord> {
  const stored = await noteQueries.find(tx, organizationId, { id })
  if (!stored) throw noteNotFound()
  return toRecord(stored)
}

export const deviceNotes = endpointsOf('device', { path: devicePath, missing: 'device not found' })
export const gatewayNotes = endpointsOf('gateway', { path: gatewayPath, missing: gatewayNotFound })
export const groupNotes = endpointsOf('group', {
  path: z.object({ group_id: pathId('12') }),
  missing: 'Group not found',
})
