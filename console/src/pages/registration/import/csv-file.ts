import { t } from '../../../languages/text.ts'
import type { ApiRow, ImportRules } from './convert-row.ts'
import type { CsvAnswer, CsvRequest, OpenedFile } from './csv-messages.ts'
import type { CheckResult } from './csv-table.ts'

/** A file whose rows are read and checked in a worker. */
export interface CsvFile extends OpenedFile {
  name: string
  check(rules: ImportRules): Promise<CheckResult>
  rows(rules: ImportRules, first: number, count: number): Promise<ApiRow[]>
  close(): void
}

type Question = CsvRequest extends infer R
  ? R extends unknown
    ? Omit<R, 'tag' | 'id'>
    : never
  : never

export async function openCsv(file: File): Promise<CsvFile> {
  const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (answer: CsvAnswer) => void>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<CsvAnswer>) => {
    if (data?.tag !== 'import') return
    waiting.get(data.id)?.(data)
    waiting.delete(data.id)
  })
  const ask = async (question: Question): Promise<CsvAnswer> => {
    last += 1
    const id = last
    const answer = new Promise<CsvAnswer>((resolve, reject) => {
      waiting.set(id, resolve)
      worker.addEventListener('error', () => reject(new Error(t('The file cannot be read.'))), {
        once: true,
      })
    })
    worker.postMessage({ ...question, tag: 'import', id } as CsvRequest)
    const found = await answer
    if ('failure' in found) throw new Error(found.failure)
    return found
  }
  const found = await ask({ ask: 'open', file })
  if (!('opened' in found)) throw new Error(t('The file cannot be read.'))
  return {
    ...found.opened,
    name: file.name,
    async check(rules) {
      const answer = await ask({ ask: 'check', rules })
      return 'checked' in answer ? answer.checked : { faulty: 0, keyless: 0, rows: [] }
    },
    async rows(rules, first, count) {
      const answer = await ask({ ask: 'rows', rules, first, count })
      return 'rows' in answer ? answer.rows : []
    },
    close: () => worker.terminate(),
  }
}
