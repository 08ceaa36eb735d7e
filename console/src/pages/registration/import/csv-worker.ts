import { readTable, type Table } from '../../../../../server/src/lora/device-file/read-table.ts'
import type { CsvAnswer, CsvRequest } from './csv-messages.ts'
import { checkRows, convertRows } from './csv-table.ts'

/** Holds the rows of a file outside the page, which stays quick with 100,000 of them. */

const previewed = 6
let table: Table = { headers: [], rows: [] }

self.addEventListener('message', ({ data }: MessageEvent<CsvRequest>) => {
  if (data?.tag !== 'import') return
  answer(data).then(
    (found) => self.postMessage(found),
    (error: unknown) => {
      const failure = error instanceof Error ? error.message : String(error)
      self.postMessage({ tag: 'import', id: data.id, failure } satisfies CsvAnswer)
    },
  )
})

async function answer(request: CsvRequest): Promise<CsvAnswer> {
  const { tag, id } = request
  if (request.ask === 'open') {
    table = readTable(new Uint8Array(await request.file.arrayBuffer()))
    const { headers, rows } = table
    return {
      tag,
      id,
      opened: {
        headers,
        total: rows.length,
        preview: rows.slice(0, previewed).map(({ cells }) => cells),
      },
    }
  }
  if (request.ask === 'check') return { tag, id, checked: checkRows(table, request.rules) }
  return { tag, id, rows: convertRows(table, request.rules, request) }
}
