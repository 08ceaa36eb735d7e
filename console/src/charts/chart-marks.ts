import uPlot from 'uplot'
import { fonts } from '../ui/tokens.ts'
import type { ChartNote, TimeRange } from './chart-data.ts'
import type { Colours, Limit } from './chart-options.ts'

/** What is drawn on a chart besides its values. */

const labelHeight = 15

/**
 * Levels that matter, as dashed lines. Their labels have a ground of their own, so that no line goes
 * through them, and stand above their line, or below it where they would cover the one before.
 */
export function drawLimits(plot: uPlot, limits: readonly Limit[], colours: Colours): void {
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  const placed = limits
    .map(({ value, label }) => ({ label, y: Math.round(plot.valToPos(value, 'y', true)) }))
    .filter(({ y }) => y >= bbox.top && y <= bbox.top + bbox.height)
    .sort((one, other) => one.y - other.y)
  ctx.save()
  ctx.strokeStyle = colours.limit
  ctx.lineWidth = ratio
  ctx.setLineDash([6 * ratio, 4 * ratio])
  for (const { y } of placed) {
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.font = `${11 * ratio}px ${fonts.sans}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  const height = labelHeight * ratio
  let taken = bbox.top
  for (const { y, label } of placed) {
    const above = y - height - ratio
    const top = above >= taken ? above : Math.max(y + 2 * ratio, taken)
    const left = bbox.left + 4 * ratio
    ctx.fillStyle = colours.back
    ctx.fillRect(left, top, ctx.measureText(label).width + 6 * ratio, height)
    ctx.fillStyle = colours.limit
    ctx.fillText(label, left + 3 * ratio, top + height / 2)
    taken = top + height
  }
  ctx.restore()
}

const longestNote = 28
/** Texts of notes below each other; further ones are only lines. */
const noteRows = [0, 1, 2]

/** Notes as lines at their times, with their texts at the top where there is room. */
export function drawNotes(plot: uPlot, notes: readonly ChartNote[], colours: Colours): void {
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  const height = labelHeight * ratio
  const ends: number[] = []
  ctx.save()
  ctx.font = `${11 * ratio}px ${fonts.sans}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  for (const { time, text } of notes.toSorted((one, other) => one.time - other.time)) {
    const x = Math.round(plot.valToPos(time, 'x', true))
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.strokeStyle = colours.text
    ctx.lineWidth = ratio
    ctx.setLineDash([2 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const label = text.length > longestNote ? `${text.slice(0, longestNote - 1)}…` : text
    const width = ctx.measureText(label).width + 6 * ratio
    const left = Math.min(x, bbox.left + bbox.width - width)
    const row = noteRows.find((each) => (ends[each] ?? 0) <= left)
    if (row === undefined) continue
    const top = bbox.top + row * height
    ctx.fillStyle = colours.back
    ctx.fillRect(left, top, width, height)
    ctx.fillStyle = colours.text
    ctx.fillText(label, left + 3 * ratio, top + height / 2)
    ends[row] = left + width
  }
  ctx.restore()
}

/** Times from which nothing is known, hatched. */
export function drawSilences(plot: uPlot, silences: readonly TimeRange[], colours: Colours): void {
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  const step = 8 * ratio
  for (const { from, to } of silences) {
    const left = Math.max(bbox.left, plot.valToPos(from, 'x', true))
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to, 'x', true))
    if (right - left < 2 * ratio) continue
    ctx.save()
    ctx.beginPath()
    ctx.rect(left, bbox.top, right - left, bbox.height)
    ctx.clip()
    ctx.strokeStyle = colours.grid
    ctx.lineWidth = ratio
    ctx.beginPath()
    for (let x = left - bbox.height; x < right; x += step) {
      ctx.moveTo(x, bbox.top + bbox.height)
      ctx.lineTo(x + bbox.height, bbox.top)
    }
    ctx.stroke()
    ctx.restore()
  }
}

/** The unit of the values, above their axis. */
export function drawUnit(plot: uPlot, unit: string | null, colours: Colours): void {
  if (!unit) return
  const { ctx, bbox } = plot
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.font = `${12 * ratio}px ${fonts.sans}`
  ctx.fillStyle = colours.text
  ctx.textAlign = bbox.left > 40 * ratio ? 'right' : 'left'
  ctx.textBaseline = 'bottom'
  const x = ctx.textAlign === 'right' ? bbox.left - 8 * ratio : 0
  ctx.fillText(unit, x, bbox.top - 7 * ratio)
  ctx.restore()
}
