import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { addressOf, indexPage, linkFrom } from './addresses.ts'
import type { GuidePage } from './render-page.ts'

export interface Section {
  title: string
  entries: { title: string; file: string }[]
}

/** The sections of the navigation: the headings of the index page with the links below them. */
export function readNavigation(index: GuidePage): Section[] {
  const sections: Section[] = []
  for (const { file, heading, text, below } of index.links) {
    if (!file?.endsWith('.md') || heading || below === index.title) continue
    if (sections.at(-1)?.title !== below) sections.push({ title: below, entries: [] })
    sections.at(-1)?.entries.push({ title: text, file })
  }
  return sections
}

interface Frame {
  sections: readonly Section[]
  /** Whether the service serves it, so that the console is one level above it. */
  isServed: boolean
}

/** The whole HTML of a page. All its addresses are relative, so it works below any path. */
export function layOut(page: GuidePage, { sections, isServed }: Frame): string {
  const address = addressOf(page.file)
  const to = (target: string) => linkFrom(address, target)
  const title = page.file === indexPage ? page.title : `${page.title} - LoRa fleet console`
  const head = [
    element('meta', { key: 1, charSet: 'utf-8' }),
    element('meta', {
      ...{ key: 2, name: 'viewport', content: 'width=device-width, initial-scale=1' },
    }),
    element('title', { key: 3 }, title),
    element('link', { key: 4, rel: 'icon', href: to('assets/favicon.svg') }),
    element('link', { key: 5, rel: 'stylesheet', href: to('assets/guide.css') }),
    element('script', { key: 6, defer: true, src: to('assets/guide.js') }),
  ]
  const body = [
    element('a', { key: 1, className: 'skip', href: '#content' }, 'Skip to the content'),
    header(to, isServed),
    element(
      'div',
      { key: 3, className: 'columns' },
      element(
        'main',
        { key: 1, id: 'content', tabIndex: -1 },
        article(page),
        steps(page, sections),
      ),
      navigation(page, sections),
      outline(page),
    ),
  ]
  const html = element('html', { lang: 'en' }, element('head', {}, head), element('body', {}, body))
  return `<!doctype html>\n${renderToStaticMarkup(html)}\n`
}

const element = createElement

function header(to: (target: string) => string, isServed: boolean): ReactNode {
  const consoleLink = element(
    'a',
    { key: 4, href: `${to('index.html').slice(0, -10)}../` },
    'Console',
  )
  return element(
    'header',
    { key: 2 },
    element('a', { key: 1, className: 'home', href: to('index.html') }, 'LoRa fleet console'),
    element(
      'form',
      { key: 2, role: 'search', hidden: true, 'data-index': to('assets/search.json') },
      element('input', {
        ...{
          type: 'search',
          'aria-label': 'Search the guide',
          placeholder: 'Search the guide ( / )',
        },
        ...{ autoComplete: 'off', spellCheck: false },
      }),
      element('div', { className: 'results', hidden: true, 'aria-live': 'polite' }),
    ),
    element('a', { key: 3, className: 'to-navigation', href: '#navigation' }, 'Pages'),
    isServed ? consoleLink : null,
  )
}

function article(page: GuidePage): ReactNode {
  return element('article', { dangerouslySetInnerHTML: { __html: page.html } })
}

function navigation(page: GuidePage, sections: readonly Section[]): ReactNode {
  const address = addressOf(page.file)
  const parts = sections.map(({ title, entries }) => {
    const items = entries.map((entry) => {
      const current = entry.file === page.file ? { 'aria-current': 'page' as const } : {}
      const href = linkFrom(address, addressOf(entry.file))
      return element('li', { key: entry.file }, element('a', { href, ...current }, entry.title))
    })
    return [
      element('h2', { key: `${title} heading` }, title),
      element('ul', { key: `${title} pages` }, items),
    ]
  })
  const attributes = { id: 'navigation', 'aria-label': 'Pages', tabIndex: -1 }
  return element('nav', attributes, parts.flat())
}

/** The headings of a page, where there is room beside it. */
function outline(page: GuidePage): ReactNode {
  const headings = page.headings.filter(({ level }) => level === 2)
  if (headings.length < 3) return null
  const items = headings.map(({ id, text }) =>
    element('li', { key: id }, element('a', { href: `#${id}` }, text)),
  )
  return element(
    'nav',
    { className: 'outline', 'aria-label': 'On this page' },
    element('h2', {}, 'On this page'),
    element('ul', {}, items),
  )
}

/** Links to the pages before and after it. */
function steps(page: GuidePage, sections: readonly Section[]): ReactNode {
  const entries = sections.flatMap((section) => section.entries)
  const place = entries.findIndex(({ file }) => file === page.file)
  if (place < 0) return null
  const link = (offset: number, word: string, className: string) => {
    const entry = entries[place + offset]
    if (!entry) return null
    const href = linkFrom(addressOf(page.file), addressOf(entry.file))
    return element('a', { key: word, className, href }, `${word}: ${entry.title}`)
  }
  const links = [link(-1, 'Before', 'before'), link(1, 'Next', 'next')]
  return element('nav', { className: 'steps', 'aria-label': 'Before and next' }, links)
}
