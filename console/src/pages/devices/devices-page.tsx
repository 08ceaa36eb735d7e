import { Box, Group, Stack } from '@mantine/core'
import { IconPlus, IconTableImport } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { LinkButton } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { ColumnMenu } from '../../ui/virtual-table/column-menu.tsx'
import { deviceColumns, usualColumns } from './device-columns.tsx'
import { type DeviceFilters, type DeviceSearch, filtersOf, isFiltered } from './device-search.ts'
import { DeviceTable } from './device-table.tsx'
import { NoDevices, NothingMatches } from './empty.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterChips } from './filter-chips.tsx'
import { useFilterChoices } from './filter-choices.ts'
import { FilterMenu } from './filter-menu.tsx'
import { SavedViews } from './saved-views.tsx'
import { useColumns } from './use-columns.ts'
import { queryOf, useDeviceOrder } from './use-device-list.ts'

const route = getRouteApi('/shell/devices')

export function DevicesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filters = filtersOf(search)
  const query = useMemo(() => queryOf(search), [search])
  const list = useDeviceOrder(query)
  const choices = useFilterChoices()
  const columns = useColumns(search.columns)
  const change = useCallback(
    (changes: DeviceSearch, isTyped = false) =>
      void navigate({ search: (now) => ({ ...now, ...changes }), replace: isTyped }),
    [navigate],
  )
  const filter = (changes: DeviceFilters) => change(changes)
  const isEmpty = list.order.total === 0 && !list.isFirst && !list.error && !list.isChanging
  return (
    <Page title="Devices" description={<Count {...list} />} actions={<Actions />}>
      <Stack gap="xs">
        <Group gap="xs">
          <SearchField
            aria-label="Search devices"
            placeholder="Name or DevEUI"
            w={{ base: '100%', xs: 260 }}
            value={filters.search ?? ''}
            onSearch={(text) => change({ search: text || undefined }, true)}
          />
          <FilterMenu filters={filters} choices={choices} onChange={filter} />
          <SavedViews search={search} columns={columns.shown.join(',')} />
          <Box visibleFrom="sm">
            <ColumnMenu
              columns={deviceColumns}
              shown={columns.shown}
              usual={usualColumns}
              onChange={(ids) => {
                columns.choose(ids)
                if (search.columns) change({ columns: undefined })
              }}
            />
          </Box>
          <ExportButton query={query} columns={columns.columns} isEmpty={isEmpty} />
        </Group>
        <FilterChips filters={filters} choices={choices} onChange={filter} />
      </Stack>
      {list.error && <ErrorNotice error={list.error} retry={() => void list.renew()} />}
      {list.isFirst && <LoadingLines count={12} />}
      {isEmpty && !isFiltered(filters) && <NoDevices />}
      {isEmpty && isFiltered(filters) && <NothingMatches onClear={filter} />}
      {list.order.total > 0 && (
        <DeviceTable
          list={list}
          query={query}
          columns={columns.columns}
          groups={choices.groups}
          onSort={change}
        />
      )}
    </Page>
  )
}

function Actions() {
  return (
    <>
      <LinkButton
        to="/import"
        variant="default"
        leftSection={<IconTableImport size={16} aria-hidden />}
      >
        Import
      </LinkButton>
      <LinkButton to="/register" leftSection={<IconPlus size={16} aria-hidden />}>
        Register
      </LinkButton>
    </>
  )
}

/** How many there are; screen readers hear it when the filters change it. */
function Count({ isFirst, order, shownQuery }: ReturnType<typeof useDeviceOrder>) {
  const found = isFiltered(filtersOf(shownQuery))
    ? countOf(order.total, 'device matches', 'devices match')
    : countOf(order.total, 'device')
  const text = isFirst ? 'Loading' : found
  return <span role="status">{text}</span>
}
