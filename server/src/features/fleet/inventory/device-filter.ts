import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import {
  isStorable,
  largestInteger,
  queryChoice,
  queryInteger,
  searchText,
} from '../../../http/fields.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'
import { type TagFilter, tagFilter } from './tags.ts'
import { type VerdictState, verdictStates } from './verdict.ts'

/**
 * What selects devices of an organization: the parameters of lists, of the console's addresses, and
 * of work on many devices have the same names.
 */

/** Devices that one list of ids can name. */
const mostIds = 1000

const idsMessage = `The ids must be up to ${mostIds} integers, separated by commas.`

const idList = z
  .string({ error: idsMessage })
  .refine((text) => /^\d{1,10}(,\d{1,10})*$/.test(text), { error: idsMessage, abort: true })
  .transform((text) => text.split(',').map(Number))
  .refine((ids) => ids.length <= mostIds && ids.every((id) => id <= largestInteger), idsMessage)

const mostMeasures = 50
const measuresMessage = `The measures must be up to ${mostMeasures} names, separated by commas.`

const measureList = z
  .string({ error: measuresMessage })
  .refine(isStorable, measuresMessage)
  .transform((text) => text.split(','))
  .refine((names) => names.length <= mostMeasures, measuresMessage)

const yes = (label: string) => queryChoice(label, ['yes']).optional()

/** Each is optional; together they select the devices to which all of them apply. */
export const deviceFilterFields = {
  search: searchText().meta({
    description:
      'Part of the name, or of the DevEUI with or without dashes or colons, in any case.',
  }),
  group: queryInteger('group', { min: 1, fallback: 0 }).meta({
    description: 'The id of a group: the devices in it and in the groups below it.',
  }),
  network: searchText('network').meta({ description: 'The key of a network.' }),
  tag: tagFilter,
  type: queryInteger('type', { min: 1, fallback: 0 }).meta({ description: 'The id of a type.' }),
  status: queryChoice('status', ['pending', 'active', 'register_error']).optional(),
  active: queryChoice('active', ['yes', 'no']).optional(),
  verdict: queryChoice('verdict', verdictStates)
    .optional()
    .meta({ description: 'The verdict of the service.' }),
  low_battery: yes('low battery'),
  tamper: yes('tamper'),
  silent: queryInteger('silent', { min: 1, fallback: 0 }).meta({
    description: 'Not heard for so many hours, or never.',
  }),
  waiting: yes('waiting').meta({ description: 'Downlinks wait for being sent.' }),
  measures: measureList.optional().meta({
    type: 'string',
    description:
      'Those whose type measures one of these quantities, by commas; of measurements without a quantity, their names.',
    examples: ['air.temperature'],
  }),
  ids: idList.optional().meta({ type: 'string', examples: ['101,102'] }),
}

/** What orders a list of devices. */
export const deviceSorts = [
  'name',
  'device_id',
  'last_seen',
  'battery',
  'created_at',
  'type',
  'network',
] as const

export interface DeviceOrder {
  sort: (typeof deviceSorts)[number]
  order: 'asc' | 'desc'
}

export const deviceOrderFields = {
  sort: queryChoice('sort', deviceSorts).default('created_at'),
  order: queryChoice('order', ['asc', 'desc']).default('asc'),
}

/** The parameters as they are parsed. */
export type DeviceFilterQuery = z.infer<z.ZodObject<typeof deviceFilterFields>>

/** For the body of a request; a misspelled name would select more devices, so it is refused. */
export const deviceFilterBody = z.strictObject(deviceFilterFields)

export interface DeviceFilter {
  /** Part of the name; undefined for all, as everywhere here. */
  search: string | undefined
  /** A group with all below it. */
  group: number | undefined
  network: string | undefined
  tag: TagFilter | undefined
  type: number | undefined
  status: string | undefined
  isActive: boolean | undefined
  /** With the hours of `findVerdictWindow`. */
  verdict: { state: VerdictState; now: Date; window: number } | undefined
  hasLowBattery: true | undefined
  isTampered: true | undefined
  /** Not heard since then, or never. */
  silentSince: Date | undefined
  hasWaitingDownlinks: true | undefined
  /** Quantities, and names of measurements without one. */
  measures: readonly string[] | undefined
  ids: readonly number[] | undefined
}

const hour = 60 * 60 * 1000

export async function toDeviceFilter(
  db: Queryable,
  organizationId: number,
  query: DeviceFilterQuery,
  now: Date,
): Promise<DeviceFilter> {
  const { search, group, network, tag, type, status, active, verdict, silent, measures, ids } =
    query
  return {
    search: search.trim() || undefined,
    group: group || undefined,
    network: network || undefined,
    tag,
    type: type || undefined,
    status,
    isActive: active === undefined ? undefined : active === 'yes',
    verdict: verdict && {
      ...{ state: verdict, now },
      window: await findVerdictWindow(db, organizationId),
    },
    hasLowBattery: query.low_battery && true,
    isTampered: query.tamper && true,
    silentSince: silent === 0 ? undefined : silentSince(silent, now),
    hasWaitingDownlinks: query.waiting && true,
    measures,
    ids,
  }
}

/** The database knows no time before 4713 BC. */
function silentSince(hours: number, now: Date): Date {
  return new Date(Math.max(0, now.getTime() - hours * hour))
}
