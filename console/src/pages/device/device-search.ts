import { getRouteApi } from '@tanstack/react-router'
import { rangeSearch } from '../../charts/range.ts'
import { integer, oneOf, text } from '../../router/search.ts'

export const tabs = [
  'overview',
  'measurements',
  'uplinks',
  'radio',
  'downlinks',
  'settings',
] as const

export type TabName = (typeof tabs)[number]

/** The query of a device's address. */
export const deviceSearch = {
  ...rangeSearch,
  tab: oneOf(...tabs),
  /** Keys of measurements, by commas. */
  keys: text,
  /** DevEUIs of the devices in the same charts, by commas. */
  with: text,
  /** The ordinal of the uplink that is taken apart. */
  uplink: integer,
}

const route = getRouteApi('/shell/devices/$eui')

/** The query of the address, and how to change some of it. */
export function useDeviceSearch() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (changes: Partial<typeof search>, { replace = false } = {}) => {
    void navigate({
      search: (known) => ({ ...known, ...changes }),
      replace,
      resetScroll: false,
    })
  }
  return { search, change }
}

/** The EUI of the address, in its normal form. */
export function useDeviceEui(): string {
  return route.useParams().eui.toUpperCase()
}
