import { Worker } from 'node:worker_threads'
import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { Formats } from '../../../lora/formats.ts'
import { writeMeasured } from '../../../lora/units.ts'
import { sayIn } from '../../../texts/texts.ts'
import type { PdfContent } from './pdf-thread.ts'
import type { Row, Table } from './report-data.ts'

/** A report as PDF: it is laid out on a thread, so that a large one keeps no request waiting. */

export interface ReportTitle {
  name: string
  organization: string
  range: string
  timeZone: string
}

const patience = 60_000
const memoryMegabytes = 256

/** @throws Error when it takes too long, or too much memory. */
export function writePdf(title: ReportTitle, parts: Content[], formats: Formats): Promise<Buffer> {
  const say = sayIn(formats)
  const content: PdfContent = {
    title: title.name,
    language: formats.language ?? 'en',
    pages: say('{page} of {pages}', { page: '{page}', pages: '{pages}' }),
    footer: `${title.organization} · ${title.name} · ${title.range}`,
    content: [
      { text: title.name, style: 'title' },
      { text: `${title.organization} · ${title.range} · ${title.timeZone}`, style: 'subtitle' },
      ...parts,
    ],
  }
  const worker = new Worker(new URL('./pdf-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  })
  worker.postMessage(content)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const timer = setTimeout(() => reject(new Error('The PDF took too long.')), patience)
  worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('The PDF was not written.')))
  return promise.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}

export function describeTables(tables: readonly Table[], formats: Formats): Content[] {
  if (tables.length === 0) return [sayIn(formats)('No device has such a measurement.')]
  return tables.flatMap((table) => describeTable(table, formats))
}

const trend = { width: 140, height: 22 }
/** Of the largest value; all others of its table have as many decimals. */
const digits = 3

function describeTable({ label, unit, rows }: Table, formats: Formats): Content[] {
  const largest = Math.max(
    ...rows.flatMap(({ min = 0, max = 0 }) => [Math.abs(min), Math.abs(max)]),
  )
  const decimals = Math.min(9, Math.max(0, digits - 1 - Math.floor(Math.log10(largest || 1))))
  const write = (value: number | undefined): TableCell =>
    value === undefined
      ? { text: '–', alignment: 'right' }
      : {
          text: writeMeasured(value, { unit, decimals }, formats),
          alignment: 'right',
        }
  const say = sayIn(formats)
  const heads = [say('Lowest'), say('Average'), say('Highest')].map((head) => ({
    text: head,
    alignment: 'right',
  }))
  const body = rows.map((row): TableCell[] => [
    { stack: [row.device, { text: row.eui, style: 'small' }] },
    ...[row.min, row.avg, row.max].map(write),
    drawTrend(row),
  ])
  const head = [say('Device'), ...heads, say('Trend')].map((cell) =>
    typeof cell === 'string' ? { text: cell, style: 'head' } : { ...cell, style: 'head' },
  )
  return [
    { text: label, style: 'heading' },
    {
      table: {
        headerRows: 1,
        dontBreakRows: true,
        widths: ['*', 62, 62, 62, trend.width],
        body: [head as TableCell[], ...body],
      },
      layout: 'lightHorizontalLines',
    },
  ]
}

/** The averages as a line, from the lowest to the highest. */
function drawTrend({ trend: points }: Row): TableCell {
  if (points.length < 2) return ''
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const height = ({ value }: { value: number }) =>
    high === low ? trend.height / 2 : trend.height * (1 - (value - low) / (high - low))
  const line = points.map((point) => ({ x: point.at * trend.width, y: height(point) }))
  return {
    canvas: [{ type: 'polyline', points: line, lineWidth: 1, lineColor: '#1c7ed6' }],
    margin: [0, 2, 0, 2],
  }
}
