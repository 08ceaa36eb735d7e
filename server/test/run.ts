/**
 * `node server/test/run.ts [--concurrency=N] [--database=WHICH] [GLOB...]`: runs test files, all of the
 * server's unless some are named, on the PostgreSQL of `cluster.ts`. With `--database=none` only those
 * that need no database, without PostgreSQL; with `--database=shared` only those that use it.
 *
 * A process that loads the service and starts it takes 1 s of processor time, more than the tests
 * of most files. So a process runs several files, one after the other, each as a suite with its own
 * hooks. Files that start programs, take long, or measure the machine have a process of their own.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { compileCache } from './cluster.ts'
import { databaseFinder } from './import-graph.ts'

const root = join(import.meta.dirname, '../..')
/** Folders whose files share processes, even if they start a program. */
const shared = /^server\/(simulators|src\/(features|http|lora|networks|sensors|uplinks))\//
const startsPrograms =
  /from '(node:child_process|[./]+(test\/)?(citus-service|command|embedded-trial|process|several-processes)\.ts)'/
const ownProcess =
  /\/(access|foreign-ids|heavy-reads|hostile-messages|networks|networks-messages|openapi-page|random-input|side-values|slow-clients)\.test\.ts$/
const mostFiles = 12
/** In MB, for young objects. With Node's 16, the tests take 7 % more processor time. */
const youngSpace = 64
/** Ends a process that hangs, so that the others' results are seen. None takes 6 minutes under load. */
const patience = '--test-timeout=900000'
/** With fewer processes for each of those that run at once, some would rest at the end of the run. */
const fewestTurns = 3

const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: '4' }, database: { type: 'string' } },
  allowPositionals: true,
})
const directory = await mkdtemp(join(tmpdir(), 'lora-fleet-tests-'))
try {
  const programs = await writePrograms(orderProcesses(listFiles()))
  process.exitCode = await runPrograms(programs)
} finally {
  await rm(directory, { recursive: true, force: true })
}

function listFiles(): string[] {
  const patterns =
    positionals.length > 0
      ? positionals
      : ['server/**/*.test.ts', 'faults/*.test.ts', 'soak/*.test.ts']
  const found = patterns.flatMap((pattern) => {
    const files = globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
    if (files.length === 0) throw new Error(`No test file is named ${pattern}.`)
    return files
  })
  const files = [...new Set(found)].sort()
  if (values.database === undefined) return files
  const databaseOf = databaseFinder(root)
  return files.filter((file) => (databaseOf(file) ?? 'none') === values.database)
}

/**
 * Returns the files of each process. Files that wait for other programs come between those that
 * compute, and the longest of them (in `server/test`) come first, so that no processor rests.
 */
function orderProcesses(files: readonly string[]): string[][] {
  const together = files.filter((file) => !isAlone(file))
  const turns = Number(values.concurrency) * fewestTurns
  const size = Math.min(mostFiles, Math.ceil(together.length / turns))
  const groups: string[][] = []
  for (let at = 0; at < together.length; at += size) groups.push(together.slice(at, at + size))
  const alone = files.filter(isAlone).map((file) => [file])
  return [alone.reverse(), groups]
    .flatMap((list) => list.map((files, at) => ({ files, place: at / list.length })))
    .sort((one, other) => one.place - other.place)
    .map(({ files }) => files)
}

function isAlone(file: string): boolean {
  if (shared.test(file)) return false
  return ownProcess.test(file) || startsPrograms.test(readFileSync(join(root, file), 'utf8'))
}

/** Writes a program for each process. Node's test runner takes them in the order of their names. */
async function writePrograms(processes: readonly (readonly string[])[]): Promise<string[]> {
  const written = processes.map(async (files, at) => {
    const suites = files.map((file) => {
      const url = pathToFileURL(join(root, file)).href
      // A suite that fails to load would count as no failed test.
      const load = `await import('${url}').catch((error) => test('loads', () => { throw error }))`
      return `await suite(${JSON.stringify(file)}, async () => { ${load} })\n`
    })
    const program = join(directory, `${String(at).padStart(4, '0')}.test.mjs`)
    await writeFile(program, `import { suite, test } from 'node:test'\n${suites.join('')}`)
    return program
  })
  return Promise.all(written)
}

/** Returns the exit code of Node's test runner. Ctrl-C and SIGTERM end it first. */
async function runPrograms(programs: readonly string[]): Promise<number> {
  const setup = `--test-global-setup=${join(import.meta.dirname, 'cluster.ts')}`
  const memory = `--max-semi-space-size=${youngSpace}`
  const runner = ['--test', memory, `--test-concurrency=${values.concurrency}`, patience]
  if (values.database !== 'none') runner.push(setup)
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  const options = { cwd: root, env, stdio: 'inherit' } as const
  const child = spawn(process.execPath, [...runner, ...programs], options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1))
  })
}
