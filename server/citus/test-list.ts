import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The test files of the server that need a database, by what they do on Citus. */
interface TestList {
  /** They hold, and CI has the time for them. */
  forCi: string[]
  /** They hold. */
  others: string[]
  /** They do not fit Citus, or do not hold there; `tests.txt` gives the reason of each. */
  leftOut: string[]
}

/** Reads `tests.txt`, whose three headings begin with `#`. */
export function readTestList(): TestList {
  const text = readFileSync(join(import.meta.dirname, 'tests.txt'), 'utf8')
  const [, forCi = [], others = [], leftOut = []] = text
    .split(/^#.*$/m)
    .map((section) => section.split('\n').filter((line) => line !== ''))
  return { forCi, others, leftOut: leftOut.map((line) => line.replace(/: .*$/, '')) }
}
