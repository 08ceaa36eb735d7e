import type { Source } from '../../../sources/source-fields.tsx'
import type { Widget } from '../dashboard.ts'

/** What an address says of the chart. */

export const mostLines = 8

/** The sources in an address; none where it cannot be read. What they may have, the service checks. */
export function sourcesOf(text: string | undefined): Source[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    const all = Array.isArray(read) ? read.slice(0, mostLines) : []
    return all.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  } catch {
    return []
  }
}

export function writeSources(sources: readonly Source[]): string | undefined {
  return sources.length === 0 ? undefined : JSON.stringify(sources)
}

/** The same as a widget, which can be pinned. */
export function widgetOf(
  [first = {}, ...more]: readonly Source[],
  { step, show }: NonNullable<Widget['options']>,
): Widget {
  return {
    type: 'chart',
    ...{ x: 0, y: 0, w: 12, h: 6 },
    source: { ...first, ...(more.length > 0 && { more }) },
    options: { ...(step && { step }), ...(show && { show }) },
  }
}
