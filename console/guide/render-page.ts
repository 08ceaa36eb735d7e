import type { Element, ElementContent, Root } from 'hast'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { addressOf, findTarget, linkFrom, type Target } from './addresses.ts'

export interface Heading {
  /** 1 to 6. */
  level: number
  id: string
  text: string
  /** What stands below it, up to the next heading, without marks. */
  content: string
}

export interface GuidePage {
  /** Its Markdown, as a path from the root of the repository. */
  file: string
  title: string
  html: string
  headings: Heading[]
  /** In their order; `below` is the heading above it. */
  links: (Target & { href: string; text: string; below: string })[]
}

/** Turns the Markdown of a file into a page. HTML in it is left out. */
export function renderPage(root: string, file: string, markdown: string): GuidePage {
  const page: GuidePage = { file, title: file, html: '', headings: [], links: [] }
  const rehypePlugins = [() => (tree: Root) => prepare(tree, page, root)]
  const properties = { children: markdown, remarkPlugins: [remarkGfm], rehypePlugins }
  page.html = renderToStaticMarkup(createElement(Markdown, { ...properties, skipHtml: true }))
  page.title = page.headings[0]?.text ?? file
  return page
}

/** Gives headings their ids, and links their addresses in the guide, and gathers both. */
function prepare(tree: Root, page: GuidePage, root: string): void {
  for (const node of tree.children) {
    if (node.type !== 'element') continue
    if (/^h[1-6]$/.test(node.tagName)) noteHeading(node, page)
    else {
      const content = textOf(node)
      const heading = page.headings.at(-1)
      if (heading) heading.content = `${heading.content} ${content}`.replaceAll(/\s+/g, ' ').trim()
    }
    prepareElement(node, page, root)
  }
  tree.children = tree.children.map((node) =>
    node.type === 'element' && node.tagName === 'table' ? scrolling(node) : node,
  )
}

function noteHeading(node: Element, page: GuidePage): void {
  const text = textOf(node)
  const name = anchorOf(text)
  const same = page.headings.filter(({ id }) => id.replace(/-\d+$/, '') === name || id === name)
  const id = same.length === 0 ? name : `${name}-${same.length}`
  node.properties.id = id
  page.headings.push({ level: Number(node.tagName[1]), id, text, content: '' })
}

function prepareElement(node: Element, page: GuidePage, root: string): void {
  if (node.tagName === 'a') prepareLink(node, page, root)
  if (node.tagName === 'img') placeImage(node, page, root)
  // What scrolls is reached by the keyboard.
  if (node.tagName === 'pre') node.properties.tabIndex = 0
  // A table without headings has empty ones in Markdown.
  if (node.tagName === 'th') {
    if (textOf(node) === '') node.tagName = 'td'
    else node.properties.scope = 'col'
  }
  for (const child of node.children) {
    if (child.type === 'element') prepareElement(child, page, root)
  }
}

function prepareLink(node: Element, page: GuidePage, root: string): void {
  const href = String(node.properties.href ?? '')
  const target = findTarget(root, page.file, href)
  page.links.push({
    ...target,
    href,
    text: textOf(node),
    below: page.headings.at(-1)?.text ?? '',
  })
  if (target.file === undefined) {
    node.properties.rel = ['noreferrer']
    return
  }
  const way = linkFrom(addressOf(page.file), addressOf(target.file))
  const isHere = target.file === page.file
  node.properties.href = `${isHere ? '' : way}${target.heading ? `#${target.heading}` : ''}`
}

function placeImage(node: Element, page: GuidePage, root: string): void {
  const href = decodeURI(String(node.properties.src ?? ''))
  const target = findTarget(root, page.file, href)
  if (target.file === undefined) throw new Error(`${page.file} shows a picture of another host.`)
  page.links.push({ ...target, href, text: '', below: '' })
  node.properties.src = linkFrom(addressOf(page.file), addressOf(target.file))
  node.properties.loading = 'lazy'
}

/** A wide table scrolls by itself, and does not widen the page. */
function scrolling(table: Element): Element {
  return {
    type: 'element',
    tagName: 'div',
    properties: { className: ['table'], tabIndex: 0 },
    children: [table],
  }
}

/** As GitHub makes it of a heading. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('') : ''
}
