import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { indexPage } from './addresses.ts'
import { type GuidePage, renderPage } from './render-page.ts'

export interface Guide {
  /** By file, in the order in which links lead to them. */
  pages: ReadonlyMap<string, GuidePage>
  /** Files that are no Markdown and that pages link to or show. */
  files: ReadonlySet<string>
  /** The broken links, in words. */
  faults: readonly string[]
}

/**
 * Follows the links from the index over all pages. They should lead to what is there, and to every
 * page in `docs`.
 */
export function collectPages(root: string, first = indexPage): Guide {
  const pages = new Map<string, GuidePage>()
  const files = new Set<string>()
  const faults: string[] = []
  const waiting = [first]
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (pages.has(file)) continue
    const page = renderPage(root, file, readFileSync(join(root, file), 'utf8'))
    pages.set(file, page)
    for (const link of page.links) {
      if (link.file === undefined) continue
      if (!isFile(root, link.file)) faults.push(`${file}: no file ${link.href}`)
      else if (link.file.endsWith('.md')) waiting.push(link.file)
      else files.add(link.file)
    }
  }
  faults.push(...findLostHeadings(pages), ...findLostPages(root, pages))
  return { pages, files, faults }
}

function isFile(root: string, file: string): boolean {
  const found = statSync(join(root, file), { throwIfNoEntry: false })
  return !file.startsWith('..') && found?.isFile() === true
}

function findLostHeadings(pages: ReadonlyMap<string, GuidePage>): string[] {
  const links = [...pages.values()].flatMap(({ file: from, links }) =>
    links.map((link) => ({ from, ...link })),
  )
  return links
    .filter(({ file, heading }) => {
      const page = file === undefined ? undefined : pages.get(file)
      return heading !== undefined && page?.headings.every(({ id }) => id !== heading)
    })
    .map(({ from, href }) => `${from}: no heading ${href}`)
}

function findLostPages(root: string, pages: ReadonlyMap<string, GuidePage>): string[] {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !pages.has(file))
    .map((file) => `${file}: no page links to it`)
}
