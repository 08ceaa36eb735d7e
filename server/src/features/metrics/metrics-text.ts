import type { Metric, MetricRow } from './metric-queries.ts'

/**
 * Prometheus' text format 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** The metrics with their rows, which are in the same order, as Prometheus reads them. */
export function formatMetrics(
  metrics: readonly Omit<Metric, 'sql'>[],
  rows: readonly (readonly MetricRow[])[],
): string {
  const lines = metrics.flatMap(({ name, help, type }, at) => [
    `# HELP ${name} ${escapeText(help)}`,
    `# TYPE ${name} ${type}`,
    ...(rows[at] ?? []).map((row) => formatSample(name, row)).sort(),
  ])
  return `${lines.join('\n')}\n`
}

function formatSample(name: string, { value, ...labels }: MetricRow): string {
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escapeText(String(text)).replaceAll('"', '\\"')}"`,
  )
  return pairs.length > 0 ? `${name}{${pairs.join()}} ${value}` : `${name} ${value}`
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
