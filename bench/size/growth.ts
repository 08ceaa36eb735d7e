import { format } from '../figures.ts'
import type { WorkCost } from './long-work.ts'
import type { SizedCost } from './time-sized.ts'

export interface Size {
  uplinks: number
  devices: number
}

/** What was measured at one size, by the name of the request. */
export interface SizedResult {
  size: Size
  costs: Map<string, SizedCost>
  ingest: SizedIngest
  /** Uplinks beside long work, by its name. */
  longWork: Map<string, WorkCost>
}

export interface SizedIngest {
  perSecond: number
  /** Of one uplink. */
  pages: number
  walBytes: number
}

/**
 * The growth for each factor of ten that still counts as that of an index's depth, which is the
 * logarithm of its size: from 10^4 to 10^8 that doubles, which is 1.19 for each factor of ten.
 */
const mostPages = 1.25
/** Times vary with what else the machine does. */
const mostTime = 1.5
/** Below these, a growth is noise. */
const leastPages = 20
const leastTime = 2

/** Growth for each factor of ten between two sizes. */
function growth(before: number, after: number, decades: number): number {
  return before === 0 ? 1 : (after / before) ** (1 / decades)
}

/** What more reading costs by its nature is taken off. */
function excess(before: number, after: number, reads: number): number {
  return reads <= 1 ? after : Math.max(Math.min(before, after), after / reads)
}

function decadesOf(one: Size, other: Size): number {
  return Math.max(
    Math.log10(other.uplinks / one.uplinks),
    Math.log10(other.devices / one.devices),
    0.1,
  )
}

/** A table in Markdown: a line for each request, a column for each size, growth and verdict. */
export function renderGrowth(results: readonly SizedResult[]): string {
  const [first] = results
  const names = [...(first?.costs.keys() ?? [])]
  const head = [
    'request',
    ...results.map(({ size }) => nameOf(size)),
    ...results.slice(1).map(({ size }) => `growth to ${nameOf(size)}`),
    'verdict',
  ]
  const growing: string[] = []
  const rows = names.map((name) => {
    const costs = results.flatMap(({ costs }) => costs.get(name) ?? [])
    const steps = costs.slice(1).map((cost, place) => compare(results, costs, place, cost))
    const verdict = steps.map((step) => step.verdict).filter((word) => word !== '')
    if (verdict.includes('**grows**')) growing.push(`- ${name}: ${costs.at(-1)?.statement}`)
    const text = [...new Set(verdict)].join(', ') || 'flat'
    return [name, ...costs.map(costText), ...steps.map((step) => step.text), text]
  })
  const lines = [head, head.map(() => '---'), ...rows, ingestRow(results)]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`)
  return [...table, '', ...(growing.length > 0 ? ['What grows:', '', ...growing] : [])].join('\n')
}

/** A table in Markdown: a line for each kind of long work, a column for each size. */
export function renderLongWork(results: readonly SizedResult[], rate: number): string {
  const names = [...(results[0]?.longWork.keys() ?? [])]
  const head = [`${rate} uplinks/s while`, ...results.map(({ size }) => nameOf(size))]
  const rows = names.map((name) => [
    name,
    ...results.map(({ longWork }) => workText(longWork.get(name))),
  ])
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function workText(cost: WorkCost | undefined): string {
  if (!cost) return ''
  const { p50, p99, longest, refused } = cost.sent
  const times = `p50 ${format(p50)} ms, p99 ${format(p99)} ms, longest ${format(longest)} ms`
  const refusals = refused > 0 ? `, ${refused} refused` : ''
  return times + refusals + (cost.note && `; ${cost.note}`)
}

export function nameOf({ uplinks, devices }: Size): string {
  const count = (number: number) => number.toLocaleString('en-US')
  return `${count(uplinks)} uplinks, ${count(devices)} devices`
}

function costText({ milliseconds, firstBytes, pages }: SizedCost): string {
  const first = firstBytes === undefined ? '' : `${format(firstBytes)} ms to `
  return `${first}${format(milliseconds)} ms, ${Math.round(pages).toLocaleString('en-US')} pages`
}

function compare(
  results: readonly SizedResult[],
  costs: readonly SizedCost[],
  place: number,
  after: SizedCost,
): { text: string; verdict: string } {
  const [one, other] = [results[place], results[place + 1]]
  const before = costs[place]
  if (!one || !other || !before) return { text: '', verdict: '' }
  const decades = decadesOf(one.size, other.size)
  const reads = after.reads / before.reads
  const afterPages = excess(before.pages, after.pages, reads)
  const afterTime = excess(before.milliseconds, after.milliseconds, reads)
  const time = growth(before.milliseconds, afterTime, decades)
  const pages = growth(before.pages, afterPages, decades)
  const doesGrow = pages > mostPages && afterPages - before.pages > leastPages
  const isSlower = time > mostTime && afterTime - before.milliseconds > leastTime
  return {
    text: `${format(time)} time, ${format(pages)} pages`,
    verdict: doesGrow ? '**grows**' : isSlower ? '**slower**' : '',
  }
}

function ingestRow(results: readonly SizedResult[]): string[] {
  const steps = results.slice(1).map(({ size, ingest }, place) => {
    const before = results[place] as SizedResult
    const decades = decadesOf(before.size, size)
    const pages = growth(before.ingest.pages, ingest.pages, decades)
    const rate = growth(before.ingest.perSecond, ingest.perSecond, decades)
    return { text: `${format(rate)} rate, ${format(pages)} pages`, doesGrow: pages > mostPages }
  })
  const cells = results.map(
    ({ ingest: { perSecond, pages, walBytes } }) =>
      `${format(perSecond)}/s, ${format(pages)} pages, ${format(walBytes)} bytes of WAL`,
  )
  const verdict = steps.some(({ doesGrow }) => doesGrow) ? '**grows**' : 'flat'
  return ['ingest, an uplink', ...cells, ...steps.map(({ text }) => text), verdict]
}
