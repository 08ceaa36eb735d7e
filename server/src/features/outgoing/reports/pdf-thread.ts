import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import type { Content, TFontDictionary } from 'pdfmake/interfaces.js'

/* The thread of `report-pdf.ts`. Nothing is read but the typeface: Latin, Greek and Cyrillic letters. */

/** What the thread is given: only what can be copied. */
export interface PdfContent {
  title: string
  footer: string
  content: Content[]
}

const fonts: TFontDictionary = createRequire(import.meta.url)('pdfmake/fonts/Roboto.js')
const files = new Set(Object.values(fonts).flatMap((font) => Object.values(font)))

pdfmake.setFonts(fonts)
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => files.has(path))

const { title, footer, content } = workerData as PdfContent
const bytes = await pdfmake
  .createPdf({
    info: { title },
    pageSize: 'A4',
    pageMargins: [40, 48, 40, 48],
    defaultStyle: { fontSize: 9 },
    styles: {
      title: { fontSize: 18, bold: true },
      subtitle: { color: '#5c6770', margin: [0, 2, 0, 12] },
      heading: { fontSize: 12, bold: true, margin: [0, 12, 0, 4] },
      head: { bold: true },
      small: { fontSize: 7, color: '#5c6770' },
    },
    footer: (page, pages) => ({
      columns: [footer, { text: `${page} of ${pages}`, alignment: 'right' }],
      margin: [40, 12, 40, 0],
      fontSize: 7,
    }),
    content,
  })
  .getBuffer()
parentPort?.postMessage(bytes)
