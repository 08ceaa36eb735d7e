import { Skeleton } from '@mantine/core'
import { Component, lazy, type ReactNode, Suspense } from 'react'
import type { TimeRange } from '../../charts/chart-data.ts'
import { t } from '../../languages/text.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { messageOf } from '../../ui/notices.tsx'
import { isStill, titleOf, type Widget, type WidgetData, type WidgetType } from './dashboard.ts'
import { type Look, useWidgetData } from './use-widget-data.ts'
import { BarsView, ChartView } from './views/chart-view.tsx'
import {
  AlertsView,
  BatteryView,
  CountsView,
  StatesView,
  TableView,
} from './views/device-views.tsx'
import { HeatmapView } from './views/heatmap-view.tsx'
import { GaugeView, RankingView, TilesView } from './views/many-views.tsx'
import { ValueView } from './views/value-view.tsx'
import type { ViewProps } from './views/view.ts'
import classes from './widget.module.css'

const MapWidget = lazy(() => import('./views/map-view.tsx'))
const PlanWidget = lazy(() => import('./views/plan-widget.tsx'))
const DownlinkWidget = lazy(() => import('./views/downlink-widget.tsx'))
const Markdown = lazy(async () => ({ default: (await import('../../ui/markdown.tsx')).Markdown }))

type ReadType = Exclude<WidgetType, 'text' | 'picture'>

const views: Record<ReadType, (props: ViewProps) => ReactNode> = {
  value: ValueView,
  tiles: TilesView,
  chart: ChartView,
  table: TableView,
  bars: BarsView,
  states: StatesView,
  gauge: GaugeView,
  ranking: RankingView,
  alerts: AlertsView,
  battery: BatteryView,
  counts: CountsView,
  heatmap: HeatmapView,
  map: (props) => <MapWidget {...props} />,
  plan: (props) => <PlanWidget {...props} />,
  downlink: (props) => <DownlinkWidget {...props} />,
}

/** Their pictures have a title of their own. */
const titled: readonly WidgetType[] = ['chart', 'bars']

interface Parts {
  widget: Widget
  /** Without it, charts zoom by themselves. */
  onZoom?: (range: TimeRange | undefined) => void
  /** Buttons, while the dashboard is changed. */
  tools?: ReactNode
  /** At its lower right, to change its size. */
  corner?: ReactNode
}

/** A widget that reads what it shows. */
export function WidgetView({ look, ...parts }: Parts & { look: Look }) {
  const { data, error, refetch } = useWidgetData(parts.widget, look)
  return <WidgetCard {...parts} data={data} error={error} retry={() => void refetch()} />
}

interface WidgetCardProps extends Parts {
  data: WidgetData | undefined
  error: unknown
  retry: () => void
}

/** A widget in any state: read, refused, empty, or with what it shows. */
export function WidgetCard(props: WidgetCardProps) {
  const { widget, data, tools, corner } = props
  const title = titleOf(widget, data)
  const { image: _, ...optionsBesideImage } = widget.options ?? {}
  const hasOwnTitle = data && !data.error && titled.includes(widget.type)
  const isBare = isStill(widget.type) || widget.type === 'downlink'
  const hasHead = !hasOwnTitle && (!isBare || (isStill(widget.type) && Boolean(widget.title)))
  return (
    <Card component="section" aria-label={title}>
      <div className={classes.inner}>
        {(tools || hasHead) && (
          <div className={classes.head}>
            {hasHead && <h2 className={classes.title}>{title}</h2>}
            {tools && <div className={classes.tools}>{tools}</div>}
          </div>
        )}
        <div
          className={classes.body}
          data-chart={hasOwnTitle || undefined}
          inert={tools !== undefined}
        >
          <Fence key={JSON.stringify([widget.type, optionsBesideImage])}>
            {isStill(widget.type) ? (
              <StillView widget={widget} />
            ) : (
              <Shown {...props} title={title} />
            )}
          </Fence>
        </div>
        {corner}
      </div>
    </Card>
  )
}

function StillView({ widget: { type, title, options = {} } }: { widget: Widget }) {
  if (type === 'picture') {
    return <img className={classes.picture} src={options.image} alt={title ?? t('Picture')} />
  }
  return (
    <Suspense fallback={<Skeleton height="100%" />}>
      <Markdown text={options.text ?? ''} isPart />
    </Suspense>
  )
}

function Shown(props: WidgetCardProps & { title: string }) {
  const { widget, data, error, title, onZoom, retry } = props
  // What was read before stays in sight while the service does not answer.
  if (!data && error) {
    return (
      <Notice kind="bad" title={t('This could not be read')}>
        {messageOf(error)}{' '}
        <button type="button" className={classes.retry} onClick={retry}>
          {t('Try again')}
        </button>
      </Notice>
    )
  }
  if (!data)
    return <Skeleton height="100%" role="status" aria-label={t('Loading {title}', { title })} />
  if (data.error) {
    return (
      <Notice kind="off" title={t('Nothing to show')}>
        {data.error}
      </Notice>
    )
  }
  const View = views[widget.type as ReadType]
  return (
    <Suspense fallback={<Skeleton height="100%" />}>
      <View widget={widget} data={data} title={title} {...(onZoom && { onZoom })} />
    </Suspense>
  )
}

/** The fault of one widget stays its own. */
class Fence extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <Notice kind="bad" title={t('This widget failed')}>
        {messageOf(this.state.error)}
      </Notice>
    )
  }
}
