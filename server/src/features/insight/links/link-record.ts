import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { dashboardPath } from '../dashboards/dashboard-record.ts'
import type { StoredLink } from './link-queries.ts'

const person = z.object(
  withExamples({ id: z.int(), name: z.string() }, { id: 1, name: 'Bo Summer' }),
)

export const linkRecord = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        name: z.string(),
        dashboards: z.array(z.string()).describe('The ids of those that it shows.'),
        has_password: z.boolean(),
        hosts: z.array(z.string()),
        rotate_seconds: z.int(),
        expires_at: z.string().nullable(),
        created_at: z.string(),
        last_used_at: z.string().nullable().describe('To the hour.'),
      },
      {
        id: 3,
        name: 'Screen in the hall',
        dashboards: ['4'],
        has_password: false,
        hosts: [],
        rotate_seconds: 30,
        expires_at: null,
        created_at: '2026-03-01T12:00:00.000000Z',
        last_used_at: null,
      },
    ),
    made_by: person,
  })
  .meta({ id: 'DashboardLink' })

export const linkPath = z.object({ ...dashboardPath.shape, link_id: pathId('3') })

export function toLinkRecord(link: StoredLink): z.infer<typeof linkRecord> {
  return {
    id: link.id,
    name: link.name,
    dashboards: link.dashboard_ids.map(String),
    has_password: link.has_password,
    hosts: link.hosts,
    rotate_seconds: link.rotate_seconds,
    expires_at: link.expires_at === null ? null : isoTime(link.expires_at),
    created_at: isoTime(link.created_at),
    last_used_at: link.last_used_at === null ? null : isoTime(link.last_used_at),
    made_by: { id: link.user_id, name: link.user_name },
  }
}

export function linkNotFound(): HttpError {
  return notFound('Link not found')
}
