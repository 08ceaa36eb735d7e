import { createRequire } from 'node:module'
import type { Content, TFontDictionary } from 'pdfmake/interfaces.js'
import type { Language } from '../../../lora/languages.ts'

/*
 * Roboto has Latin, Greek and Cyrillic letters. Japanese and Chinese ones come from typefaces of one
 * weight each, which are read only for a report in which they stand.
 */

const { resolve } = createRequire(import.meta.url)

function oneWeight(file: string): TFontDictionary[string] {
  const path = resolve(`@fontsource/${file}`)
  return { normal: path, bold: path, italics: path, bolditalics: path }
}

export const wideFonts: TFontDictionary = {
  Japanese: oneWeight('sawarabi-gothic/files/sawarabi-gothic-japanese-400-normal.woff'),
  Chinese: oneWeight('zcool-xiaowei/files/zcool-xiaowei-chinese-simplified-400-normal.woff'),
}

const wide = /[\u2e80-\u2fff\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]+/
const kana = /[\u3040-\u30ff\uff66-\uff9f]/

/** Gives each text the typefaces of its letters. What is drawn keeps its own. */
export function withTypefaces<Part extends Content>(content: Part, language: Language): Part {
  const isJapanese = language === 'ja' || (language !== 'zh' && kana.test(JSON.stringify(content)))
  return visit(content, isJapanese ? 'Japanese' : 'Chinese') as Part
}

const isDrawn = new Set(['svg', 'image', 'canvas', 'style', 'layout'])

function visit(part: unknown, font: string): unknown {
  if (typeof part === 'string') return wide.test(part) ? { text: runsOf(part, font) } : part
  if (Array.isArray(part)) return part.map((each) => visit(each, font))
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([name, value]) => {
    if (isDrawn.has(name)) return [name, value]
    if (name === 'text' && typeof value === 'string') {
      return [name, wide.test(value) ? runsOf(value, font) : value]
    }
    return [name, visit(value, font)]
  })
  return Object.fromEntries(entries)
}

/** A text in pieces, each in one typeface. */
function runsOf(text: string, font: string) {
  return text
    .split(new RegExp(`(${wide.source})`))
    .filter((piece) => piece !== '')
    .map((piece) => (wide.test(piece) ? { text: piece, font } : { text: piece }))
}
