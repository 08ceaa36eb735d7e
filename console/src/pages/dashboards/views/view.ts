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

/** The link that it is shown by: there are no pages to go to, and nothing to be done. */
export interface SharedBy {
  token: string
  /** In place of its password. */
  pass: string | undefined
  /** The place of the dashboard among those of the link. */
  index: number
}

export const SharedContext = createContext<SharedBy | undefined>(undefined)

export function useShared(): SharedBy | undefined {
  return useContext(SharedContext)
}
