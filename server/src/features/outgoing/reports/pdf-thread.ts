import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import type { Content, StyleDictionary, TFontDictionary } from 'pdfmake/interfaces.js'
import type { Language } from '../../../lora/languages.ts'
import { wideFonts, withTypefaces } from './typefaces.ts'

/* The thread of `report-pdf.ts`. Nothing is read but typefaces. */

/** What the thread is given: only what can be copied. */
export interface PdfContent {
  title: string
  language: Language
  /** `{page}` and `{pages}` are filled in. */
  pages: string
  footer: string
  content: Content[]
}

const grey = '#5c6770'
const roboto: TFontDictionary = createRequire(import.meta.url)('pdfmake/fonts/Roboto.js')
const fonts = { ...roboto, ...wideFonts }
const files = new Set(Object.values(fonts).flatMap((font) => Object.values(font)))

pdfmake.setFonts(fonts)
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => files.has(path))

parentPort?.once('message', async (content: PdfContent) => {
  parentPort?.postMessage(await layOut(content))
})

function layOut({
  title,
  language,
  footer,
  pages: numbering,
  content,
}: PdfContent): Promise<Uint8Array> {
  const styles = {
    title: { fontSize: 18, bold: true },
    subtitle: { color: grey, margin: [0, 2, 0, 12] },
    heading: { fontSize: 12, bold: true, margin: [0, 12, 0, 4] },
    head: { bold: true },
    small: { fontSize: 7, color: grey },
  } satisfies StyleDictionary
  const pdf = pdfmake.createPdf({
    info: { title },
    language,
    pageSize: 'A4',
    pageMargins: [40, 48, 40, 48],
    defaultStyle: { fontSize: 9 },
    styles,
    footer: (page, pages) =>
      withTypefaces(
        {
          columns: [
            footer,
            {
              text: numbering.replace('{page}', String(page)).replace('{pages}', String(pages)),
              alignment: 'right',
            },
          ],
          margin: [40, 12, 40, 0],
          fontSize: 7,
        },
        language,
      ),
    content: withTypefaces(content, language),
  })
  return pdf.getBuffer()
}
