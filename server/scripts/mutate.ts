/**
 * `npm run mutate -- AREA [--sample N] [--seed S]`: makes typical mistakes in the files of an area, one
 * at a time in a copy, and prints those that its tests let pass. StrykerJS does not drive Node's own
 * runner with a global PostgreSQL (`cluster.ts`).
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../test/cluster.ts'
import { ownedTemplate, serverVariable, templateVariable } from '../test/database.ts'
import { runOnServer } from '../test/server.ts'
import { areas } from './mutation-areas.ts'

/** One mistake: the text at `at` is `was`, and becomes `now`. */
export interface Mutation {
  at: number
  was: string
  now: string
}

const value = /\$\d+(?:::\w+(?:\[\])?)?|any\(\$\d+(?:::\w+\[\])?\)|'\w*'|[\w.]+/.source
const condition = new RegExp(`(?<=\\b(?:where|and|on) )[\\w.]+ (?:=|<>|<=?|>=?) (?:${value})`, 'g')

/**
 * No test can or should check the exact number on such a line, in a pattern or in a comparison for an
 * order. A statement that counts always has a row.
 */
const tuning =
  /timeout|delay|pause|interval|patience|backoff|jitter|gathering|\/\^|\{\d,\d+\}|\bcount\?\.\w+ \?\? 0|\? -1 : 1/i
/** The moment itself is neither early nor late, and equal things have no order. */
const clock = /\bnow\b|\bnow\(|deadline|until|_at [<>]|timestamptz|\? -1 : 1/i
const logs = /\blog(?:ger)?\??\.(?:debug|info|warn|error)\(|\.unref\(\)|clearTimeout\(/

/** A row that is joined by its id is of the same organization. */
const joined = /organization_id = \S+ and [\w.${}]*id = (?:[a-z]\w*\.|\$\{)/

interface Rule {
  pattern: RegExp
  change: (was: string) => string
  /** Lines where the change says nothing. */
  except?: RegExp
}

const rules: Rule[] = [
  { pattern: / (?:===|!==) /g, change: (was) => (was === ' === ' ? ' !== ' : ' === ') },
  { pattern: / [<>] (?!\()/g, change: (was) => `${was.trimEnd()}= `, except: clock },
  { pattern: / [<>]= /g, change: (was) => was.replace('=', ''), except: clock },
  { pattern: / (?:&&|\|\|) /g, change: (was) => (was === ' && ' ? ' || ' : ' && ') },
  {
    pattern: /(?<=\bif \().+(?=\) (?:\{$|return|throw|continue|break))/g,
    change: (was) => `!(${was})`,
  },
  // A part of a statement's condition; its parameters keep their types.
  { pattern: condition, change: (was) => `(${was} or true)` },
  {
    pattern: / is (?:not )?null\b/g,
    change: (was) => (was === ' is null' ? ' is not null' : ' is null'),
  },
  { pattern: /(?<=\breturn )(?:true|false)$/g, change: (was) => String(was === 'false') },
  // A large step: whether a portion has 400 or 500 rows says nothing. None in quotes.
  {
    pattern:
      /(?<![\w.$'"#+-])\d[\d_]*(?:\.\d+)?(?![\w'".])(?=[^']*(?:'[^']*'[^']*)*$)(?=[^"]*(?:"[^"]*"[^"]*)*$)/g,
    change: (was) => (Number(was.replaceAll('_', '')) === 0 ? '1' : '0'),
    except: tuning,
  },
  { pattern: /(?<=^ +)(?:await )?[a-z][\w.?]*\([^;]*\)$/g, change: () => ';' },
]

/** `npm run api -- --check` compares the failures that endpoints list. */
const noCode =
  /^\s*(?:\/?\*|\/\/|--|import |export \* |\} from |interface |(?:export )?type |failures: \[)|\.describe\(|example/i
const isBeginOfExamples = /\bwithExamples\(|\bexamples: \[/
/** A line that goes on in the next one, so that this one is no statement. */
const goesOn = /(?:[=(?:,[]|=>|&&|\|\||\?\?|return)$/

/** All mistakes that the rules make in a text and that Node still reads. */
export function findMutations(text: string): Mutation[] {
  const found: Mutation[] = []
  let start = 0
  let exampleIndent = Infinity
  const lines = text.split('\n')
  lines.forEach((line, index) => {
    const next = lines[index + 1] ?? ''
    const isPart = goesOn.test(lines[index - 1] ?? '') || /^\s*[.?:&|]/.test(next)
    // Examples, up to the next line that stands no deeper.
    const indent = line.search(/\S|$/)
    if (indent <= exampleIndent) exampleIndent = isBeginOfExamples.test(line) ? indent : Infinity
    const isExample = exampleIndent < Infinity
    const isCode = !isExample && !noCode.test(line) && !logs.test(line)
    for (const { pattern, change, except } of isCode ? rules : []) {
      if (except?.test(line)) continue
      for (const { 0: was, index: at } of line.matchAll(pattern)) {
        const now = change(was)
        const isJoined = was.includes('organization_id') && joined.test(`${line} ${next.trim()}`)
        if (!isJoined && (now !== ';' || !isPart)) found.push({ at: start + at, was, now })
      }
    }
    start += line.length + 1
  })
  return found.filter((mutation) => isReadable(apply(text, mutation)))
}

export function apply(text: string, { at, was, now }: Mutation): string {
  return text.slice(0, at) + now + text.slice(at + was.length)
}

function isReadable(text: string): boolean {
  try {
    stripTypeScriptTypes(text)
    return true
  } catch {
    return false
  }
}

/** A copy of the files, and what its tests need. */
export interface Copy {
  root: string
  env?: NodeJS.ProcessEnv
  /** Removes what killed tests have left. */
  clean?: () => Promise<void>
}

interface Run {
  files: readonly string[]
  tests: readonly string[]
  /** How many mistakes at most; without it, all. */
  sample?: number | undefined
  seed: string
  tell?: (line: string) => void
}

/** Makes mistakes in all copies at once, and returns how many were made and which passed. */
export async function mutateFiles(copies: readonly Copy[], run: Run) {
  const { files, tests, sample, seed, tell } = run
  const [first] = copies
  if (!first) throw new Error('There is no copy.')
  for (const { root } of copies) writeProgram(root, tests)
  const begin = performance.now()
  const fault = await findFailure(first)
  if (fault) throw new Error(`The tests fail without a mistake: ${fault}`)
  // A mistake that lets a test wait forever is noticed too.
  const patience = 20_000 + 3 * Math.ceil(performance.now() - begin)
  const placed = files.flatMap((file) => {
    const text = readFileSync(join(first.root, file), 'utf8')
    return findMutations(text).map((mutation) => ({ file, text, mutation }))
  })
  const order = ({ file, mutation }: (typeof placed)[number]) =>
    createHash('sha256')
      .update(`${seed} ${file} ${JSON.stringify(mutation)}`)
      .digest('hex')
  const chosen = placed
    .map((one) => ({ ...one, order: order(one) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .slice(0, sample)
  const made = chosen.length
  const survivors: string[] = []
  const work = async (copy: Copy) => {
    for (let next = chosen.shift(); next; next = chosen.shift()) {
      const { file, text, mutation } = next
      writeFileSync(join(copy.root, file), apply(text, mutation))
      const failure = await findFailure(copy, patience)
      writeFileSync(join(copy.root, file), text)
      const number = text.slice(0, mutation.at).split('\n').length
      const words = `${file}:${number} ${mutation.was.trim()} -> ${mutation.now.trim()}`
      const line = text.split('\n')[number - 1]?.trim()
      tell?.(failure ? `noticed  ${words}  by: ${failure}` : `survived ${words}  in: ${line}`)
      if (!failure) survivors.push(words)
    }
  }
  await Promise.all(copies.map(work))
  return { made, possible: placed.length, survivors }
}

const program = 'mutation-tests.mjs'

/** One process runs all test files, each as a suite: it loads the service once. */
function writeProgram(root: string, tests: readonly string[]): void {
  const suites = tests.map((file) => {
    const load = `await import('./${file}').catch((error) => test('loads', () => { throw error }))`
    return `await suite('${file}', async () => { ${load} })\n`
  })
  writeFileSync(join(root, program), `import { suite, test } from 'node:test'\n${suites.join('')}`)
}

/** Runs the tests of a copy until the first one fails, which it returns, or the time is over. */
async function findFailure(
  { root, env, clean }: Copy,
  timeout = 600_000,
): Promise<string | undefined> {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env
  const child = spawn(process.execPath, ['--test-reporter=tap', program], {
    cwd: root,
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that programs which tests have started end with them.
    detached: true,
  })
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  process.once('exit', end)
  let failure: string | undefined
  const timer = setTimeout(() => {
    failure ??= 'no end in time'
    end()
  }, timeout)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    failure ??= /^\s*not ok \d+ - (.*)/m.exec(text)?.[1]
    if (failure) end()
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  process.off('exit', end)
  end()
  await clean?.()
  return code === 0 ? failure : (failure ?? 'the end of the process')
}

/** Copies the project as it is now, uncommitted files included, and returns the copy's folder. */
function copyProject(root: string, copy: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  for (const path of git('ls-files', '-co', '--exclude-standard', '-z').split('\0')) {
    if (path && existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

/** A template of its own for each copy, so that what its tests leave is known by its name. */
async function makeCopy(root: string, folder: string, index: number): Promise<Copy> {
  const copy = join(folder, String(index))
  copyProject(root, copy)
  const server = process.env[serverVariable] ?? ''
  const origin = process.env[templateVariable] ?? ''
  const template = `${origin}_${index}`
  const owned = ownedTemplate(template)
  await runOnServer(server, `create database ${template} template ${origin}`)
  await runOnServer(server, `create database ${owned} template ${ownedTemplate(origin)}`)
  const clean = async () => {
    const found = `select datname from pg_database
      where starts_with(datname, '${template}_') and datname <> '${owned}'`
    for (const { datname } of await runOnServer<{ datname: string }>(server, found))
      await runOnServer(server, `drop database if exists ${datname} with (force)`)
  }
  const cache = join(folder, `compiled-${index}`)
  return { root: copy, env: { [templateVariable]: template, NODE_COMPILE_CACHE: cache }, clean }
}

const fewestNoticed = 0.9
const copiesAtOnce = 2
const help = `npm run mutate -- AREA [--sample N] [--seed S]

Makes typical mistakes in the files of an area, one at a time, and prints those that its tests let
pass. The exit code is 1 if they notice fewer than 90 %.

  --sample N   how many mistakes at most; all of them without it
  --seed S     any text; another one chooses another sample (1)

Areas: ${Object.keys(areas).join(', ')}`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const [name = ''] = positionals
  const area = Object.hasOwn(areas, name) ? areas[name] : undefined
  const sample = values.sample === undefined ? undefined : Number(values.sample)
  if (values.help || !area || !(sample === undefined || sample > 0)) {
    console.log(help)
    return values.help ? 0 : 2
  }
  setPriority(10)
  const folder = mkdtempSync(join(tmpdir(), 'lora-fleet-mutations-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void globalTeardown().finally(() => process.exit(1)))
  await globalSetup()
  try {
    const root = join(import.meta.dirname, '../..')
    const copies: Copy[] = []
    for (let at = 0; at < copiesAtOnce; at += 1) copies.push(await makeCopy(root, folder, at))
    const files = globSync(area.files, { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
    const tests = globSync(area.tests, { cwd: root })
    const run = { files: files.sort(), tests, sample, seed: values.seed, tell: console.log }
    const { made, possible, survivors } = await mutateFiles(copies, run)
    const noticed = made - survivors.length
    const score = made === 0 ? 1 : noticed / made
    const percent = Math.floor(score * 100)
    console.log(`${name}: ${noticed} of ${made} noticed (${percent} %), of ${possible}.`)
    return score < fewestNoticed ? 1 : 0
  } finally {
    await globalTeardown()
  }
}

if (import.meta.main) process.exitCode = await main()
