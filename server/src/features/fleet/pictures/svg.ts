import { SaxesParser, type SaxesTagNS } from 'saxes'

/**
 * Makes an SVG picture that draws and does nothing else: it is written again from the elements and
 * attributes below. Scripts, events, links, foreign content, animations, comments and whatever is loaded
 * from elsewhere are left out, as the notes of drawing programs are.
 */

const svgSpace = 'http://www.w3.org/2000/svg'
const linkSpace = 'http://www.w3.org/1999/xlink'

// biome-ignore format: a list of words
const elements = new Set([
  'svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'path', 'rect', 'circle', 'ellipse', 'line',
  'polyline', 'polygon', 'text', 'tspan', 'linearGradient', 'radialGradient', 'stop', 'clipPath',
  'mask', 'pattern', 'marker', 'image', 'style', 'switch',
])

// biome-ignore format: a list of words
const attributes = new Set([
  'id', 'class', 'style', 'transform', 'd', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx',
  'ry', 'fx', 'fy', 'dx', 'dy', 'width', 'height', 'points', 'viewBox', 'preserveAspectRatio',
  'version', 'fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity',
  'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset',
  'opacity', 'color', 'display', 'visibility', 'overflow', 'clip-path', 'clip-rule', 'mask',
  'marker-start', 'marker-mid', 'marker-end', 'markerWidth', 'markerHeight', 'markerUnits', 'refX',
  'refY', 'orient', 'offset', 'stop-color', 'stop-opacity', 'gradientUnits', 'gradientTransform',
  'spreadMethod', 'clipPathUnits', 'maskUnits', 'maskContentUnits', 'patternUnits',
  'patternContentUnits', 'patternTransform', 'font-family', 'font-size', 'font-weight',
  'font-style', 'font-variant', 'letter-spacing', 'word-spacing', 'text-anchor',
  'text-decoration', 'dominant-baseline', 'alignment-baseline', 'baseline-shift', 'textLength',
  'lengthAdjust', 'rotate', 'vector-effect', 'shape-rendering', 'text-rendering',
  'paint-order', 'type', 'media',
])

/** Deeper drawings are none that a person has made. */
const deepest = 200
const mostElements = 100_000

/** A picture within the drawing. */
const embedded = /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/=\s]+$/

interface Svg {
  text: string
  width: number
  height: number
}

/** The drawing without anything but drawing, or why there is none. */
export function cleanSvg(source: string): Svg | { fault: string } {
  const parser = new SaxesParser({ xmlns: true })
  const state: State = { out: [], depth: 0, left: 0, count: 0, style: undefined, size: undefined }
  let fault: string | undefined
  const fail = (words: string) => {
    fault ??= words
  }
  parser.on('error', ({ message }) => fail(`The SVG is not well-formed: ${message.slice(0, 200)}`))
  // Entities can grow without end, and can name files.
  parser.on('doctype', (text) => {
    if (text.includes('[')) fail('The SVG declares entities of its own, which are not allowed.')
  })
  parser.on('opentag', (tag) => {
    const words = fault === undefined ? open(state, tag) : undefined
    if (words !== undefined) fail(words)
  })
  parser.on('text', (text) => write(state, text))
  parser.on('cdata', (text) => write(state, text))
  parser.on('closetag', (tag) => {
    if (fault === undefined) close(state, tag.local)
  })
  try {
    parser.write(source).close()
  } catch (error) {
    fail(`The SVG is not well-formed: ${String(error).slice(0, 200)}`)
  }
  if (fault !== undefined) return { fault }
  if (!state.size) return { fault: 'The SVG has no svg element.' }
  return { text: state.out.join(''), ...state.size }
}

interface State {
  out: string[]
  depth: number
  /** The depth at which what is left out began; 0 for none. */
  left: number
  count: number
  /** The text of a style element that is being read. */
  style: string | undefined
  size: { width: number; height: number } | undefined
}

function open(state: State, tag: SaxesTagNS): string | undefined {
  state.depth += 1
  state.count += 1
  if (state.depth > deepest || state.count > mostElements) return 'The SVG is too large a drawing.'
  if (state.left > 0) return undefined
  const { local, uri } = tag
  if (state.depth === 1) {
    if (local !== 'svg' || uri !== svgSpace) return 'The file is no SVG.'
    state.size = sizeOf(tag)
    if (!state.size) return 'The SVG needs a viewBox, or a width and a height.'
  }
  if (uri !== svgSpace || !elements.has(local)) {
    state.left = state.depth
    return undefined
  }
  if (local === 'style') {
    state.style = ''
    return undefined
  }
  const space = state.depth === 1 ? ` xmlns="${svgSpace}" xmlns:xlink="${linkSpace}"` : ''
  state.out.push(`<${local}${space}${attributesOf(tag)}>`)
  return undefined
}

function close(state: State, local: string): void {
  state.depth -= 1
  if (state.left > 0) {
    if (state.left > state.depth) state.left = 0
    return
  }
  if (state.style !== undefined) {
    if (isPlainStyle(state.style)) state.out.push(`<style>${escaped(state.style)}</style>`)
    state.style = undefined
    return
  }
  state.out.push(`</${local}>`)
}

function write(state: State, text: string): void {
  if (state.left > 0 || state.depth === 0) return
  if (state.style === undefined) state.out.push(escaped(text))
  else state.style += text
}

function attributesOf({ local, attributes: all }: SaxesTagNS): string {
  return Object.values(all)
    .flatMap(({ uri, local: name, value }) => {
      const isLink = name === 'href' && (uri === '' || uri === linkSpace)
      if (isLink) {
        const isWithin = /^#[^\s]+$/.test(value) || (local === 'image' && embedded.test(value))
        return isWithin ? [` xlink:href="${escaped(value)}"`] : []
      }
      if (uri !== '' || !attributes.has(name) || !isPlainStyle(value)) return []
      return [` ${name}="${escaped(value)}"`]
    })
    .join('')
}

/** Whether CSS, or an attribute as it is in CSS, loads nothing: addresses lead to parts of the drawing. */
function isPlainStyle(css: string): boolean {
  const rest = css.replace(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi, '')
  return !/url\s*\(|@import|@font-face|expression|image-set|javascript:|\\|<!--/i.test(rest)
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function sizeOf({ attributes: all }: SaxesTagNS): State['size'] {
  const box =
    all.viewBox?.value
      .trim()
      .split(/[\s,]+/)
      .map(Number) ?? []
  const [, , width = lengthOf(all.width?.value), height = lengthOf(all.height?.value)] = box
  const isSize = (value: number) => Number.isFinite(value) && value > 0 && value <= 1e6
  return isSize(width) && isSize(height) ? { width, height } : undefined
}

/** In whatever unit: only the proportion counts. */
function lengthOf(text = ''): number {
  return /^\d+(\.\d+)?(px|mm|cm|pt|in)?$/.test(text.trim()) ? Number.parseFloat(text) : Number.NaN
}
