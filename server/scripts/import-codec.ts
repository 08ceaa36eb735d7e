import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { countOf, describeFault } from '../src/commands/command.ts'
import { judge, toCallInput } from '../src/features/fleet/device-types/codec-example.ts'
import { defaultCodecLimits } from '../src/sensors/codecs/codec.ts'
import { createSandbox, type Sandbox } from '../src/sensors/codecs/sandbox.ts'
import { type PublishedType, readPublishedType } from './codec-files.ts'

const help = `Makes device types of codecs as makers publish them, with their examples.

  lora-console codec [options] <file or folder>...
  lora-console codec test <file or folder>...

"codec test" only runs the examples, here, and tells how many come out as published. Without it, a type
that is there already, by name and part number, is changed.

Files: <codec>.yaml of TheThingsNetwork/lorawan-devices; devices/<device>.toml or codecs/<codec>.js
of chirpstack/chirpstack-device-profiles; a device profile of ChirpStack's API as .json. Of a folder
every <name>-codec.yaml and every file below codecs/ is taken. Mind the licences: lorawan-devices
allows to take single devices, and no substantial part of it.

  --url <url>             the service (http://127.0.0.1:8080)
  --organization <id>     whose type it becomes (1)
  --check                 as codec test
  --help                  shows this

The token of a member with manage_devices is read from API_TOKEN.`

/** At most this many are reported for one codec. */
const mostFaults = 5

const { values, positionals } = readWords()
const isTest = positionals[0] === 'test'
const paths = isTest ? positionals.slice(1) : positionals

if (values.help) console.log(help)
else if (paths.length === 0) {
  process.stderr.write(`Name a file or a folder.\n\n${help}\n`)
  process.exitCode = 2
} else if (isTest || values.check) await checkAll()
else await importAll()

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:8080' },
        organization: { type: 'string', default: '1' },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    const words = error instanceof Error ? error.message.split('. ', 1)[0] : error
    process.stderr.write(`${words}; --help lists the options.\n`)
    process.exit(2)
  }
}

async function importAll(): Promise<void> {
  for (const path of await listFiles()) {
    const type = await read(path)
    if (type) await report(path, post(type))
  }
}

interface Answered {
  message?: string
  data?: { id: number; full_name: string; example_results: { passed: boolean }[] }
}

async function post(type: PublishedType): Promise<string> {
  const id = await findKnown(type)
  const { data } =
    id === undefined
      ? await ask<Answered>('POST', '', type)
      : await ask<Answered>('PATCH', `/${id}`, type)
  if (!data) throw new Error('The service answered with no device type.')
  const { full_name, example_results: results } = data
  const passed = results.filter((result) => result.passed).length
  const what = id === undefined ? 'device type' : 'changed device type'
  return `${what} ${data.id}, ${full_name}; ${passed} of ${results.length} examples come out`
}

/** The id of the type that an earlier run has made. */
async function findKnown({ type_name, part_number }: PublishedType): Promise<number | undefined> {
  for (let page = 1; ; page += 1) {
    const { data } = await ask<{ data: { id: number; type_name: string; part_number: string }[] }>(
      'GET',
      `?itemsPerPage=1000&page=${page}`,
    )
    const known = data.find((one) => one.type_name === type_name && one.part_number === part_number)
    if (known || data.length < 1000) return known?.id
  }
}

async function ask<Body>(method: string, path: string, sent?: PublishedType): Promise<Body> {
  const answer = await fetch(`${values.url}/v1/device-types${path}`, {
    method,
    headers: {
      authorization: `Bearer ${process.env.API_TOKEN ?? ''}`,
      organization: values.organization,
      ...(sent && { 'content-type': 'application/json' }),
    },
    ...(sent && { body: JSON.stringify(sent) }),
    signal: AbortSignal.timeout(60_000),
  })
  const body = (await answer.json()) as Body & { message?: string }
  if (!answer.ok) throw new Error(`${answer.status} ${body.message ?? ''}`)
  return body
}

async function checkAll(): Promise<void> {
  const sandbox = await createSandbox(defaultCodecLimits)
  const counts = { codecs: 0, examples: 0, passed: 0 }
  for (const path of await listFiles()) {
    const type = await read(path)
    if (!type) continue
    const faults = type.examples.flatMap((example, index) =>
      findFault(sandbox, type, example, `example ${index + 1}`),
    )
    const passed = type.examples.length - faults.length
    counts.codecs += 1
    counts.examples += type.examples.length
    counts.passed += passed
    if (passed < type.examples.length) {
      console.log(`${path}: ${passed} of ${countOf(type.examples.length, 'example')} come out`)
      for (const fault of faults.slice(0, mostFaults)) console.log(`  ${fault}`)
    }
  }
  const [examples, codecs] = [countOf(counts.examples, 'example'), countOf(counts.codecs, 'codec')]
  console.log(`${counts.passed} of ${examples} of ${codecs} come out`)
}

/** Why an example does not come out. */
function findFault(
  sandbox: Sandbox,
  { codec }: PublishedType,
  example: PublishedType['examples'][number],
  place: string,
): string[] {
  const input = toCallInput(example.function, example.input, new Date())
  const outcome = sandbox.call({ source: codec ?? '', name: example.function, input })
  const { passed, error, differences } = judge(example, outcome)
  if (passed) return []
  const words = differences
    .slice(0, 3)
    .map(({ path, before, after }) => `${path} is ${tell(after)}, published as ${tell(before)}`)
  return [`${example.description || place}: ${error ?? words.join('; ')}`]
}

function tell(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 100)
}

/** Undefined, and a word about it, for a file that holds no codec. */
async function read(path: string): Promise<PublishedType | undefined> {
  try {
    return await readPublishedType(path)
  } catch (error) {
    fail(path, error)
    return undefined
  }
}

async function report(path: string, done: Promise<string>): Promise<void> {
  try {
    console.log(`${path}: ${await done}`)
  } catch (error) {
    fail(path, error)
  }
}

function fail(path: string, error: unknown): void {
  console.error(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function listFiles(): Promise<string[]> {
  const lists = paths.map(async (path) => {
    const found = await stat(path).catch((error) =>
      fail(path, new Error(`${describeFault(error)}.`)),
    )
    if (!found?.isDirectory()) return found ? [path] : []
    const files = await readdir(path, { recursive: true })
    return files.filter(holdsCodec).map((file) => join(path, file))
  })
  return (await Promise.all(lists)).flat().sort()
}

function holdsCodec(path: string): boolean {
  if (path.endsWith('-codec.yaml')) return true
  return path.endsWith('.js') && basename(dirname(path)) === 'codecs'
}
