import { integer, oneOf, text } from '../../router/search.ts'

const sorts = [
  'name',
  'device_id',
  'last_seen',
  'battery',
  'created_at',
  'type',
  'network',
] as const

/** The filters of devices in an address, with the names of the API. */
export const deviceFilterSearch = {
  search: text,
  group: integer,
  network: text,
  tag: text,
  type: integer,
  measures: text,
  verdict: oneOf('ok', 'new', 'silent', 'attention', 'inactive'),
  status: oneOf('pending', 'active', 'register_error'),
  active: oneOf('yes', 'no'),
  low_battery: oneOf('yes'),
  tamper: oneOf('yes'),
  silent: integer,
  waiting: oneOf('yes'),
}

/** The address of the list of devices. */
export const deviceSearch = {
  ...deviceFilterSearch,
  sort: oneOf(...sorts),
  order: oneOf('asc', 'desc'),
  /** The ids of the columns, if they are not the reader's own choice. */
  columns: text,
}

export type DeviceSort = (typeof sorts)[number]

type Values = { [K in keyof typeof deviceSearch]?: ReturnType<(typeof deviceSearch)[K]> }

/** What the address says. */
export type DeviceSearch = Values

export type DeviceFilters = Omit<Values, 'sort' | 'order' | 'columns'>

export const noFilters: DeviceFilters = {
  search: undefined,
  group: undefined,
  network: undefined,
  tag: undefined,
  type: undefined,
  measures: undefined,
  verdict: undefined,
  status: undefined,
  active: undefined,
  low_battery: undefined,
  tamper: undefined,
  silent: undefined,
  waiting: undefined,
}

export function filtersOf(search: DeviceSearch): DeviceFilters {
  const { sort: _sort, order: _order, columns: _columns, ...filters } = search
  return Object.fromEntries(
    Object.keys(noFilters)
      .map((name) => [name, filters[name as keyof DeviceFilters]])
      .filter(([, value]) => value !== undefined),
  )
}

export function isFiltered(filters: DeviceFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
