import Papa from 'papaparse'
import { plainHex } from './device-row.ts'

/** The rows of a file as a spreadsheet shows them. The console and `lora-console import` read files by it. */
export interface Table {
  headers: string[]
  rows: TableRow[]
}

export interface TableRow {
  /** As a spreadsheet numbers it: from 1, with the line of headers and empty lines. */
  number: number
  cells: string[]
}

const delimiters = [',', ';', '\t', '|']
/** Rows that tell which delimiter a file has. */
const rowsForGuess = 50

/** The columns of ThingPark's file of devices, which has no headers. */
// biome-ignore format: a list of words
const thingParkHeaders = [
  'Directive', 'DevEUI', 'DevAddr', 'Device model', 'JoinEUI', 'AppKey', '', '', '', '',
  'Device name',
]

/** Reads CSV with commas, semicolons, tabs or bars, with or without headers, in any usual encoding. */
export function readTable(bytes: Uint8Array): Table {
  const all = readRows(decode(bytes))
  const [first, ...others] = all
  if (!first) return { headers: [], rows: [] }
  const isThingPark = /^CREATE_/i.test(first.cells[0]?.trim() ?? '')
  // A first row with an EUI is a device.
  const isHeaderless =
    isThingPark || first.cells.some((cell) => /^[0-9a-f]{16}$/i.test(plainHex(cell)))
  const names = isThingPark ? thingParkHeaders : isHeaderless ? [] : first.cells
  const width = Math.max(...all.slice(0, 1000).map(({ cells }) => cells.length))
  const headers = Array.from({ length: width }, (_, index) => {
    // In ThingPark's file, # begins a comment.
    const name = names[index]?.trim().replace(/^#\s*/, '')
    return name || `Column ${index + 1}`
  })
  const hasDirectives = isThingPark || /^directive$/i.test(headers[0] ?? '')
  const rows = isHeaderless ? all : others
  const isComment = ({ cells: [cell = ''] }: TableRow) => hasDirectives && cell.startsWith('#')
  return { headers, rows: rows.filter((row) => !isComment(row)) }
}

/** All rows that are not empty, with their numbers. */
export function readRows(text: string): TableRow[] {
  // Spreadsheets write the delimiter into a first line that they do not show.
  const [line, named] = /^"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n|$)/i.exec(text) ?? []
  const content = text.slice(line?.length ?? 0)
  const guessed = Papa.parse<string[]>(content, {
    preview: rowsForGuess,
    skipEmptyLines: 'greedy',
    delimitersToGuess: delimiters,
  })
  const { data } = Papa.parse<string[]>(content, { delimiter: named ?? guessed.meta.delimiter })
  return data
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

/** UTF-8 and UTF-16, with or without a byte order mark, and Windows-1252 as spreadsheets write it. */
export function decode(bytes: Uint8Array): string {
  const utf16 = findUtf16(bytes)
  // A decoder takes the byte order mark away.
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** By its mark, or by the zeros next to the first letters. */
function findUtf16([first, second, third, fourth]: Uint8Array):
  | 'utf-16le'
  | 'utf-16be'
  | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first && second === 0 && third && fourth === 0) return 'utf-16le'
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : undefined
}
