import { SegmentedControl, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { MapView } from '../../../map/map-view.tsx'
import { useAddress } from '../../../router/use-address.ts'
import { useIsLimited } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/link.tsx'
import { FilterBar } from '../../../ui/list/filter-bar.tsx'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { LoadingLines, Page } from '../../../ui/page.tsx'
import { filtersOf, isFiltered, noFilters } from '../device-search.ts'
import { NothingMatches } from '../empty.tsx'
import { useDeviceFilters } from '../use-device-filters.ts'
import { devicePoint, gatewayPoint, useHearing } from './fleet-points.ts'

const route = getRouteApi('/shell/map')

/** Milliseconds between two looks. */
const interval = 30_000
const mostGateways = 1000

/** Where the fleet is: devices and gateways with their states or signals, and who hears whom. */
export function FleetMapPage() {
  const search = route.useSearch()
  const { change } = useAddress()
  const { look = 'state', ...rest } = search
  const filters = filtersOf(rest)
  const { places, gateways, error, retry } = useFleet(filters)
  const deviceFilters = useDeviceFilters(search)
  const [selected, setSelected] = useState<string>()
  const devices = places?.data
  const points = useMemo(
    () => [
      ...(devices ?? []).map((device) => devicePoint(device, look)),
      ...(gateways ?? []).flatMap(gatewayPoint),
    ],
    [devices, gateways, look],
  )
  const lines = useHearing(selected, points)
  return (
    <Page title={t('Map')} description={<Count total={places?.total} shown={devices?.length} />}>
      <FilterBar
        filters={deviceFilters}
        search={{ label: t('Search devices'), placeholder: t('Name or DevEUI') }}
      >
        <SegmentedControl
          aria-label={t('Colours')}
          value={look}
          onChange={(value) => change({ look: value === 'signal' ? value : undefined })}
          data={[
            { value: 'state', label: t('State') },
            { value: 'signal', label: t('Signal') },
          ]}
        />
      </FilterBar>
      {error && <ErrorNotice error={error} retry={retry} />}
      {!places && !error && <LoadingLines count={8} />}
      {places && points.length > 0 && (
        <>
          <MapView
            label={t('Devices and gateways')}
            points={points}
            lines={lines}
            selected={selected}
            onSelect={setSelected}
          />
          <Selected id={selected} points={points} />
        </>
      )}
      {places?.total === 0 && isFiltered(filters) && (
        <NothingMatches onClear={() => change(noFilters)} />
      )}
      {places && points.length === 0 && !(places.total === 0 && isFiltered(filters)) && (
        <NoPlaces />
      )}
    </Page>
  )
}

function useFleet(filters: ReturnType<typeof filtersOf>) {
  const isLimited = useIsLimited()
  const options = { keepsPrevious: true, refetchInterval: interval }
  const devices = useApi('GET /fleet/devices/places', { query: filters }, options)
  const gateways = useApi(
    'GET /fleet/gateways',
    { query: { network: filters.network, limit: mostGateways } },
    { ...options, enabled: !isLimited },
  )
  return {
    places: devices.data,
    gateways: gateways.data?.data,
    error: devices.error ?? gateways.error,
    retry: () => {
      void devices.refetch()
      void gateways.refetch()
    },
  }
}

function Count({ total, shown }: Record<'total' | 'shown', number | undefined>) {
  if (total === undefined || shown === undefined) return <span role="status">{t('Loading')}</span>
  const without = total - shown
  const rest =
    without === 0 ? '' : t(', {without} without a place', { without: formatCount(without) })
  return (
    <span role="status">{`${t('{total, plural, one {# device} other {# devices}}', { total })}${rest}`}</span>
  )
}

function Selected({
  id,
  points,
}: {
  id: string | undefined
  points: readonly { id: string; name: string }[]
}) {
  const point = points.find((one) => one.id === id)
  const [kind, reference = ''] = id?.split(' ') ?? []
  if (!point) {
    return (
      <Text size="sm" c="dimmed">
        {t('Choose a device or a gateway to see who hears whom. Squares are gateways.')}
      </Text>
    )
  }
  return kind === 'gateway' ? (
    <LinkButton variant="default" to="/gateways/$gatewayId" params={{ gatewayId: reference }}>
      {t('Open {name}', { name: point.name })}
    </LinkButton>
  ) : (
    <LinkButton variant="default" to="/devices/$eui" params={{ eui: reference }}>
      {t('Open {name}', { name: point.name })}
    </LinkButton>
  )
}

function NoPlaces() {
  return (
    <EmptyState
      title={t('Nothing here has a place')}
      actions={
        <LinkButton to="/devices" variant="default">
          {t('Show the devices')}
        </LinkButton>
      }
    >
      {t(
        'Open a device or a gateway and set its place: with numbers, on the map, or from your phone beside it. Trackers and some networks say it themselves.',
      )}
    </EmptyState>
  )
}
