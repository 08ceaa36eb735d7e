import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { conditionFilter, registrationFilter } from '../../condition/condition-filters.ts'
import { t } from '../../languages/text.ts'
import { useTagFilter } from '../../tags/tag-choices.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { List } from '../../ui/list/list.tsx'
import { ListMenus } from '../../ui/list/list-menus.tsx'
import type { SavedView } from '../../ui/list/saved-views.tsx'
import { useColumns } from '../../ui/list/use-columns.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { useTimeZone } from '../../ui/time-zone.ts'
import { gatewayColumns, usualColumns } from './gateway-columns.tsx'
import { GatewayMap } from './gateway-map.tsx'
import { filterOf, mostOnMap, pageSize, takesGateways } from './gateway-query.ts'

const route = getRouteApi('/shell/gateways')

const usualViews: readonly SavedView[] = [
  { name: t('Silent'), search: { verdict: 'silent', sort: 'last_seen' } },
  { name: t('Registration errors'), search: { status: 'register_error' } },
]

export function GatewaysPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const isMap = search.view === 'map'
  const offset = (Math.max(1, search.page ?? 1) - 1) * pageSize
  const range = isMap ? { limit: mostOnMap } : { limit: pageSize, offset }
  const order = { sort: search.sort ?? 'name', order: search.order ?? 'asc' } as const
  const filter = filterOf(search)
  const answer = useApi(
    'GET /fleet/gateways',
    { query: { ...filter, ...order, ...range } },
    { keepsPrevious: true, refetchInterval: 30_000 },
  )
  const { data } = answer
  const timeZone = useTimeZone()
  const choice = useColumns('gateway', gatewayColumns, usualColumns)
  return (
    <Page
      title={t('Gateways')}
      description={
        <span role="status">
          {data
            ? t('{total, plural, one {# gateway} other {# gateways}}', { total: data.total })
            : t('Loading')}
        </span>
      }
      actions={
        <LinkButton to="/gateways/register" search={{ network: search.network }}>
          {t('Register a gateway')}
        </LinkButton>
      }
    >
      <FilterBar
        filters={useGatewayFilters()}
        search={{ label: t('Search gateways'), placeholder: t('Name or EUI') }}
      >
        <SegmentedControl
          aria-label={t('View')}
          value={search.view ?? 'table'}
          onChange={(view) =>
            void navigate({
              search: (now) => ({ ...now, view: view === 'map' ? view : undefined }),
            })
          }
          data={[
            { value: 'table', label: t('Table') },
            { value: 'map', label: t('Map') },
          ]}
        />
        <ListMenus choice={choice} views={usualViews} />
        <ExportMenu
          title={
            data
              ? t('{total, plural, one {# gateway} other {# gateways}}', { total: data.total })
              : t('Gateways')
          }
          query={{
            ...{ search: filter.search, network: filter.network, tag: filter.tag },
            ...{ step: 'month', time_zone: timeZone, bom: 1 },
          }}
          files={[
            {
              operation: 'GET /fleet/gateways/uptime/export',
              fileName: 'gateway-uptime.csv',
              label: t('Uptime by month (CSV)'),
            },
          ]}
        />
      </FilterBar>
      {isMap && data && data.total > 0 ? (
        <GatewayMap gateways={data.data} total={data.total} />
      ) : (
        <List
          caption={t('Gateways')}
          answer={answer}
          columns={choice.columns}
          keyOf={({ id }) => id}
          sorted="name"
          empty={<NoGateways isFiltered={Object.values(filter).some(Boolean)} />}
          pageCount={data && Math.ceil(data.total / pageSize)}
        />
      )}
    </Page>
  )
}

function useGatewayFilters() {
  const tag = useTagFilter()
  const networks = useApi('GET /fleet/networks', {}, { staleTime: 60_000 }).data?.data ?? []
  return [
    {
      name: 'network',
      label: t('Network'),
      choices: networks
        .filter((network) => takesGateways(network))
        .map(({ key, name }) => ({ value: key, label: name })),
    },
    registrationFilter,
    conditionFilter(['ok', 'new', 'silent', 'attention']),
    tag,
  ]
}

function NoGateways({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title={t('No matching gateways')}
        actions={
          <LinkButton to="/gateways" variant="default">
            {t('Show all gateways')}
          </LinkButton>
        }
      />
    )
  }
  return (
    <EmptyState
      title={t('No gateways yet')}
      actions={<LinkButton to="/gateways/register">{t('Register a gateway')}</LinkButton>}
    >
      {t(
        'A registered gateway shows its traffic, its place and the devices that it hears. Devices also work through gateways that are not registered here.',
      )}
    </EmptyState>
  )
}
