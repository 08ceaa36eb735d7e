/** `npm run generators`: clients that generators make from the API document, compiled and used. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generators } from '../test/generators.ts'

const help = `npm run generators -- [NAME...]

Makes clients from the API document with other people's generators, compiles them, and lets each log in, list
devices, register one, read uplinks and export them. What a generator needs and the machine lacks is
named, and its test skipped. The generators are downloaded.

Names: ${generators.map(({ name }) => name).join(', ')} (all by default)
`

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !generators.some((each) => each.name === name))
if (values.help) process.stdout.write(help)
else if (unknown.length > 0) {
  process.stderr.write(`There is no generator ${unknown.join(', ')}; --help lists them.\n`)
  process.exitCode = 2
} else process.exitCode = run()

function run(): number | null {
  const folder = join(import.meta.dirname, '../test')
  const setup = `--test-global-setup=${join(folder, 'cluster.ts')}`
  const names = positionals.map((name) => `--test-name-pattern=/ ${name}$/`)
  const words = ['--test', setup, ...names, join(folder, 'generated-clients.ts')]
  return spawnSync(process.execPath, words, { stdio: 'inherit' }).status
}
