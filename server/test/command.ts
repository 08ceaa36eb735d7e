import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface CommandEnd {
  code: number | null
  output: string
  errors: string
}

const program = fileURLToPath(new URL('../src/lora-console.ts', import.meta.url))

/** Runs `lora-console` with only these settings, and none from the environment. */
export async function runCommand(
  words: readonly string[],
  settings: Record<string, string> = {},
  input?: string,
): Promise<CommandEnd> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  const ended = once(child, 'exit')
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ])
  return { code, output, errors }
}
