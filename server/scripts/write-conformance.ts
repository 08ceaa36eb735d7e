/**
 * Which test shows which statement of the API's contract. `docs/contract.txt` lists the statements;
 * a test names those it shows in comments directly above it: `// shows 4.1.1, 4.1.3-5`.
 *
 * `npm run conformance` writes `docs/generated/conformance.md` from both. With `--check` it only compares. It
 * exits with 1 when the file is stale, when a statement has no test, or when a test names a statement
 * that does not exist.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A heading of `docs/contract.txt` and the statements right below it. */
export interface Section {
  number: string
  title: string
  /** Marked `(later)`: no test can show it, because the endpoint does not exist yet. */
  isLater: boolean
  statements: Statement[]
}

export interface Statement {
  /** The section's number and the place in it, as `4.1.3`. */
  number: string
  text: string
}

/** A test, and the numbers of the statements that it shows. */
interface MarkedTest {
  file: string
  /** The name, after that of the `describe` around it. */
  name: string
  shows: string[]
}

/** What was found in a source, and its faults, a sentence each. */
export interface Reading<T> {
  found: T[]
  faults: string[]
}

const heading = /^#+ (\d+(?:\.\d+)*) (.+?)( \(later\))?$/
const statement = /^(\d+(?:\.\d+)+) (.+)$/

/** Reads `docs/contract.txt`. Lines that begin with `>` are about the file itself. */
export function readContract(text: string): Reading<Section> {
  const found: Section[] = []
  const faults: string[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('>')) continue
    const [, number, title, later] = heading.exec(line) ?? []
    if (number && title) {
      if (found.some((section) => section.number === number)) faults.push(`Twice: ${line}`)
      found.push({ number, title, isLater: later !== undefined, statements: [] })
      continue
    }
    const section = found.at(-1)
    const [, name, words] = statement.exec(line) ?? []
    const expected = section && `${section.number}.${section.statements.length + 1}`
    if (!section || !name || !words) faults.push(`Neither heading nor statement: ${line}`)
    else if (name !== expected) faults.push(`${expected} is expected here: ${line}`)
    else section.statements.push({ number: name, text: words })
  }
  return { found, faults }
}

const mark = /^\s*\/\/ shows (.*)$/
const testCall = /^(\s*)test\(\s*(['"`])(.*?)\2,/
const describeCall = /^describe\(\s*(['"`])(.*?)\1,/

/** Reads the marked tests of one file. A mark stands directly above `test(`, or above more marks. */
export function readMarks(file: string, source: string): Reading<MarkedTest> {
  const found: MarkedTest[] = []
  const faults: string[] = []
  let group = ''
  let shows: string[] = []
  for (const line of source.split('\n')) {
    group = line === '})' ? '' : (describeCall.exec(line)?.[2] ?? group)
    const [, numbers] = mark.exec(line) ?? []
    if (numbers !== undefined) {
      const expanded = expandNumbers(numbers)
      if (!expanded) faults.push(`${file}: these are no numbers of statements: ${line.trim()}`)
      shows.push(...(expanded ?? []))
      continue
    }
    const [, indent, , name] = testCall.exec(line) ?? []
    if (shows.length > 0 && name === undefined) faults.push(`${file}: no test below ${shows}`)
    if (shows.length > 0 && name !== undefined) {
      found.push({ file, name: indent && group ? `${group}: ${name}` : name, shows })
    }
    shows = []
  }
  return { found, faults }
}

/** `4.1.1, 4.1.3-5` as single numbers; undefined when a part of it is none. */
function expandNumbers(list: string): string[] | undefined {
  const numbers: string[] = []
  for (const part of list.split(', ')) {
    const [, prefix, first, last = first] = /^((?:\d+\.)+)(\d+)(?:-(\d+))?$/.exec(part) ?? []
    if (!prefix || Number(last) < Number(first)) return undefined
    for (let place = Number(first); place <= Number(last); place++) numbers.push(prefix + place)
  }
  return numbers
}

/** Marks of unknown statements, and statements that no test shows. */
export function findGaps(sections: readonly Section[], tests: readonly MarkedTest[]): string[] {
  const known = new Set(sections.flatMap(({ statements }) => statements.map((one) => one.number)))
  const shown = new Set(tests.flatMap(({ shows }) => shows))
  const lost = tests.flatMap(({ file, name, shows }) =>
    shows
      .filter((number) => !known.has(number))
      .map((number) => `${file}: there is no statement ${number}, which "${name}" shows`),
  )
  const bare = sections
    .filter(({ isLater }) => !isLater)
    .flatMap(({ statements }) => statements.filter(({ number }) => !shown.has(number)))
    .map(({ number, text }) => `No test shows ${number} ${text}`)
  return [...lost, ...bare]
}

const introduction = `# Conformance

Every statement of the API's contract (\`docs/contract.txt\`) and the tests that show it. Made from
the marks above the tests by \`npm run conformance\`; files are below \`server\`. Do not edit.
`

/** `docs/generated/conformance.md`: a table for each section. */
export function renderConformance(
  sections: readonly Section[],
  tests: readonly MarkedTest[],
): string {
  const parts = sections.map(({ number, title, isLater, statements }) => {
    const top = `${'#'.repeat(number.split('.').length + 1)} ${number} ${title}\n`
    if (statements.length === 0) return top
    const rows = statements.map(
      (one) => `| ${one.number} | ${cell(one.text)} | ${testsOf(one)} |\n`,
    )
    const note = isLater ? '\nNot there yet.\n' : ''
    return `${top}${note}\n| | statement | shown by |\n|---|---|---|\n${rows.join('')}`
  })
  return [introduction, ...parts].join('\n')

  function testsOf({ number }: Statement): string {
    return tests
      .filter(({ shows }) => shows.includes(number))
      .map(({ file, name }) => `${cell(plain(name))} (\`${file}\`)`)
      .join('<br>')
  }
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** The name of a test as text: what is put in at run time as an ellipsis, no tags. */
function plain(name: string): string {
  return name
    .replace(/\$\{[^}]*\}/g, '…')
    .replaceAll('\\', '')
    .replaceAll('<', '&lt;')
}

/** Writes the table, or only compares it with `docs/generated/conformance.md`; gives what is wrong. */
function run(isCheck: boolean): string[] {
  const root = join(import.meta.dirname, '..')
  const path = join(root, '../docs/generated/conformance.md')
  const readText = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const contract = readContract(readText(join(root, '../docs/contract.txt')))
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
  if (!isCheck) {
    writeFileSync(path, text)
  } else if (text !== readText(path)) {
    faults.push(
      'docs/generated/conformance.md is stale: run "npm run conformance" and commit the file.',
    )
  }
  const count = contract.found.flatMap(({ statements }) => statements).length
  console.log(`${count} statements, ${tests.length} tests that show them, ${faults.length} faults`)
  return faults
}

if (import.meta.main) {
  const faults = run(process.argv.includes('--check'))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
