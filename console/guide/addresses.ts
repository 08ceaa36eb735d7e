import { existsSync } from 'node:fs'
import { posix } from 'node:path'

/** The Markdown with which the guide begins, and whose lists of links are its navigation. */
export const indexPage = 'docs/README.md'

/** Where a link of a page leads to, as paths from the root of the repository. */
export interface Target {
  /** The file in the repository; undefined for another site. */
  file?: string
  /** The `id` of a heading there. */
  heading?: string
}

/** What a link in `page` (such as `docs/webhooks.md`) names. A folder stands for its README.md. */
export function findTarget(root: string, page: string, href: string): Target {
  if (/^[a-z]+:/i.test(href)) return {}
  const [path = '', heading] = href.split('#')
  const named = path === '' ? page : posix.join(posix.dirname(page), path).replace(/\/$/, '')
  const readme = `${named}/README.md`
  const file = existsSync(posix.join(root, readme)) ? readme : named
  return { file, ...(heading ? { heading } : {}) }
}

/**
 * Where a file of the repository is in the guide: Markdown as a page, pictures of the documentation
 * beside them, and other files as text, which browsers show.
 */
export function addressOf(file: string): string {
  const isDocumentation = file.startsWith('docs/')
  const path = isDocumentation ? file.slice('docs/'.length) : `project/${file}`
  if (path.endsWith('.md')) return `${path.replace(/README\.md$/, 'index.md').slice(0, -3)}.html`
  return isDocumentation && /\.(png|svg)$/.test(path) ? path : `${path}.txt`
}

/** The way from one page of the guide to another file of it. */
export function linkFrom(fromAddress: string, toAddress: string): string {
  return posix.relative(posix.dirname(fromAddress), toAddress)
}
