import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge, toCallInput } from '../src/features/device-types/codec-example.ts'
import { defaultCodecLimits } from '../src/sensors/codecs/codec.ts'
import { createSandbox, type Sandbox } from '../src/sensors/codecs/sandbox.ts'
import { type PublishedType, readPublishedType } from './codec-files.ts'

const help = `Makes device types of codecs as makers publish them, with their examples.

  lora-console codec [options] <file or folder>...

Files: <codec>.yaml of TheThingsNetwork/lorawan-devices; devices/<device>.toml or codecs/<codec>.js
of chirpstack/chirpstack-device-profiles; a device profile of ChirpStack's API as .json. Of a folder
every <name>-codec.yaml and every file below codecs/ is taken.

  --url <url>             the service (http://127.0.0.1:8080)
  --organization <id>     whose type it becomes (1)
  --check                 only runs the examples, here, and tells how many come out as published
  --help                  shows this

The token of a member with manage_devices is read from API_TOKEN.`

const { values, positionals } = readWords()

if (values.help || positionals.length === 0) console.log(help)
else if (values.check) await checkAll()
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

async function post(type: PublishedType): Promise<string> {
  const answer = await fetch(`${values.url}/v1/device-types`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.API_TOKEN ?? ''}`,
      organization: values.organization,
      'content-type': 'application/json',
    },
    body: JSON.stringify(type),
    signal: AbortSignal.timeout(60_000),
  })
  const body = (await answer.json()) as {
    message?: string
    data?: { id: number; full_name: string; example_results: { passed: boolean }[] }
  }
  if (!body.data) throw new Error(`${answer.status} ${body.message ?? ''}`)
  const { id, full_name, example_results: results } = body.data
  const passed = results.filter((result) => result.passed).length
  return `device type ${id}, ${full_name}; ${passed} of ${results.length} examples come out`
}

async function checkAll(): Promise<void> {
  const sandbox = await createSandbox(defaultCodecLimits)
  const counts = { codecs: 0, examples: 0, passed: 0 }
  for (const path of await listFiles()) {
    const type = await read(path)
    if (!type) continue
    const passed = type.examples.filter((example) => passes(sandbox, type, example)).length
    counts.codecs += 1
    counts.examples += type.examples.length
    counts.passed += passed
    if (passed < type.examples.length) {
      console.log(`${path}: ${passed} of ${type.examples.length} examples come out`)
    }
  }
  console.log(`${counts.passed} of ${counts.examples} examples of ${counts.codecs} codecs come out`)
}

function passes(
  sandbox: Sandbox,
  { codec }: PublishedType,
  example: PublishedType['examples'][number],
): boolean {
  const input = toCallInput(example.function, example.input, new Date())
  return judge(example, sandbox.call({ source: codec ?? '', name: example.function, input })).passed
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
  const lists = positionals.map(async (path) => {
    if (!(await stat(path)).isDirectory()) return [path]
    const files = await readdir(path, { recursive: true })
    return files.filter(holdsCodec).map((file) => join(path, file))
  })
  return (await Promise.all(lists)).flat().sort()
}

function holdsCodec(path: string): boolean {
  if (path.endsWith('-codec.yaml')) return true
  return path.endsWith('.js') && basename(dirname(path)) === 'codecs'
}
