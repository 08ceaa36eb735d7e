/** `npm run generators`: clients that generators make from the API document, compiled and used. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generators } from '../test/generators.ts'

const ownPackage = 'lora-fleet-client'
const names = [ownPackage, ...generators.map(({ name }) => name)]

/** The slower ones of those that read the document alike, or send the same requests. */
const alike = ['python', 'java', 'go', 'bruno']

const help = `npm run generators -- [--quick] [NAME...]

Makes clients from the API document with other people's generators, compiles them, and lets each log in, list
devices, register one, read uplinks and export them. Builds the Python package of clients/python, and uses it
likewise. What a generator needs and the machine lacks is
named, and its test skipped. The generators are downloaded.

Names: ${names.join(', ')} (all by default)
--quick leaves out those that a similar one stands for: ${alike.join(', ')}.
`

const { values, positionals } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (values.quick) positionals.push(...names.filter((name) => !alike.includes(name)))
const unknown = positionals.filter((name) => !names.includes(name))
if (values.help) process.stdout.write(help)
else if (unknown.length > 0) {
  process.stderr.write(`There is no generator ${unknown.join(', ')}; --help lists them.\n`)
  process.exitCode = 2
} else process.exitCode = run()

function run(): number | null {
  const folder = join(import.meta.dirname, '../test')
  const setup = `--test-global-setup=${join(folder, 'cluster.ts')}`
  const isOwnOnly = positionals.length > 0 && positionals.every((name) => name === ownPackage)
  const isOwnToo = positionals.length === 0 || positionals.includes(ownPackage)
  const others = positionals.filter((name) => name !== ownPackage)
  const patterns = others.map((name) => `--test-name-pattern=/ ${name}$/`)
  if (isOwnToo && others.length > 0) patterns.push('--test-name-pattern=/Python/')
  const files = [
    ...(isOwnToo ? ['python-client.ts'] : []),
    ...(isOwnOnly ? [] : ['generated-clients.ts']),
  ]
  const words = ['--test', setup, ...patterns, ...files.map((file) => join(folder, file))]
  return spawnSync(process.execPath, words, { stdio: 'inherit' }).status
}
