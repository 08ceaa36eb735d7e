import { useCallback, useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import type { Operations } from '../../api/generated.ts'
import { useApi } from '../../api/hooks.ts'
import {
  type DeviceFilters,
  type DeviceSearch,
  type DeviceSort,
  filtersOf,
} from './device-search.ts'

export type FleetDevice = Operations['GET /fleet/devices']['answer']['data'][number]

interface Order {
  ids: readonly number[]
  total: number
}

const nothing: Order = { ids: [], total: 0 }

/** Milliseconds after which the service is asked for the order again. */
const checkInterval = 60_000

export interface DeviceQuery extends DeviceFilters {
  sort: DeviceSort
  order: 'asc' | 'desc'
}

export function queryOf(search: DeviceSearch): DeviceQuery {
  const { sort = 'name', order = 'asc' } = search
  return { ...filtersOf(search), sort, order }
}

/**
 * The ids of the devices that match, in order. What the reader sees keeps its order until they ask
 * for another one: devices that report would move under their hands.
 */
export function useDeviceOrder(query: DeviceQuery) {
  const view = JSON.stringify(query)
  const options = { keepsPrevious: true, refetchInterval: checkInterval, staleTime: 10_000 }
  const answer = useApi('GET /fleet/devices/ids', { query }, options)
  const [shown, setShown] = useState<{ view: string; query: DeviceQuery; order: Order }>()
  const isLatest = answer.data !== undefined && !answer.isPlaceholderData
  const latest = useMemo(
    () => (answer.data ? { ids: answer.data.data, total: answer.data.total } : undefined),
    [answer.data],
  )
  // Another view is shown as soon as it is there.
  if (isLatest && latest && shown?.view !== view) setShown({ view, query, order: latest })
  const order = shown?.order ?? nothing
  const isOutdated =
    isLatest && latest !== undefined && shown?.view === view && !isSameOrder(order, latest)
  const { refetch } = answer
  const renew = useCallback(async () => {
    const { data } = await refetch()
    if (data) setShown({ view, query, order: { ids: data.data, total: data.total } })
  }, [refetch, view, query])
  return {
    order,
    /** What the shown order was asked with: the wanted one once that is there. */
    shownQuery: shown?.query ?? query,
    /** Nothing is known yet. */
    isFirst: shown === undefined && answer.error === null,
    /** Another view is on its way. */
    isChanging: answer.isPlaceholderData || (answer.isFetching && shown?.view !== view),
    isOutdated,
    added: latest ? latest.total - order.total : 0,
    error: answer.error,
    renew,
  }
}

function isSameOrder(one: Order, other: Order): boolean {
  if (one.ids === other.ids) return true
  if (one.ids.length !== other.ids.length) return false
  return one.ids.every((id, index) => id === other.ids[index])
}

/** Reads devices by id. */
export async function loadDevices(ids: readonly number[], signal?: AbortSignal) {
  const query = { ids: ids.join(','), limit: ids.length }
  const { data } = await call('GET /fleet/devices', { query }, signal ? { signal } : {})
  return new Map(data.map((device) => [device.id, device]))
}
