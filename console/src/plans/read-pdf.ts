import {
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  PasswordException,
  type PDFDocumentProxy,
} from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { t } from '../languages/text.ts'

GlobalWorkerOptions.workerSrc = workerUrl

/** Decoders of scans, and the fonts that a PDF need not bring along. */
const helpers = import.meta.glob<string>(
  [
    '../../../node_modules/pdfjs-dist/wasm/*.wasm',
    '../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '!**/quickjs-eval.wasm',
  ],
  { query: '?url', import: 'default', eager: true },
)

/** Gives the reader its helpers, whose addresses change with their content. */
class HelperFiles {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const [, address] =
      Object.entries(helpers).find(([path]) => path.endsWith(`/${filename}`)) ?? []
    const answer = address === undefined ? undefined : await fetch(address)
    if (!answer?.ok) throw new Error(`There is no ${filename}.`)
    return new Uint8Array(await answer.arrayBuffer())
  }
}

const mostBytes = 50 * 1024 * 1024
/** Of the longer side of a picture, in pixels: the first that is small enough is taken. */
const sides = [3200, 2400, 1600, 1000]
/** As the service takes them. */
const mostImageBytes = 3 * 1024 * 1024

export interface Pdf {
  pages: number
  /** A page as PNG, without notes and forms. */
  draw(page: number): Promise<Blob>
  close(): void
}

/** @throws Error with words for people. */
export async function openPdf(file: File): Promise<Pdf> {
  if (file.size > mostBytes) throw new Error(t('A PDF may have up to 50 MB.'))
  const task = getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    BinaryDataFactory: HelperFiles,
    // Only what draws a page is wanted; what is missing is left out.
    enableXfa: false,
    verbosity: 0,
  })
  const document = await task.promise.catch((error: unknown) => {
    throw new Error(
      error instanceof PasswordException
        ? t('The PDF has a password. Save it without one first.')
        : t('The PDF cannot be read. It may be damaged.'),
    )
  })
  return {
    pages: document.numPages,
    draw: (page) => draw(document, page),
    close: () => void task.destroy(),
  }
}

async function draw(document: PDFDocumentProxy, number: number): Promise<Blob> {
  const page = await document.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  for (const side of sides) {
    const viewport = page.getViewport({ scale: side / Math.max(width, height) })
    const canvas = window.document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(viewport.width))
    canvas.height = Math.max(1, Math.round(viewport.height))
    await page.render({ canvas, viewport, annotationMode: AnnotationMode.DISABLE }).promise
    const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (image && image.size <= mostImageBytes) return image
  }
  throw new Error(t('The page has too much in it. Save it as a picture of up to 3 MB.'))
}
