/** A line of the result: the measured value, its baseline, and whether the target is reached. */
export interface Figure {
  name: string
  ours: string
  baseline: string
  /** One for each round. */
  ratios: number[]
  /** For instance `at least 0.4`; undefined for figures without a target. */
  target?: { word: 'at least' | 'at most'; value: number; unit?: string } | undefined
  /** How busy the processes were, latencies, counts. */
  notes: string
}

/** A statement that must hold on every machine, such as: all acknowledged uplinks are stored. */
export interface Proof {
  claim: string
  isTrue: boolean
  details: string
}

export interface Result {
  figures: Figure[]
  proofs: Proof[]
  /** Measures that this machine cannot make, with the reason. */
  skipped?: string[]
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

export function isReached(figure: Figure): boolean | undefined {
  if (!figure.target) return undefined
  const ratio = median(figure.ratios)
  return figure.target.word === 'at least'
    ? ratio >= figure.target.value
    : ratio <= figure.target.value
}

/** How many answers have each status: `1200 (429) + 3 (503)`; undefined where there are none. */
export function tellStatuses(
  statuses: Iterable<readonly [number | string, number]>,
): string | undefined {
  return [...statuses].map(([status, count]) => `${count} (${status})`).join(' + ') || undefined
}

/** `12,345`, `45.1`, `0.483`: three digits, or all digits before the point. */
export function format(value: number): string {
  const fraction = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', {
    minimumFractionDigits: fraction,
    maximumFractionDigits: fraction,
  })
}

/** The figures as a Markdown table, and the proofs as a list. */
export function renderResult({ figures, proofs, skipped = [] }: Result): string {
  const rows = figures.map((figure) => {
    const { ratios, target } = figure
    const spread = `${format(Math.min(...ratios))} to ${format(Math.max(...ratios))}`
    const unit = target?.unit ?? ''
    const wanted = target ? `${target.word} ${target.value}${unit}` : ''
    const reached = { true: 'yes', false: '**no**', undefined: '' }[String(isReached(figure))]
    const cells = [figure.name, figure.ours, figure.baseline]
    return [...cells, `${format(median(ratios))}${unit}`, spread, wanted, reached, figure.notes]
  })
  const head = ['measure', 'service', 'baseline', 'ratio', 'spread', 'target', 'reached', 'notes']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const left = skipped.map((text) => `- skipped: ${text}`)
  return [...lines, '', renderProofs(proofs), ...left].join('\n')
}

export function renderProofs(proofs: readonly Proof[]): string {
  return proofs
    .map(
      ({ claim, isTrue, details }) => `- ${isTrue ? 'holds' : '**FAILS**'}: ${claim} (${details})`,
    )
    .join('\n')
}
