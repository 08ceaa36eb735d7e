import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface CommandEnd {
  code: number | null
  output: string
  errors: string
}

const program = fileURLToPath(new URL('../lora-console.ts', import.meta.url))

/** Runs `lora-console` with only these settings, and none from the environment. */
export async function runCommand(
  words: readonly string[],
  settings: Record<string, string> = {},
  input?: string,
): Promise<CommandEnd> {
  const child = startCommand(words, settings)
  child.stdin.end(input)
  return endOf(child)
}

/** Starts it, for tests that end it before. */
export function startCommand(words: readonly string[], settings: Record<string, string> = {}) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return spawn(process.execPath, [program, ...words], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

export async function endOf(child: ReturnType<typeof startCommand>): Promise<CommandEnd> {
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, output, errors }
}
