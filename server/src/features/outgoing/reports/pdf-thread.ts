import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import type { Content, StyleDictionary, TFontDictionary } from 'pdfmake/interfaces.js'

/* The thread of `report-pdf.ts`. Nothing is read but the typeface: Latin, Greek and Cyrillic letters. */

/** What the thread is given: only what can be copied. */
export interface PdfContent {
  title: string
  footer: string
  content: Content[]
}

const grey = '#5c6770'
const fonts: TFontDictionary = createRequire(import.meta.url)('pdfmake/fonts/Roboto.js')
const files = new Set(Object.values(fonts).flatMap((font) => Object.values(font)))

pdfmake.setFonts(fonts)
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => files.has(path))

parentPort?.once('message', async (content: PdfContent) => {
  parentPort?.postMessage(await layOut(content))
})

function layOut({ title, footer, content }: PdfContent): Promise<Uint8Array> {
  const styles = {
    title: { fontSize: 18, bold: true },
    subtitle: { color: grey, margin: [0, 2, 0, 12] },
    heading: { fontSize: 12, bold: true, margin: [0, 12, 0, 4] },
    head: { bold: true },
    small: { fontSize: 7, color: grey },
  } satisfies StyleDictionary
  const pdf = pdfmake.createPdf({
    info: { title },
    pageSize: 'A4',
    pageMargins: [40, 48, 40, 48],
    defaultStyle: { fontSize: 9 },
    styles,
    footer: (page, pages) => ({
      columns: [footer, { text: `${page} of ${pages}`, alignment: 'right' }],
      margin: [40, 12, 40, 0],
      fontSize: 7,
    }),
    content,
  })
  return pdf.getBuffer()
}
