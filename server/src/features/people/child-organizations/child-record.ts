import { z } from 'zod'
import { invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime } from '../../../http/timestamps.ts'
import type { ChildOrganization, Limits } from './child-queries.ts'

/** Organizations below one, and at most so many of each other limit. */
const mostOrganizations = 1000
const mostOfAll = 1_000_000_000

function limit(name: string, least: number, most: number) {
  const message = `The ${name} limit must be a whole number from ${least} to ${most}.`
  return z.int({ error: message }).min(least, { error: message }).max(most, { error: message })
}

const devices = limit('device', 0, mostOfAll).describe(
  'Devices of the organization and of those below it.',
)
const organizations = limit('organization', 0, mostOrganizations).describe(
  'Organizations below it.',
)
const requests = limit('request', 1, mostOfAll)
  .nullable()
  .describe(
    'Requests a minute of a tenant, by all members and API keys of it and of those below it; null: the usual limit. Only organization 1 sets it, for its tenants.',
  )

const example = { devices: 5000, organizations: 10, requests_per_minute: null }

export const newLimits = z.object(
  withExamples(
    {
      devices: devices.optional(),
      organizations: organizations.optional(),
      requests_per_minute: requests.optional(),
    },
    example,
  ),
)

const limits = z
  .object(withExamples({ devices, organizations, requests_per_minute: requests }, example))
  .meta({ id: 'OrganizationLimits' })

/** An organization directly below the caller's. */
export const childRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        created_at: z.string(),
        owner: z.object({ id: z.int(), email: z.string() }),
        limits,
        usage: z.object({ devices: z.int(), organizations: z.int() }),
        is_being_deleted: z
          .boolean()
          .describe('It accepts nothing any more; see `GET /organization/deletions`.'),
      },
      {
        id: 2,
        name: 'Harbour Cold Storage',
        created_at: '2026-01-12T08:15:30.000000Z',
        owner: { id: 3, email: 'bo@harbour.example.test' },
        limits: example,
        usage: { devices: 120, organizations: 2 },
        is_being_deleted: false,
      },
    ),
  )
  .meta({ id: 'ChildOrganization' })

export function toChildRecord(child: ChildOrganization) {
  return {
    id: child.id,
    name: child.name,
    created_at: isoTime(child.created_at),
    owner: { id: child.owner_id, email: child.owner_email },
    limits: {
      devices: child.device_limit,
      organizations: child.organization_limit,
      requests_per_minute: child.request_limit,
    },
    usage: { devices: child.devices, organizations: child.organizations },
    is_being_deleted: child.is_being_deleted,
  }
}

export const childPath = z.object({ id: pathId('2') })

export function childNotFound() {
  return notFound('Organization not found')
}

/** @throws HttpError 422 when the limit is not for this organization. */
export function checkLimits({ is_tenant }: ChildOrganization, sent: Limits): void {
  if (is_tenant || sent.requests_per_minute === undefined) return
  throw invalid({
    requests_per_minute: ['Only organization 1 sets the requests a minute, for its tenants.'],
  })
}
