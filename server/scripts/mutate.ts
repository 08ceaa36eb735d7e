/**
 * `npm run mutate -- AREA [--most N] [--seed S]`: makes typical mistakes in the files of an area, one
 * at a time in a copy, and prints those that its tests let pass. StrykerJS does not drive Node's own
 * runner with a global PostgreSQL (`cluster.ts`).
 */
import { execFileSync, spawnSync } from 'node:child_process'
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
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { areas } from './mutation-areas.ts'

/** One mistake: the text at `at` is `was`, and becomes `now`. */
export interface Mutation {
  at: number
  was: string
  now: string
}

const value = /\$\d+(?:::\w+(?:\[\])?)?|any\(\$\d+(?:::\w+\[\])?\)|'\w*'|[\w.]+/.source
const condition = new RegExp(`(?<=\\b(?:where|and|on) )[\\w.]+ (?:=|<>|<=?|>=?) (?:${value})`, 'g')

const rules: [RegExp, (was: string) => string][] = [
  [/ (?:===|!==) /g, (was) => (was === ' === ' ? ' !== ' : ' === ')],
  [/ [<>] (?!\()/g, (was) => `${was.trimEnd()}= `],
  [/ [<>]= /g, (was) => was.replace('=', '')],
  [/ (?:&&|\|\|) /g, (was) => (was === ' && ' ? ' || ' : ' && ')],
  [/(?<=\bif \().+(?=\) (?:\{$|return|throw|continue|break))/g, (was) => `!(${was})`],
  // A part of a statement's condition; its parameters keep their types.
  [condition, (was) => `(${was} or true)`],
  [/ is (?:not )?null\b/g, (was) => (was === ' is null' ? ' is not null' : ' is null')],
  [/(?<=\breturn )(?:true|false)$/g, (was) => String(was === 'false')],
  [
    /(?<![\w.$'"#-])\d[\d_]*(?:\.\d+)?(?![\w'".])/g,
    (was) => String(Number(was.replaceAll('_', '')) + 1),
  ],
  [/(?<=^ +)(?:await )?[a-z][\w.?]*\([^;]*\)$/g, () => ';'],
]

const noCode =
  /^\s*(?:\/?\*|\/\/|import |export \* |\} from |interface |(?:export )?type )|\.describe\(/
/** A line that goes on in the next one, so that this one is no statement. */
const goesOn = /(?:[=(?:,[]|=>|&&|\|\||\?\?|return)$/

/** All mistakes that the rules make in a text and that Node still reads. */
export function findMutations(text: string): Mutation[] {
  const found: Mutation[] = []
  let start = 0
  const lines = text.split('\n')
  lines.forEach((line, index) => {
    const isPart = goesOn.test(lines[index - 1] ?? '') || /^\s*[.?:&|]/.test(lines[index + 1] ?? '')
    for (const [pattern, change] of noCode.test(line) ? [] : rules) {
      for (const { 0: was, index: at } of line.matchAll(pattern)) {
        const now = change(was)
        if (now !== ';' || !isPart) found.push({ at: start + at, was, now })
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

interface Run {
  files: readonly string[]
  tests: readonly string[]
  most: number
  seed: string
  /** More arguments of Node's test runner. */
  setup?: readonly string[]
  tell?: (line: string) => void
}

/** Mutates files below a folder, which is a copy, and returns how many were made and which passed. */
export function mutateFiles(root: string, { files, tests, most, seed, setup = [], tell }: Run) {
  const passes = (timeout?: number) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const args = ['--test', ...setup, ...tests]
    return spawnSync(process.execPath, args, { cwd: root, env, timeout }).status === 0
  }
  const begin = performance.now()
  if (!passes()) throw new Error('The tests fail without a mistake.')
  // A mistake that lets a test wait forever is noticed too.
  const patience = 30_000 + 5 * Math.ceil(performance.now() - begin)
  const placed = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return findMutations(text).map((mutation) => ({ file, text, mutation }))
  })
  const order = ({ file, mutation }: (typeof placed)[number]) =>
    createHash('sha256')
      .update(`${seed} ${file} ${JSON.stringify(mutation)}`)
      .digest('hex')
  const chosen = placed
    .map((one) => ({ ...one, order: order(one) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .slice(0, most)
  const survivors = chosen.flatMap(({ file, text, mutation }) => {
    writeFileSync(join(root, file), apply(text, mutation))
    const isSurvivor = passes(patience)
    writeFileSync(join(root, file), text)
    const line = text.slice(0, mutation.at).split('\n').length
    const words = `${file}:${line} ${mutation.was.trim()} -> ${mutation.now.trim()}`
    tell?.(`${isSurvivor ? 'survived' : 'noticed '} ${words}`)
    return isSurvivor ? [words] : []
  })
  return { made: chosen.length, possible: placed.length, survivors }
}

/** Copies the project as it is now, uncommitted files included, and returns the copy's folder. */
function copyProject(root: string, copy: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  for (const path of git('ls-files', '-co', '--exclude-standard', '-z').split('\0')) {
    if (path && existsSync(join(root, path))) cpSync(join(root, path), join(copy, path))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

const fewestNoticed = 0.9
const help = `npm run mutate -- AREA [--most N] [--seed S]

Makes typical mistakes in the files of an area, one at a time, and prints those that its tests let
pass. The exit code is 1 if they notice fewer than 90 %.

  --most N   how many mistakes at most (40)
  --seed S   any text; another one chooses other mistakes (1)

Areas: ${Object.keys(areas).join(', ')}`

function main(): number {
  const { values, positionals } = parseArgs({
    options: {
      most: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const [name = ''] = positionals
  const area = Object.hasOwn(areas, name) ? areas[name] : undefined
  const most = Number(values.most)
  if (values.help || !area || !(most > 0)) {
    console.log(help)
    return values.help ? 0 : 2
  }
  const root = join(import.meta.dirname, '../..')
  const copy = mkdtempSync(join(tmpdir(), 'lora-fleet-mutations-'))
  try {
    copyProject(root, copy)
    const files = globSync(area.files, { cwd: copy }).filter((path) => !path.endsWith('.test.ts'))
    const tests = globSync(area.tests, { cwd: copy })
    const setup = ['--test-global-setup=server/test/cluster.ts']
    const run = { files: files.sort(), tests, most, seed: values.seed, setup, tell: console.log }
    const { made, possible, survivors } = mutateFiles(copy, run)
    const noticed = made - survivors.length
    const score = made === 0 ? 1 : noticed / made
    console.log(
      `${name}: ${noticed} of ${made} noticed (${Math.floor(score * 100)} %), of ${possible}.`,
    )
    return score < fewestNoticed ? 1 : 0
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (import.meta.main) process.exitCode = main()
