import type { TimeRange } from '../../../charts/chart-data.ts'
import type { Widget, WidgetData } from '../dashboard.ts'

export interface ViewProps {
  widget: Widget
  data: WidgetData
  title: string
  /** Shows all widgets of the dashboard in this range; undefined: in the usual one. */
  onZoom: (range: TimeRange | undefined) => void
}
