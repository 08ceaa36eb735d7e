import { Group, Select, Skeleton, Switch } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { t } from '../../../languages/text.ts'
import { SourceList } from '../../../sources/source-list.tsx'
import { Card } from '../../../ui/card.tsx'
import { DateTimeField } from '../../../ui/date-time-field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { EmptyState, ErrorNotice } from '../../../ui/notices.tsx'
import { Page } from '../../../ui/page.tsx'
import {
  type Dashboard,
  type RangeWord,
  rangeOfData,
  titleOf,
  type Widget,
  type WidgetData,
} from '../dashboard.ts'
import { RangeChoice } from '../dashboard-page.tsx'
import { type Look, useWidgetData } from '../use-widget-data.ts'
import { ChartView } from '../views/chart-view.tsx'
import { stepNames } from '../widget-options.tsx'
import classes from './explore.module.css'
import { mostLines, sourcesOf, widgetOf, writeSources } from './explored.ts'
import { PinMenu } from './pin-menu.tsx'

const route = getRouteApi('/shell/explore')

function useExplored() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (present) => ({ ...present, ...changes }), replace: true })
  const { from, to, range = '24h', step, show } = search
  const look: Look = { range: from && to ? { from, to } : range, variable: null }
  const sources = sourcesOf(search.series)
  return { search, change, look, range, sources, widget: widgetOf(sources, { step, show }) }
}

/** Any measurements of any devices in one chart. The address keeps all of it. */
export function ExplorePage() {
  const { search, change, look, range, sources, widget } = useExplored()
  return (
    <Page
      title={t('Explore')}
      guide="dashboards.html"
      description={t(
        'Any measurements of any devices in one chart. The address of this page shows the same to others.',
      )}
      actions={sources.length > 0 && <PinMenu widget={widget} range={range} />}
    >
      <SourceList
        label={t('Lines')}
        sources={sources}
        variable={null}
        most={mostLines}
        onChange={(all) => change({ series: writeSources(all) })}
      />
      {sources.length === 0 ? (
        <EmptyState title={t('Nothing chosen yet')}>
          {t('Add a line: what is measured, and of which devices.')}
        </EmptyState>
      ) : (
        <>
          <Choices search={search} look={look} change={change} />
          <ExploredChart
            widget={widget}
            look={look}
            isCompared={search.compare === 'yes'}
            onZoom={(shown) =>
              change({
                from: shown && new Date(Math.round(shown.from)).toISOString(),
                to: shown && new Date(Math.round(shown.to)).toISOString(),
              })
            }
          />
        </>
      )}
    </Page>
  )
}

type Explored = ReturnType<typeof useExplored>

/** Two times or none: with one of them nothing is chosen. */
const noTimes = { from: undefined, to: undefined }

/** As long before a time as the range is. */
function beginOf(range: RangeWord = '24h', to: string): string {
  const hours = Number.parseInt(range, 10) * (range.endsWith('d') ? 24 : 1)
  return new Date(Date.parse(to) - hours * 60 * minute).toISOString()
}

function Choices({ search, look, change }: Pick<Explored, 'search' | 'look' | 'change'>) {
  return (
    <Group gap="sm" align="flex-end">
      <RangeChoice
        range={look.range}
        onChange={(range: Dashboard['range']) => change({ range, ...noTimes })}
      />
      <DateTimeField
        size="xs"
        label={t('From')}
        value={search.from}
        onChange={(from) =>
          change(from ? { from, to: search.to ?? new Date().toISOString() } : noTimes)
        }
      />
      <DateTimeField
        size="xs"
        label={t('To')}
        value={search.to}
        onChange={(to) =>
          change(to ? { to, from: search.from ?? beginOf(search.range, to) } : noTimes)
        }
        error={
          search.from &&
          search.to &&
          search.from >= search.to &&
          t('It must be after the beginning.')
        }
      />
      <Select
        size="xs"
        label={t('Each point stands for')}
        placeholder={t('Fitting the range')}
        clearable
        data={Object.entries(stepNames).map(([value, label]) => ({ value, label }))}
        value={search.step ?? null}
        onChange={(step) => change({ step: (step ?? undefined) as typeof search.step })}
      />
      <Select
        size="xs"
        label={t('Lines of many devices')}
        allowDeselect={false}
        data={[
          { value: 'auto', label: t('Up to eight, else the average') },
          { value: 'lines', label: t('One for each device') },
          { value: 'average', label: t('The average') },
        ]}
        value={search.show ?? 'auto'}
        onChange={(show) =>
          change({ show: show === 'auto' ? undefined : (show as typeof search.show) })
        }
      />
      <Switch
        label={t('Compare with the period before')}
        checked={search.compare === 'yes'}
        onChange={({ currentTarget }) =>
          change({ compare: currentTarget.checked ? 'yes' : undefined })
        }
      />
    </Group>
  )
}

interface ExploredChartProps {
  widget: Widget
  look: Look
  isCompared: boolean
  onZoom: NonNullable<Parameters<typeof ChartView>[0]['onZoom']>
}

function ExploredChart({ widget, look, isCompared, onZoom }: ExploredChartProps) {
  const { data, error, refetch } = useWidgetData(widget, look)
  const before = useWidgetData(widget, isCompared && data ? periodBefore(data) : look)
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height="28rem" role="status" aria-label={t('Loading the chart')} />
  if (data.error) {
    return (
      <Notice kind="off" title={t('Nothing to show')}>
        {data.error}
      </Notice>
    )
  }
  // Until it is read, the data of another period stand in for it.
  const previous = isCompared && !before.isPlaceholderData ? before.data?.series : undefined
  return (
    <Card aria-label={t('Chart')} role="region">
      {isCompared && before.error && (
        <ErrorNotice error={before.error} retry={() => void before.refetch()} />
      )}
      <div className={classes.chart} style={{ height: heightOf(data, previous) }}>
        <ChartView
          widget={widget}
          data={{ ...data, ...(previous && { previous }) }}
          title={titleOf(widget, data)}
          onZoom={onZoom}
        />
      </div>
    </Card>
  )
}

/** Each chart has room for its lines and for their names. */
function heightOf({ series = [] }: WidgetData, previous: WidgetData['series'] = []): string {
  const charts = new Set(series.map(({ unit }) => unit)).size
  return `${20 * Math.max(1, charts) + 1.4 * (series.length + previous.length)}rem`
}

const minute = 60_000

/** As long as what is shown, and directly before it. */
function periodBefore(data: Parameters<typeof rangeOfData>[0]): Look {
  const { from, to } = rangeOfData(data)
  const end = Math.floor(from / minute) * minute
  const write = (time: number) => new Date(time).toISOString()
  return { range: { from: write(end - (to - from)), to: write(end) }, variable: null }
}
