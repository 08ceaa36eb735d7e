import { createContext, useContext } from 'react'
import type { TimeRange } from '../../../charts/chart-data.ts'
import type { Widget, WidgetData } from '../dashboard.ts'

export interface ViewProps {
  widget: Widget
  data: WidgetData
  title: string
  /** Shows all widgets of the dashboard in this range; undefined: in the usual one. */
  onZoom?: (range: TimeRange | undefined) => void
}

/** Whether it is shown by a link: there are no pages to go to, and nothing to be done. */
export const SharedContext = createContext(false)

export function useIsShared(): boolean {
  return useContext(SharedContext)
}
