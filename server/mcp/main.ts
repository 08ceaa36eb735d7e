import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { ApiError } from '../../clients/typescript/src/errors.ts'
import { createMcpServer } from './create-server.ts'
import { openService } from './service.ts'

const help = `Answers the questions of an assistant about the fleet (Model Context Protocol, over stdio).

  lora-console mcp [options]

  --url URL        the service (http://127.0.0.1:8080)
  --key-file PATH  a file with an API key, in place of LORA_CONSOLE_KEY
  --allow-writes   also offers to send settings, acknowledge alerts and rename devices, if the key has
                   manage_devices
  --help           shows this

docs/mcp.md tells how an assistant starts it.`

const { values } = readWords()
if (values.help) console.log(help)
else await serve()

function readWords() {
  try {
    return parseArgs({
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:8080' },
        'key-file': { type: 'string' },
        'allow-writes': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    const words = error instanceof Error ? error.message.split('. ', 1)[0] : error
    return fail(`${words}; --help lists the options.`, 2)
  }
}

/** Standard output carries only the protocol. */
function fail(message: string, code: 1 | 2): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

function readUrl(): string {
  const { url } = values
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    fail(`--url must be an address such as https://lora.example.com, and not ${url}.`, 2)
  }
  return url
}

function readKey(): string {
  const path = values['key-file']
  const key = path === undefined ? process.env.LORA_CONSOLE_KEY : readFile(path)
  // What is no header value would be repeated by the error of the request.
  if (key !== undefined && /^[\x21-\x7e]+$/.test(key.trim())) return key.trim()
  return fail('Set LORA_CONSOLE_KEY to an API key, or name a file with one by --key-file.', 2)
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : code
    return fail(`${path} cannot be read: ${why}.`, 1)
  }
}

async function serve(): Promise<void> {
  const [url, key] = [readUrl(), readKey()]
  const ask = openService(url, key)
  try {
    const { data } = await ask('getCurrentUser', {})
    const { permissions } = data
    const server = createMcpServer(ask, { allowsWrites: values['allow-writes'], permissions })
    // The client ends the program by closing its input.
    process.stdin.once('end', () => process.exit(0))
    await server.connect(new StdioServerTransport())
  } catch (error) {
    if (error instanceof ApiError) fail(`${url}: ${error.message}`, 1)
    throw error
  }
}
