import { SegmentedControl, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { t } from '../../languages/text.ts'
import { useTagFilter } from '../../tags/tag-choices.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { ListMenus } from '../../ui/list/list-menus.tsx'
import { useColumns } from '../../ui/list/use-columns.ts'
import { useFleetFilters } from '../../ui/list/use-fleet-filters.ts'
import { Page } from '../../ui/page.tsx'
import { HistoryUplinks } from './history-uplinks.tsx'
import { LiveUplinks } from './live-uplinks.tsx'
import { RangeFields } from './range-fields.tsx'
import { uplinkColumns, usualColumns } from './uplink-columns.tsx'
import { UplinkDrawer } from './uplink-drawer.tsx'
import { filtersOf, isHistory, type UplinkSearch } from './uplink-search.ts'

const route = getRouteApi('/shell/uplinks')
const exportedFiles = [
  {
    operation: 'GET /fleet/uplinks/export',
    fileName: 'uplinks.csv',
    label: t('CSV, for spreadsheets'),
  },
  {
    operation: 'GET /fleet/uplinks/lines',
    fileName: 'uplinks.ndjson',
    label: t('JSON lines, for programs'),
  },
]

const linked = [
  { name: 'device', label: t('Device'), isLinked: true },
  { name: 'event_type', label: t('Event'), isLinked: true },
]

export function UplinksPage() {
  const { group, type, network } = useFleetFilters()
  const tag = useTagFilter()
  const choice = useColumns('uplink', uplinkColumns, usualColumns)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useCallback(
    (changes: UplinkSearch, replace = false) =>
      void navigate({ search: (now) => ({ ...now, ...changes }), replace }),
    [navigate],
  )
  const filters = filtersOf(search)
  const isPast = isHistory(search)
  const { since, until } = search
  const open = useCallback((ordinal: number) => change({ uplink: ordinal }), [change])
  // With other filters, the list starts again.
  const view = JSON.stringify([filters, since, until])
  return (
    <Page
      title={t('Uplinks')}
      description={t('What your devices send, in order of arrival.')}
      actions={
        <ExportMenu
          title={
            since || until ? t('This range, with these filters') : t('All time, with these filters')
          }
          query={{ ...filters, since, until }}
          files={exportedFiles}
        />
      }
    >
      <Stack gap="xs">
        <FilterBar
          filters={[group, type, network, tag, ...linked]}
          search={{ label: t('Search uplinks'), placeholder: t('Name, DevEUI or text') }}
        >
          <SegmentedControl
            aria-label={t('View')}
            value={isPast ? 'history' : 'live'}
            data={[
              { value: 'live', label: t('Live') },
              { value: 'history', label: t('History') },
            ]}
            onChange={(value) =>
              change(
                value === 'live'
                  ? { view: undefined, since: undefined, until: undefined }
                  : { view: 'history' },
              )
            }
          />
          <ListMenus choice={choice} />
        </FilterBar>
        {isPast && <RangeFields range={search} onChange={change} />}
      </Stack>
      {isPast ? (
        <HistoryUplinks
          key={view}
          filters={filters}
          columns={choice.columns}
          range={search}
          onOpen={open}
        />
      ) : (
        <LiveUplinks key={view} filters={filters} columns={choice.columns} onOpen={open} />
      )}
      <UplinkDrawer
        ordinal={search.uplink}
        onClose={() => change({ uplink: undefined }, true)}
        onFilter={(changes) => change({ ...changes, uplink: undefined })}
      />
    </Page>
  )
}
