import type { MetricHead, MetricRow } from './metric-queries.ts'

/**
 * Prometheus' text format 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The metrics with their rows, which are in the same order, as Prometheus reads them. */
export function formatMetrics(
  metrics: readonly MetricHead[],
  rows: readonly (readonly MetricRow[])[],
): string {
  const lines = metrics.flatMap(({ name, help, type }, at) => {
    const samples = (rows[at] ?? []).map((row) => formatSample(name, row))
    return [
      `# HELP ${name} ${escapeText(help)}`,
      `# TYPE ${name} ${type}`,
      // The buckets of a histogram have an order of their own.
      ...(type === 'histogram' ? samples : samples.sort()),
    ]
  })
  return `${lines.join('\n')}\n`
}

function formatSample(metric: string, { value, part, ...labels }: MetricRow): string {
  const name = part === undefined ? metric : `${metric}_${part}`
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escapeText(String(text)).replaceAll('"', '\\"')}"`,
  )
  return pairs.length > 0 ? `${name}{${pairs.join()}} ${value}` : `${name} ${value}`
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
