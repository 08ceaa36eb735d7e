import { Group, SegmentedControl, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { LinkButton } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { GatewayFilters } from './gateway-filters.tsx'
import { GatewayMap } from './gateway-map.tsx'
import { filterOf, type GatewaySearch, mostOnMap, pageSize } from './gateway-query.ts'
import { GatewayTable } from './gateway-table.tsx'

const route = getRouteApi('/shell/gateways')

export function GatewaysPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (changes: GatewaySearch) =>
    void navigate({
      search: (present) => ({ ...present, page: undefined, ...changes }),
      replace: 'search' in changes,
    })
  return (
    <Page
      title="Gateways"
      actions={
        <LinkButton to="/gateways/register" search={{ network: search.network }}>
          Register a gateway
        </LinkButton>
      }
    >
      <Group align="flex-end" gap="sm">
        <GatewayFilters search={search} onChange={change} />
        <SegmentedControl
          aria-label="View"
          size="xs"
          ml="auto"
          value={search.view ?? 'table'}
          onChange={(view) => change({ view: view === 'map' ? 'map' : undefined })}
          data={[
            { value: 'table', label: 'Table' },
            { value: 'map', label: 'Map' },
          ]}
        />
      </Group>
      <GatewayList search={search} onChange={change} />
    </Page>
  )
}

interface GatewayListProps {
  search: GatewaySearch
  onChange: (changes: GatewaySearch) => void
}

function GatewayList({ search, onChange }: GatewayListProps) {
  const isMap = search.view === 'map'
  const page = Math.max(1, search.page ?? 1)
  const range = isMap ? { limit: mostOnMap } : { limit: pageSize, offset: (page - 1) * pageSize }
  const order = { sort: search.sort ?? 'name', order: search.order ?? 'asc' } as const
  const { data, error, refetch } = useApi(
    'GET /fleet/gateways',
    { query: { ...filterOf(search), ...order, ...range } },
    { keepsPrevious: true, refetchInterval: 30_000 },
  )
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines count={8} />
  if (data.total === 0) return <NoGateways search={search} onChange={onChange} />
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {countOf(data.total, 'gateway')}
      </Text>
      {isMap ? (
        <GatewayMap gateways={data.data} total={data.total} />
      ) : (
        <GatewayTable
          gateways={data.data}
          total={data.total}
          page={page}
          search={search}
          onChange={onChange}
        />
      )}
    </>
  )
}

function NoGateways({ search, onChange }: GatewayListProps) {
  const filter = filterOf(search)
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '')
  if (isFiltered) {
    return (
      <EmptyState title="No gateway fits these filters">
        <Text
          component="button"
          type="button"
          c="var(--mantine-color-anchor)"
          onClick={() =>
            onChange({
              search: undefined,
              network: undefined,
              status: undefined,
              verdict: undefined,
            })
          }
        >
          Show all gateways
        </Text>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No gateways yet"
      actions={<LinkButton to="/gateways/register">Register a gateway</LinkButton>}
    >
      A registered gateway shows its traffic, its place and the devices that it hears. Devices also
      work through gateways that are not registered here.
    </EmptyState>
  )
}
