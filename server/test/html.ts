import assert from 'node:assert/strict'

/** For tests: parses HTML as strictly as an XML parser, and reports what is wrong. */
export interface Element {
  tag: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

const tags = new Set(
  'form input textarea label select option fieldset legend p small em div button'.split(' '),
)
const voidTags = new Set(['input'])
/**
 * Matches an opening tag (attributes in double quotes or without a value), a closing tag, or text.
 */
const token = /<([a-z]+)((?: [a-z-]+(?:="[^"<>]*")?)*)>|<\/([a-z]+)>|([^<>]+)/y
const attribute = / ([a-z-]+)(?:="([^"]*)")?/g

export function parseHtml(text: string): Element {
  const root: Element = { tag: '', attributes: {}, children: [] }
  const open = [root]
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    const parent = open.at(-1)
    assert.ok(match && parent, `no HTML at ${JSON.stringify(text.slice(at, at + 60))}`)
    const [, opened, written = '', closed, content] = match
    if (content !== undefined) parent.children.push(decode(content))
    else if (opened !== undefined) {
      assert.ok(tags.has(opened), `<${opened}> is not expected`)
      const element = { tag: opened, attributes: readAttributes(written), children: [] }
      parent.children.push(element)
      if (!voidTags.has(opened)) open.push(element)
    } else {
      assert.equal(closed, parent.tag, 'tags are closed in the order of their opening')
      open.pop()
    }
  }
  assert.equal(open.length, 1, 'every tag is closed')
  return root
}

function readAttributes(written: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', value = ''] of written.matchAll(attribute)) {
    assert.ok(!(name in attributes), `${name} stands twice`)
    attributes[name] = decode(value)
  }
  return attributes
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function decode(text: string): string {
  return text.replace(/&([^;]*;?)/g, (_, name: string) => {
    const character = entities[name.slice(0, -1)]
    assert.ok(character !== undefined && name.endsWith(';'), `&${name} is not escaped`)
    return character
  })
}

/** Returns all elements in the order of the text. */
export function* walk(element: Element): Generator<Element> {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    yield child
    yield* walk(child)
  }
}

export function findAll(root: Element, tag: string): Element[] {
  return [...walk(root)].filter((element) => element.tag === tag)
}

export function textOf(element: Element): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('')
}
