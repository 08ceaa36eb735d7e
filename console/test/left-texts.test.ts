import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { sourceFiles, sourceFolder } from '../scripts/texts/source-texts.ts'

/** No text that people read stands in the code outside of `t` and `rich`. */

type Node = { type: string; start: number; end: number } & Record<string, unknown>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Attributes that people read or hear. */
const attributes = ['alt', 'aria-label', 'description', 'label', 'other', 'placeholder', 'title']

/** The same in each language: names, terms of LoRaWAN, and examples of what is typed. */
const same = [
  ...[
    'API',
    'DevEUI',
    'JoinEUI',
    'fPort',
    'JSON',
    'MQTT',
    'URL',
    'POST',
    'user_account',
    '$TOKEN',
    'MAP_TILES',
  ],
  ...['UTC', 'Microsoft Teams', 'The Things Stack', '1 Mar 2026', 'Mar 1, 2026', 'maps'],
  ...['device-codec.yaml', 'device.yaml', 'device.toml', '.js', '.pmtiles'],
  ...['tile.openstreetmap.org', 'vendors/acme', 'POST, JSON'],
]

/** Errors that only developers see: code that is used wrongly, and requests whose failure is not shown. */
const errors = [
  ...['The page has no root element.', 'A row stands in a tree.', 'This page needs a login.'],
  ...['The outline of the map answered 0.', 'The tile answered 0.', 'The image answered 0.'],
  'There is no 0.',
]

/** Files that write no language of people: styles, a codec to begin with, search words, examples. */
const leftOut = [
  ...['ui/tokens.ts', 'map/map-style.ts', 'map/streets-style.ts', 'charts/chart-options.ts'],
  ...['device-types/editor/code-editor.tsx', 'device-types/editor/draft.ts', 'api/curl.ts'],
  ...['palette/entries.ts', 'pages/gallery/'],
]

const isSaid = (text: string) =>
  /\p{L}{2}/u.test(text) &&
  !same.includes(text.trim()) &&
  !/^\s*(\w+:\/|[A-Z]+ \/|form )/.test(text)

/** A whole sentence of English, as no name of a class, a key or a style is. */
const isSentence = (text: string) =>
  /^\p{Lu}[\p{L}’',]* .*[\p{L}).]$/u.test(text) && isSaid(text) && !errors.includes(text)

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('0')
}

/** What is neither shown nor kept in the page: types, keys, comparisons, and errors of programmers. */
function isUnseen(node: Node): boolean {
  if (node.type.startsWith('TS') && !/^TS(As|NonNull|Satisfies)/.test(node.type)) return true
  if (node.type === 'ImportDeclaration') return true
  return node.type === 'BinaryExpression' && /^[!=]==$/.test(String(node.operator))
}

/** Texts of a file, each with what shows it. */
function textsIn(code: string, name: string): Node[] {
  const found: Node[] = []
  const visit = (node: Node, isShown: boolean) => {
    if (isUnseen(node)) return
    if (node.type === 'JSXText' && isSaid(String(node.value))) found.push(node)
    const text = textOf(node)
    if (text !== undefined && (isShown ? isSaid(text) : isSentence(text))) found.push(node)
    const parts = partsOf(node)
    for (const part of parts) visit(part, shows(node, part, isShown))
  }
  visit(parseSync(name, code).program as unknown as Node, false)
  return found
}

/** All parts of a node that may be shown; of `t` and its like only the values. */
function partsOf(node: Node): Node[] {
  const callee = node.callee as (Node & { name?: string }) | undefined
  if (node.type === 'CallExpression' && ['t', 'rich'].includes(callee?.name ?? ''))
    return (node.arguments as Node[]).slice(1)
  return Object.values(node)
    .flat()
    .filter(isNode)
    .filter((part) => node.type !== 'Property' || part !== node.key)
}

/** Whether what stands in `part` is read: the value of an attribute, and a text among elements. */
function shows(node: Node, part: Node, isShown: boolean): boolean {
  if (node.type === 'JSXAttribute') {
    const { name } = node.name as { name: string }
    return attributes.includes(name)
  }
  if (node.type === 'JSXExpressionContainer' || node.type === 'LogicalExpression') return isShown
  if (node.type === 'ConditionalExpression') return isShown && part !== node.test
  return false
}

test('no text stands in the code', () => {
  const paths = sourceFiles().filter((path) => !leftOut.some((part) => path.includes(part)))
  const left = paths.flatMap((path) => {
    const code = readFileSync(join(sourceFolder, path), 'utf8')
    return textsIn(code, path).map(({ start, end }) => {
      const line = code.slice(0, start).split('\n').length
      return `${path}:${line} ${code.slice(start, end).trim()}`
    })
  })
  assert.equal(left.join('\n'), '')
})
