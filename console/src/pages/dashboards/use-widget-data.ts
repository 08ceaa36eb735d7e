import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useFormats } from '../../ui/formats.ts'
import { useTimeZone } from '../../ui/time-zone.ts'
import {
  isStill,
  type RangeWord,
  type Variable,
  type Widget,
  type WidgetData,
} from './dashboard.ts'

/** What all widgets of a dashboard show: the same range, and the same choice. */
export interface Look {
  /** Up to now; or from and to, ISO 8601. */
  range: RangeWord | { from: string; to: string }
  variable: Variable | null
}

interface Context extends Look {
  time_zone: string
  week_start: 'monday' | 'sunday' | 'saturday'
}

/** Without an event, so often: ranges go on, and silence begins. */
const renewInterval = 60_000
/** Widgets of one request: a slow one keeps few others waiting. */
const mostTogether = 6

interface Waiting {
  widget: Widget
  /** What is shown now. */
  known: WidgetData | undefined
  resolve: (data: WidgetData) => void
  reject: (error: unknown) => void
}

const waiting = new Map<string, Waiting[]>()

/** Reads a widget together with others that are asked for at the same time. */
function readTogether(
  widget: Widget,
  known: WidgetData | undefined,
  context: Context,
): Promise<WidgetData> {
  const key = JSON.stringify(context)
  return new Promise((resolve, reject) => {
    const others = waiting.get(key)
    if (others) {
      others.push({ widget, known, resolve, reject })
      return
    }
    const all = [{ widget, known, resolve, reject }]
    waiting.set(key, all)
    setTimeout(() => {
      waiting.delete(key)
      for (let first = 0; first < all.length; first += mostTogether) {
        void send(all.slice(first, first + mostTogether), context)
      }
    })
  })
}

async function send(some: readonly Waiting[], { range, ...context }: Context): Promise<void> {
  const widgets = some.map(({ widget }) => widget)
  try {
    const versions = versionsOf(some.map(({ known }) => known))
    const body = { ...context, ...timesOf(range), widgets, versions }
    const { data } = await call('POST /dashboards/data', { body })
    for (const [place, { known, resolve, reject }] of some.entries()) {
      const own = withKnown(data[place], known)
      if (own) resolve(own)
      else reject(new Error(t('The service did not answer for this widget.')))
    }
  } catch (error) {
    for (const { reject } of some) reject(error)
  }
}

/** What is known of each widget: the service does not repeat it. */
export function versionsOf(known: readonly (WidgetData | undefined)[]): (string | null)[] {
  return known.map((data) => data?.version ?? null)
}

export function withKnown(answer: WidgetData | undefined, known: WidgetData | undefined) {
  return answer?.unchanged ? known : answer
}

/** What ends now is shared by all who look at it. */
function timesOf(range: Look['range']) {
  return typeof range === 'string' ? { range } : range
}

/** What a widget shows. Its place and its title do not matter, so moving it reads nothing. */
export function useWidgetData({ type, source, options = {} }: Widget, look: Look) {
  const time_zone = useTimeZone()
  const { week_start } = useFormats()
  const widget = { type, x: 0, y: 0, w: 1, h: 1, source, options }
  const context = { ...look, time_zone, week_start }
  // The stream of events renews it by the name of the operation (`live/refresh.ts`).
  const queryKey = ['POST /dashboards/data', widget, context]
  return useQuery({
    queryKey,
    queryFn: () => readTogether(widget, queryClient.getQueryData(queryKey), context),
    placeholderData: keepPreviousData,
    refetchInterval: renewInterval,
    staleTime: 5000,
    enabled: !isStill(type),
  })
}
