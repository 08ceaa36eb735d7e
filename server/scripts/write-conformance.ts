/**
 * `npm run conformance` writes `docs/conformance.md` anew from `docs/contract.txt` and the tests.
 * With `--check` it only compares. It exits with 1 when the file is stale, when a statement has no
 * test, or when a test names a statement that there is not.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findGaps, readContract, readMarks, renderConformance } from './conformance.ts'

const root = join(import.meta.dirname, '..')
const docs = join(root, '../docs')
const path = join(docs, 'conformance.md')

function readText(path: string): string {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
}

const contract = readContract(readText(join(docs, 'contract.txt')))
const marks = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.test.ts'))
  .sort()
  .map((file) => readMarks(file, readText(join(root, file))))
const tests = marks.flatMap(({ found }) => found)
const faults = [
  ...contract.faults,
  ...marks.flatMap(({ faults }) => faults),
  ...findGaps(contract.found, tests),
]

const text = renderConformance(contract.found, tests)
if (!process.argv.includes('--check')) {
  writeFileSync(path, text)
} else if (text !== readText(path)) {
  faults.push('docs/conformance.md is stale: run "npm run conformance" and commit the file.')
}
const count = contract.found.flatMap(({ statements }) => statements).length
console.log(`${count} statements, ${tests.length} tests that show them, ${faults.length} faults`)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
