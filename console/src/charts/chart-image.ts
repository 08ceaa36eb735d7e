import uPlot from 'uplot'
import { t } from '../languages/text.ts'
import { anyMode, fonts } from '../ui/tokens.ts'
import classes from './chart.module.css'
import { type ChartData, silencesOf, type TimeRange } from './chart-data.ts'
import { type ChartLook, type Colours, coloursOf, makeOptions, toColumns } from './chart-options.ts'
import { dashes } from './series-styles.ts'

interface ChartPicture {
  title: string
  /** The unit and the range, in words. */
  subtitle: string
  data: ChartData
  look: ChartLook
  range: TimeRange | undefined
}

const width = 1200
const height = 480
const margin = 24
const row = 22

/** The chart as a PNG for documents: in light colours, with its title, range and legend. */
export async function chartImage(picture: ChartPicture): Promise<Blob> {
  const { data, range } = picture
  const look = { ...picture.look, height }
  const place = document.createElement('div')
  place.className = classes.paper ?? ''
  document.body.append(place)
  try {
    const colours = coloursOf('light', anyMode.paper)
    const listening = {
      range: () => range,
      silences: () => silencesOf(data, look.width, range),
      onCursor: () => undefined,
      onSelect: () => undefined,
    }
    const options = makeOptions(look, colours, listening, { width, height })
    const plot = new uPlot(options, toColumns(data, look), place)
    // It draws at the end of this turn.
    await new Promise((resolve) => setTimeout(resolve))
    const canvas = compose(picture, plot, colours)
    plot.destroy()
    return await toPng(canvas)
  } finally {
    place.remove()
  }
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t('The picture is empty.'))))),
  )
}

/** The title, the subtitle and the legend above what uPlot drew. */
function compose(
  { title, subtitle, data, look }: ChartPicture,
  plot: uPlot,
  colours: Colours,
): HTMLCanvasElement {
  const ratio = uPlot.pxRatio
  const canvas = document.createElement('canvas')
  const ctx = canvas.getContext('2d')
  if (!ctx) throw new Error(t('The browser draws no pictures.'))
  const names = data.series.length === 1 ? [] : data.series.map(({ name }) => name)
  const top = 72 + legendRows(ctx, names) * row
  canvas.width = (width + 2 * margin) * ratio
  canvas.height = (top + height + margin) * ratio
  ctx.scale(ratio, ratio)
  ctx.fillStyle = anyMode.paper
  ctx.fillRect(0, 0, width + 2 * margin, top + height + margin)
  ctx.textBaseline = 'middle'
  ctx.fillStyle = anyMode.ink
  ctx.font = `600 20px ${fonts.sans}`
  ctx.fillText(title, margin, 28, width)
  ctx.font = `14px ${fonts.sans}`
  ctx.fillStyle = colours.text
  ctx.fillText(subtitle, margin, 54, width)
  drawLegend(ctx, names, { colours, isBars: look.kind === 'bars' })
  ctx.drawImage(plot.ctx.canvas, margin, top, width, height)
  return canvas
}

const legendFont = `14px ${fonts.sans}`

/** Where each name of the legend stands; names that find no room begin the next row. */
function placesOf(ctx: CanvasRenderingContext2D, names: readonly string[]) {
  ctx.font = legendFont
  let [x, line] = [margin, 0]
  return names.map((name) => {
    const length = 62 + ctx.measureText(name).width
    if (x > margin && x + length > width + margin) {
      x = margin
      line += 1
    }
    const place = { name, x, y: 82 + line * row }
    x += length
    return place
  })
}

function legendRows(ctx: CanvasRenderingContext2D, names: readonly string[]): number {
  const last = placesOf(ctx, names).at(-1)
  return last ? (last.y - 82) / row + 1 : 0
}

function drawLegend(
  ctx: CanvasRenderingContext2D,
  names: readonly string[],
  { colours, isBars }: { colours: Colours; isBars: boolean },
): void {
  for (const [index, { name, x, y }] of placesOf(ctx, names).entries()) {
    ctx.save()
    ctx.strokeStyle = colours.series[index % colours.series.length] ?? ''
    ctx.lineWidth = isBars ? 10 : 2.5
    ctx.setLineDash(isBars ? [] : (dashes[index % dashes.length] ?? []))
    ctx.beginPath()
    ctx.moveTo(x, y)
    ctx.lineTo(x + 36, y)
    ctx.stroke()
    ctx.restore()
    ctx.fillStyle = anyMode.ink
    ctx.fillText(name, x + 42, y)
  }
}
