import { addressOf } from './addresses.ts'
import type { GuidePage } from './render-page.ts'

/** A section of a page: where it is, the title of the page, its heading, and its words. */
export type SearchEntry = [address: string, page: string, heading: string, text: string]

/** Lists of the tests: nobody looks for something in them, and they would be half of the index. */
const isLeftOut = /conformance\.md$|CHANGELOG\.md$/

/** What the search of the guide looks through, in the browser. */
export function makeSearchIndex(pages: Iterable<GuidePage>): SearchEntry[] {
  return [...pages]
    .filter(({ file }) => !isLeftOut.test(file))
    .flatMap(({ file, title, headings }) =>
      headings.map(({ level, id, text, content }): SearchEntry => {
        const address = addressOf(file)
        return [level === 1 ? address : `${address}#${id}`, title, text, content]
      }),
    )
}
