import { Group, SegmentedControl, Select } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/hooks.ts'
import type { TimeRange } from '../../charts/chart-data.ts'
import { t } from '../../languages/text.ts'
import { useMay } from '../../session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Link } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { type Dashboard, isFor, type RangeWord, rangeNames, rangeWords } from './dashboard.ts'
import { DashboardGrid } from './dashboard-grid.tsx'
import { DashboardMenu } from './dashboard-menu.tsx'
import type { Look } from './use-widget-data.ts'
import { VariableChoice } from './variable-choice.tsx'
import { WidgetView } from './widget-view.tsx'

const route = getRouteApi('/shell/dashboards/$dashboardId')
const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))

/** A dashboard, looked at or changed. */
export function DashboardPage() {
  const { dashboardId } = route.useParams()
  const { edit } = route.useSearch()
  const { data, error, refetch } = useApi('GET /dashboards/{dashboard_id}', {
    path: { dashboard_id: dashboardId },
  })
  const may = useMay('manage_widget_dashboard')
  if (!data) {
    return (
      <Page title={t('Dashboard')}>
        {error ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : (
          <LoadingLines count={8} />
        )}
      </Page>
    )
  }
  const dashboard = data.data
  if (edit && may && dashboard.made_for === null) {
    return (
      <Suspense fallback={<LoadingLines count={8} />}>
        <Editor key={dashboard.id} dashboard={dashboard} />
      </Suspense>
    )
  }
  return <ShownDashboard dashboard={dashboard} />
}

/** What the address says of the range and the choice. */
export function useLook({ range, variable }: Pick<Dashboard, 'range' | 'variable'>) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (present) => ({ ...present, ...changes }), replace: true })
  const { from, to, group, device } = search
  const chosen = variable && {
    ...variable,
    ...(variable.kind === 'group' && group !== undefined && { group }),
    ...(variable.kind === 'device' && device !== undefined && { device }),
  }
  const look: Look = {
    range: from && to ? { from, to } : (search.range ?? range),
    variable: chosen,
  }
  const zoom = (shown: TimeRange | undefined) =>
    change({
      from: shown && new Date(Math.round(shown.from)).toISOString(),
      to: shown && new Date(Math.round(shown.to)).toISOString(),
    })
  return { look, zoom, change }
}

function ShownDashboard({ dashboard }: { dashboard: Dashboard }) {
  const { look, zoom, change } = useLook(dashboard)
  const navigate = route.useNavigate()
  const { widgets, made_for, name, description, variable } = dashboard
  const maySend = useMay('manage_devices')
  const items = widgets
    .map((widget, at) => ({ ...widget, key: String(at) }))
    .filter((widget) => isFor(widget, maySend))
  return (
    <Page
      title={name}
      above={<Link to="/dashboards">{t('Dashboards')}</Link>}
      description={description ?? sourceWords(dashboard)}
      actions={
        <>
          {made_for === null && (
            <ActionButton
              needs="manage_widget_dashboard"
              variant="default"
              onClick={() => void navigate({ search: (all) => ({ ...all, edit: 'yes' }) })}
            >
              {t('Edit')}
            </ActionButton>
          )}
          <DashboardMenu dashboard={dashboard} />
        </>
      }
    >
      <Group gap="sm">
        <RangeChoice
          range={look.range}
          onChange={(range) => change({ range, from: undefined, to: undefined })}
        />
        {variable && <VariableChoice variable={look.variable ?? variable} onChange={change} />}
      </Group>
      {widgets.length === 0 && (
        <EmptyState title={t('This dashboard is empty')}>
          {t('Edit it to add charts, tiles, tables and notes.')}
        </EmptyState>
      )}
      <DashboardGrid items={items} keyOf={({ key }) => key}>
        {({ key: _, ...widget }) => <WidgetView widget={widget} look={look} onZoom={zoom} />}
      </DashboardGrid>
    </Page>
  )
}

function sourceWords({ made_for }: Dashboard): string | undefined {
  if (made_for === null) return undefined
  return made_for.group === null
    ? t('Made from what the sensors of this device type measure. Copy it to change it.')
    : t('Made from what the sensors of this group measure. Copy it to change it.')
}

interface RangeChoiceProps {
  range: Look['range']
  onChange: (range: RangeWord) => void
}

/** On phones a list: seven buttons would not fit. */
export function RangeChoice({ range, onChange }: RangeChoiceProps) {
  const value = typeof range === 'string' ? range : null
  return (
    <>
      <SegmentedControl
        visibleFrom="sm"
        size="xs"
        aria-label={t('Time range')}
        data={rangeWords.map((word) => ({
          value: word,
          label: <span title={rangeNames[word][1]}>{rangeNames[word][0]}</span>,
        }))}
        value={value ?? ''}
        onChange={(word) => onChange(word as RangeWord)}
      />
      <Select
        hiddenFrom="sm"
        size="xs"
        aria-label={t('Time range')}
        placeholder={t('A range of your own')}
        data={rangeWords.map((word) => ({ value: word, label: rangeNames[word][1] }))}
        value={value}
        onChange={(word) => word && onChange(word as RangeWord)}
      />
    </>
  )
}
