import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeAt, changeOf, creationOf } from '../../../http/change-record.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { conflict, invalid } from '../../../http/errors.ts'
import { queryChoice, searchText } from '../../../http/fields.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { findAutomatic, listAutomatic } from './automatic.ts'
import * as dashboardQueries from './dashboard-queries.ts'
import {
  type DashboardRecord,
  dashboardAnswer,
  dashboardPath,
  listedDashboard,
  readerOf,
  toDashboardRecord,
  toListedRecord,
  toStoredId,
} from './dashboard-record.ts'
import { findDashboard } from './find-dashboard.ts'
import { findFaults, findKnown, isWithin, sourceOfVariable } from './source-reach.ts'
import { changedDashboard, dashboardFields, dashboardSchema, newDashboard } from './widget-body.ts'
import { mostDashboards, mostWidgets } from './widget-types.ts'

const mostOfTenant = 2000
const isFull = `The organization has ${mostDashboards} dashboards already.`
const isTenantFull = `The organizations have ${mostOfTenant.toLocaleString('en-US')} dashboards together already.`

export const listDashboards = endpoint({
  summary: 'The dashboards of the organization, and those made for groups and device types',
  description: `Those that somebody has made come first, by name. Members and API keys that are limited to a group
see those whose widgets name nothing outside of it.`,
  query: z.object({
    search: searchText(),
    made_by: queryChoice('made by', ['members', 'service']).optional(),
    deleted: queryChoice('deleted', ['yes'])
      .optional()
      .describe('Those that were deleted within 30 days, and can be restored.'),
  }),
  answer: z.object({ data: z.array(listedDashboard) }),
  async handle({ query, caller }, { db }) {
    const { made_by: madeBy, deleted } = query
    const stored = madeBy === 'service' ? [] : await listReadable(db, caller, deleted === 'yes')
    const automatic = madeBy === 'members' || deleted ? [] : await listAutomatic(db, caller)
    const wanted = query.search.trim().toLowerCase()
    const all = [...stored.map(toListedRecord), ...automatic]
    return { data: all.filter(({ name }) => name.toLowerCase().includes(wanted)) }
  },
})

async function listReadable(db: Queryable, caller: Caller, isDeleted: boolean) {
  const stored = await dashboardQueries.list(db, readerOf(caller), { isDeleted })
  if (caller.groupId === undefined && caller.tag === undefined) return stored
  const ofAll = ({ sources, variable }: (typeof stored)[number]) => [
    ...sources,
    sourceOfVariable(variable),
  ]
  const known = await findKnown(db, caller, stored.flatMap(ofAll))
  return stored.filter((dashboard) => isWithin(ofAll(dashboard), known))
}

export const showDashboard = endpoint({
  summary: 'One dashboard with its widgets',
  params: dashboardPath,
  answer: dashboardAnswer,
  failures: [404],
  async handle({ params, caller }, { db }) {
    return { data: await findRecord(db, caller, params.dashboard_id) }
  },
})

/** @throws HttpError 404, also for one that is not for the caller. */
async function findRecord(db: Queryable, caller: Caller, id: string): Promise<DashboardRecord> {
  const automatic = await findAutomatic(db, caller, id)
  if (automatic) return automatic
  return toDashboardRecord(await findDashboard(db, caller, { id: toStoredId(id) }))
}

export const createDashboard = endpoint({
  summary: 'Make a dashboard',
  description: `Its widgets stand on 12 columns. Each shows one \`type\` of picture of its \`source\`; which \`options\` a
type has is in \`GET /dashboards/schema\`. An organization has up to ${mostDashboards} dashboards with ${mostWidgets} widgets each.`,
  body: newDashboard,
  bodyLimit: bodyLimits.callback,
  status: 201,
  answer: dashboardAnswer,
  failures: [409],
  change: creationOf('dashboard'),
  async handle({ body, caller, record }, services) {
    const { db, now } = services
    refuse(await findFaults(db, caller, body))
    refusePrivate(caller, body.shared)
    const { shared, description = null, variable = null, ...values } = body
    const isPrivate = shared === 'private'
    const data = await db.transaction(async (tx) => {
      const all = { ...values, description, variable, is_private: isPrivate }
      const made = await insert(tx, caller, { ...all, now: now() })
      await record(tx, { data: made })
      return made
    })
    tellChange(services, caller, data.id)
    return { data }
  },
})

/** Of a private dashboard only the number is told. */
function tellChange(services: CoreServices, { organizationId }: Caller, id: string): void {
  announce(services, organizationId, { kind: 'dashboard', id })
}

function refuse(errors: Record<string, string[]>): void {
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

function refusePrivate({ key }: Caller, shared: 'organization' | 'private' | undefined): void {
  if (key && shared === 'private') {
    throw invalid({ shared: ['An API key has no private dashboards.'] })
  }
}

async function insert(
  tx: Queryable,
  caller: Caller,
  values: dashboardQueries.DashboardValues & { now: Date },
): Promise<DashboardRecord> {
  const { organizationId, userId } = caller
  await refuseFull(tx, organizationId)
  const id = await dashboardQueries.insert(tx, organizationId, { ...values, userId })
  return toDashboardRecord(await findDashboard(tx, caller, { id }))
}

async function refuseFull(tx: Queryable, organizationId: number): Promise<void> {
  const { own, ofTenant } = await dashboardQueries.countLocked(tx, organizationId)
  if (own >= mostDashboards) throw conflict(isFull)
  if (ofTenant >= mostOfTenant) throw conflict(isTenantFull)
}

export const changeDashboard = endpoint({
  summary: 'Change a dashboard; what is left out stays',
  description:
    '`widgets` is the whole list. With `revision`, a change of somebody else in between is answered with 409.',
  params: dashboardPath,
  body: changedDashboard,
  bodyLimit: bodyLimits.callback,
  answer: dashboardAnswer,
  failures: [404, 409],
  change: changeOf('dashboard', 'changed'),
  async handle({ params, body, caller, record }, services) {
    const { db, now } = services
    refusePrivate(caller, body.shared)
    const id = toStoredId(params.dashboard_id)
    const data = await db.transaction(async (tx) => {
      const stored = await findDashboard(tx, caller, { id, isLocked: true })
      refuse(await findFaults(tx, caller, body, stored))
      const { revision, shared, ...sent } = body
      if (revision !== undefined && revision !== stored.revision) throw conflict(isChanged)
      const isPrivate = shared === undefined ? stored.is_private : shared === 'private'
      // The private dashboard of somebody else would be hidden from whoever makes it one.
      if (isPrivate && stored.user_id !== caller.userId) throw conflict(isOthers)
      const values = { ...stored, ...withoutAbsent(sent), is_private: isPrivate, now: now() }
      await dashboardQueries.update(tx, caller.organizationId, values)
      await record(tx)
      return toDashboardRecord(await findDashboard(tx, caller, { id }))
    })
    tellChange(services, caller, data.id)
    return { data }
  },
})

const isChanged = 'Somebody else has changed the dashboard. Please load it again.'
const isOthers = 'Only the dashboards that you have made can become private. Please copy it.'

function withoutAbsent<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> }
}

export const deleteDashboard = endpoint({
  summary: 'Delete a dashboard; it can be restored for 30 days',
  params: dashboardPath,
  status: 204,
  failures: [404],
  change: changeOf('dashboard', 'deleted'),
  async handle({ params, caller, record }, services) {
    const { db, now } = services
    const id = toStoredId(params.dashboard_id)
    await db.transaction(async (tx) => {
      await findDashboard(tx, caller, { id, isLocked: true })
      await dashboardQueries.remove(tx, caller.organizationId, { id, now: now() })
      await record(tx)
    })
    tellChange(services, caller, params.dashboard_id)
  },
})

export const restoreDashboard = endpoint({
  summary: 'Bring a deleted dashboard back',
  params: dashboardPath,
  answer: dashboardAnswer,
  failures: [404, 409],
  change: changeAt('dashboard', 'restored', 'dashboard_id'),
  async handle({ params, caller, record }, services) {
    const { db } = services
    const id = toStoredId(params.dashboard_id)
    const data = await db.transaction(async (tx) => {
      await refuseFull(tx, caller.organizationId)
      await findDashboard(tx, caller, { id, isDeleted: true, isLocked: true })
      await dashboardQueries.restore(tx, caller.organizationId, id)
      await record(tx)
      return toDashboardRecord(await findDashboard(tx, caller, { id }))
    })
    tellChange(services, caller, data.id)
    return { data }
  },
})

export const copyDashboard = endpoint({
  summary: 'Copy a dashboard, also one that was made for a group or a device type',
  params: dashboardPath,
  body: z.object({
    name: dashboardFields.name.optional(),
    shared: dashboardFields.shared.default('organization'),
  }),
  status: 201,
  answer: dashboardAnswer,
  failures: [404, 409],
  change: creationOf('dashboard'),
  async handle({ params, body, caller, record }, services) {
    const { db, now } = services
    refusePrivate(caller, body.shared)
    const { name, description, variable, range, widgets } = await findRecord(
      db,
      caller,
      params.dashboard_id,
    )
    const copied = { description, variable, range, widgets, name: body.name ?? copyOf(name) }
    const data = await db.transaction(async (tx) => {
      const values = { ...copied, is_private: body.shared === 'private', now: now() }
      const made = await insert(tx, caller, values)
      await record(tx, { data: made })
      return made
    })
    tellChange(services, caller, data.id)
    return { data }
  },
})

function copyOf(name: string): string {
  return `${name.slice(0, 92)} (copy)`
}

const schema = dashboardSchema()

export const showDashboardSchema = endpoint({
  summary: 'The JSON schema of a dashboard: each type of widget with its options',
  answer: z.record(z.string(), z.unknown()).meta({ examples: [{ type: 'object' }] }),
  async handle() {
    return schema
  },
})
