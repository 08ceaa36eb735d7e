import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import type { Organization } from './organization-queries.ts'

/** An organization as the API gives it (docs/contract.txt, 2.16). */
export const organizationRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        parent_org_id: z.int().nullable(),
        address_line_1: z.string().nullable(),
        address_line_2: z.string().nullable(),
        logo: z.string().nullable(),
        created_at: z.string(),
        account: z.object({
          user_id: z.int(),
          org_id: z.int(),
          id: z.int(),
          timezone_format: z.string(),
          timezone_id: z.int(),
          country_id: z.int().nullable(),
          created_at: z.string(),
          updated_at: z.string(),
          trial_ends_at: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
          is_demo_account: z.union([z.literal(0), z.literal(1)]),
        }),
      },
      {
        id: 2,
        name: 'Harbour Cold Storage',
        parent_org_id: 1,
        address_line_1: '12 Quay Street',
        address_line_2: null,
        logo: null,
        created_at: '2026-01-12T08:15:30.000000Z',
        account: {
          user_id: 3,
          org_id: 2,
          id: 2,
          timezone_format: 'UTC',
          timezone_id: 1,
          country_id: null,
          created_at: '2026-01-12T08:15:30.000000Z',
          updated_at: '2026-01-12T08:15:30.000000Z',
          trial_ends_at: '2026-02-11',
          is_demo_account: 0,
        },
      },
    ),
  )
  .meta({ id: 'Organization' })

/** Organization and account are the same thing in this service, so they share the id. */
export function toOrganizationRecord(organization: Organization) {
  const createdAt = isoTime(organization.created_at)
  return {
    id: organization.id,
    name: organization.name,
    parent_org_id: organization.parent_org_id,
    address_line_1: organization.address_line_1,
    address_line_2: organization.address_line_2,
    logo: organization.logo,
    created_at: createdAt,
    account: {
      user_id: organization.owner_user_id,
      org_id: organization.id,
      id: organization.id,
      timezone_format: organization.timezone_format,
      timezone_id: organization.timezone_id,
      country_id: organization.country_id,
      created_at: createdAt,
      updated_at: isoTime(organization.updated_at),
      // Always a date: without a trial, the day of creation.
      trial_ends_at: organization.trial_ends_at ?? createdAt.slice(0, 10),
      is_demo_account: organization.is_demo_account ? (1 as const) : (0 as const),
    },
  }
}
