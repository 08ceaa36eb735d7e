import { type ComponentProps, type ReactNode, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { t } from '../languages/text.ts'
import classes from './markdown.module.css'

interface MarkdownProps {
  text: string
  /** It stands beside others: its headings are no places to go to. */
  isPart?: boolean
}

/** Markdown as elements. HTML in it is left out, and nothing of another host is loaded. */
export function Markdown({ text, isPart }: MarkdownProps) {
  const plugins = useMemo(() => [remarkGfm], [])
  return (
    <div className={classes.prose}>
      <ReactMarkdown
        remarkPlugins={plugins}
        components={isPart ? partComponents : components}
        disallowedElements={['img']}
        skipHtml
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}

const components: Components = {
  // The page has its own first heading.
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h2 id={anchorOf(children)}>{children}</h2>,
  h3: ({ children }) => <h3 id={anchorOf(children)}>{children}</h3>,
  h4: ({ children }) => <h3 id={anchorOf(children)}>{children}</h3>,
  a: Anchor,
  // A table without headings has empty ones in Markdown.
  th: ({ children }) => (children ? <th scope="col">{children}</th> : <td />),
  table: ({ children }) => (
    // biome-ignore-start lint/a11y/useSemanticElements: the group is only what scrolls
    // biome-ignore-start lint/a11y/noNoninteractiveTabindex: the keyboard reaches it
    <div className={classes.table} tabIndex={0} role="group" aria-label={t('Table')}>
      <table>{children}</table>
    </div>
    // biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above
    // biome-ignore-end lint/a11y/useSemanticElements: as above
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre tabIndex={0}>{children}</pre>
  ),
}

const partComponents: Components = {
  ...components,
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h4>{children}</h4>,
  a: ({ href = '', children }) =>
    href.startsWith('#') ? children : <Anchor href={href}>{children}</Anchor>,
}

/** Links within the page and to other sites stay; other files of the documentation are not here. */
function Anchor({ href = '', children }: ComponentProps<'a'>) {
  if (href.startsWith('#')) return <a href={`#guide-${href.slice(1)}`}>{children}</a>
  if (!/^https:\/\//.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** As GitHub makes it of a heading. */
function anchorOf(children: ReactNode): string {
  const words = textOf(children)
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
  return `guide-${words}`
}

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (typeof node === 'object' && node !== null && 'props' in node) {
    return textOf((node.props as { children?: ReactNode }).children)
  }
  return ''
}
