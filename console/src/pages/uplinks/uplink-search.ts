import { integer, oneOf, text, time } from '../../router/search.ts'

/** The address of the page. Filters have the names of the API. */
export const uplinkSearch = {
  /** Live by default; a range of time is history. */
  view: oneOf('live', 'history'),
  since: time,
  until: time,
  device: text,
  group: integer,
  type: integer,
  network: text,
  tag: text,
  event_type: text,
  search: text,
  /** The ordinal of the uplink that is shown in full. */
  uplink: integer,
  columns: text,
}

type Values = { [K in keyof typeof uplinkSearch]?: ReturnType<(typeof uplinkSearch)[K]> }

export type UplinkSearch = Values

export type UplinkFilters = Pick<
  Values,
  'device' | 'group' | 'type' | 'network' | 'tag' | 'event_type' | 'search'
>

export type UplinkRange = Pick<Values, 'since' | 'until'>

export function filtersOf(search: UplinkSearch): UplinkFilters {
  const { device, group, type, network, tag, event_type, search: part } = search
  return { device, group, type, network, tag, event_type, search: part }
}

export function isFiltered(filters: UplinkFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

export function isHistory({ view, since, until }: UplinkSearch): boolean {
  return view === 'history' || since !== undefined || until !== undefined
}
