import { z } from 'zod'
import type { Caller } from '../../../http/endpoint.ts'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import type {
  DashboardValues,
  ListedDashboard,
  Reader,
  StoredDashboard,
} from './dashboard-queries.ts'
import { variable, widget } from './widget-body.ts'
import { widgetRanges } from './widget-types.ts'

/** For which group or device type a dashboard is made by itself. */
export const madeFor = z
  .object({
    group: z.int().nullable(),
    device_type: z.int().nullable(),
  })
  .meta({ id: 'DashboardMadeFor', examples: [{ group: 12, device_type: null }] })

export type MadeFor = z.infer<typeof madeFor>

const person = z.object(
  withExamples({ id: z.int(), name: z.string() }, { id: 1, name: 'Bo Summer' }),
)

const listedFields = {
  ...withExamples(
    {
      id: z.string().describe('A number, or `group-12` and `type-16` of those made by themselves.'),
      name: z.string(),
      description: z.string().nullable(),
      shared: z.enum(['organization', 'private']),
      range: z.enum(widgetRanges),
      revision: z.int().nullable().describe('Counts the changes.'),
      created_at: z.string().nullable(),
      updated_at: z.string().nullable(),
      deleted_at: z.string().nullable().describe('It can be restored for 30 days.'),
    },
    {
      id: '4',
      name: 'Cold chain',
      description: null,
      shared: 'organization',
      range: '24h',
      revision: 1,
      created_at: '2026-03-01T12:00:00.000000Z',
      updated_at: '2026-03-01T12:00:00.000000Z',
      deleted_at: null,
    },
  ),
  variable: variable.nullable(),
  made_for: madeFor.nullable().describe('Null for those that somebody has made.'),
  made_by: person.nullable(),
}

export const listedDashboard = z
  .object({
    ...listedFields,
    widget_count: z
      .int()
      .nullable()
      .meta({ examples: [6] }),
  })
  .meta({ id: 'ListedDashboard' })

export const dashboardRecord = z
  .object({ ...listedFields, widgets: z.array(widget) })
  .meta({ id: 'Dashboard' })

export type ListedRecord = z.infer<typeof listedDashboard>
export type DashboardRecord = z.infer<typeof dashboardRecord>

export const dashboardAnswer = z.object({ data: dashboardRecord })

export const dashboardPath = z.object({
  dashboard_id: z.string().meta({ examples: ['4'] }),
})

export function readerOf({ organizationId, userId, key }: Caller): Reader {
  return { organizationId, userId: key ? 0 : userId }
}

function toFields(dashboard: Omit<StoredDashboard, 'widgets'>) {
  const { user_id: id, user_name: name } = dashboard
  return {
    id: String(dashboard.id),
    name: dashboard.name,
    description: dashboard.description,
    shared: dashboard.is_private ? ('private' as const) : ('organization' as const),
    range: dashboard.range,
    variable: dashboard.variable,
    revision: dashboard.revision,
    made_for: null,
    made_by: { id, name },
    created_at: isoTime(dashboard.created_at),
    updated_at: isoTime(dashboard.updated_at),
    deleted_at: dashboard.deleted_at === null ? null : isoTime(dashboard.deleted_at),
  }
}

export function toListedRecord(dashboard: ListedDashboard): ListedRecord {
  return { ...toFields(dashboard), widget_count: dashboard.widget_count }
}

export function toDashboardRecord(dashboard: StoredDashboard): DashboardRecord {
  return { ...toFields(dashboard), widgets: dashboard.widgets }
}

/** The id of a stored dashboard in a path; 0, which none has, for other text. */
export function toStoredId(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

export function dashboardNotFound(): HttpError {
  return notFound('Dashboard not found')
}

export function sourcesOf({ widgets }: Pick<DashboardValues, 'widgets'>) {
  return widgets.map(({ source }) => source)
}
