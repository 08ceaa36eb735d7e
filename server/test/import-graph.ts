import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface Import {
  /** The path relative to the root. */
  target: string
  isTypeOnly: boolean
}

/**
 * Finds `import … from './x.ts'`, `export … from`, `import('./x.ts')`, and `new URL` of a worker.
 */
export function readImports(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const find = (pattern: RegExp, isTypeOnly: boolean) =>
    [...text.matchAll(pattern)].map(([, path = '']) => ({
      target: relative(root, join(root, dirname(file), path)),
      isTypeOnly,
    }))
  return [
    ...find(/^(?:import|export) type\s[^'"]*?\sfrom '(\.[^']+\.ts)'/gm, true),
    ...find(/^(?:import|export) (?!type\s)(?:[^'"]*?\sfrom )?'(\.[^']+\.ts)'/gm, false),
    ...find(/\b(?:import|new URL)\(\s*'(\.[^']+\.ts)'/g, false),
  ]
}

/** The modules by which a test gets a database: of the test run, or an embedded one of its own. */
const ofTheRun = join('server', 'test', 'database.ts')
const ofItsOwn = join('server', 'src', 'db', 'embedded.ts')

/** Returns which database a test file of the server needs, if any. */
export function databaseFinder(root: string): (test: string) => 'shared' | 'own' | undefined {
  const sources = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
  const targets = new Map(
    sources
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join('server', path))
      .map((path) => [path, readImports(root, path).map(({ target }) => target)]),
  )
  return (test) => {
    const reached = new Set([join(test)])
    for (const file of reached) for (const target of targets.get(file) ?? []) reached.add(target)
    if (reached.has(ofTheRun)) return 'shared'
    return reached.has(ofItsOwn) ? 'own' : undefined
  }
}
