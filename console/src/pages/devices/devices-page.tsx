import { IconPlus, IconTableImport } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { t } from '../../languages/text.ts'
import { useAddress } from '../../router/use-address.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { ListMenus } from '../../ui/list/list-menus.tsx'
import type { SavedView } from '../../ui/list/saved-views.tsx'
import { useColumns } from '../../ui/list/use-columns.ts'
import { mostKept } from '../../ui/list/use-records.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { deviceColumns, usualColumns } from './device-columns.tsx'
import { filtersOf, isFiltered, noFilters } from './device-search.ts'
import { DeviceTable } from './device-table.tsx'
import { NoDevices, NothingMatches } from './empty.tsx'
import { useDeviceFilters } from './use-device-filters.ts'
import { queryOf, useDeviceOrder } from './use-device-list.ts'

const route = getRouteApi('/shell/devices')
const exportedFiles = [
  {
    operation: 'GET /fleet/devices/export',
    fileName: 'devices.csv',
    label: t('CSV, for spreadsheets'),
  },
]

const usualViews: readonly SavedView[] = [
  { name: t('Silent'), search: { verdict: 'silent', sort: 'last_seen' } },
  { name: t('Low battery'), search: { low_battery: 'yes', sort: 'battery' } },
  { name: t('Tampered'), search: { tamper: 'yes' } },
  { name: t('Registration errors'), search: { status: 'register_error' } },
]

export function DevicesPage() {
  const search = route.useSearch()
  const [isPrinting, setPrinting] = useState(false)
  const { change } = useAddress()
  const filters = filtersOf(search)
  const query = useMemo(() => queryOf(search), [search])
  const list = useDeviceOrder(query)
  const deviceFilters = useDeviceFilters(search)
  const columns = useColumns('device', deviceColumns, usualColumns)
  const isEmpty = list.order.total === 0 && !list.isFirst && !list.error && !list.isChanging
  return (
    <Page title={t('Devices')} description={<Count {...list} />} actions={<Actions />}>
      <FilterBar
        filters={deviceFilters}
        search={{ label: t('Search devices'), placeholder: t('Name or DevEUI') }}
      >
        <ListMenus choice={columns} views={usualViews} />
        {list.order.total > 0 && (
          <ExportMenu
            title={t('What is shown: these filters, order and columns')}
            query={{
              ...query,
              columns: columns.columns.flatMap((column) => column.exports).join(),
            }}
            files={exportedFiles}
            onPrint={list.order.total > mostKept ? null : () => setPrinting(true)}
          />
        )}
      </FilterBar>
      {list.error && <ErrorNotice error={list.error} retry={() => void list.renew()} />}
      {list.isFirst && <LoadingLines count={12} />}
      {isEmpty && !isFiltered(filters) && <NoDevices />}
      {isEmpty && isFiltered(filters) && <NothingMatches onClear={() => change(noFilters)} />}
      {list.order.total > 0 && (
        <DeviceTable
          list={list}
          query={query}
          columns={columns.columns}
          isPrinting={isPrinting}
          onPrint={setPrinting}
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
        {t('Import')}
      </LinkButton>
      <LinkButton to="/register" leftSection={<IconPlus size={16} aria-hidden />}>
        {t('Register')}
      </LinkButton>
    </>
  )
}

/** How many there are; screen readers hear it when the filters change it. */
function Count({ isFirst, order, shownQuery }: ReturnType<typeof useDeviceOrder>) {
  const found = isFiltered(filtersOf(shownQuery))
    ? t('{total, plural, one {# device matches} other {# devices match}}', { total: order.total })
    : t('{total, plural, one {# device} other {# devices}}', { total: order.total })
  const text = isFirst ? t('Loading') : found
  return <span role="status">{text}</span>
}
