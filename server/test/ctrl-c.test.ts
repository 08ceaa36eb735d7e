import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { removeEmbedded } from '../src/db/embedded.ts'
import { findFreePort } from './port.ts'

const noGroups = { skip: process.platform === 'win32' }
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts a program in its own process group, as a terminal does. */
async function startInGroup(
  t: TestContext,
  program: string,
  settings: Record<string, string>,
  words: readonly string[] = [],
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'lora-fleet-ctrl-c-'))
  const path = fileURLToPath(new URL(program, import.meta.url))
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const port = String(await findFreePort())
  const child = spawn(process.execPath, [path, ...words], {
    detached: true,
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PORT: port,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  t.after(async () => {
    child.kill('SIGKILL')
    await removeEmbedded({ dataDir, log: quiet })
  })
  return { child, output: () => text }
}

/** Sends SIGINT to every process of the group, as Ctrl-C in a terminal does. */
async function pressCtrlC({ pid }: ChildProcess, ended: Promise<unknown>): Promise<void> {
  assert(pid)
  process.kill(-pid, 'SIGINT')
  await Promise.race([ended, wait(30_000).then(() => assert.fail('it does not end'))])
}

function holdsNoTrace(output: string): void {
  assert.doesNotMatch(output, /^ +at |"stack"|secretKey|_events|node:internal|"level":(50|60)/m)
}

describe('Ctrl-C prints no stack trace, and ends', () => {
  for (const delay of [300, 900, 1500, 2500, 4000, 8000]) {
    test(`the service ${delay} ms after its start`, noGroups, async (t) => {
      const { child, output } = await startInGroup(t, '../src/main.ts', {})
      const ended = once(child, 'exit')
      await wait(delay)
      await pressCtrlC(child, ended)
      holdsNoTrace(output())
    })
  }

  test('the service with several server processes', noGroups, async (t) => {
    for (const delay of [3000, 6000]) {
      const { child, output } = await startInGroup(t, '../src/main.ts', { WORKERS: '2' })
      const ended = once(child, 'exit')
      await wait(delay)
      await pressCtrlC(child, ended)
      holdsNoTrace(output())
    }
  })

  test('the service with several server processes, once they serve', noGroups, async (t) => {
    const settings = { WORKERS: '2', LOG_LEVEL: 'info' }
    const { child, output } = await startInGroup(t, '../src/main.ts', settings)
    const ended = once(child, 'exit')
    while (!output().includes('"msg":"serving"')) {
      assert.equal(child.exitCode, null, output())
      await wait(20)
    }
    await pressCtrlC(child, ended)
    holdsNoTrace(output())
    assert.equal(child.exitCode, 0, 'it ends before its time is over')
  })

  for (const delay of [1200, 3000, 6000]) {
    test(`the demo ${delay} ms after its start, and leaves nothing`, noGroups, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'lora-fleet-demo-'))
      t.after(() => rm(folder, { recursive: true, force: true }))
      await chmod(folder, 0o755)
      const { child, output } = await startInGroup(t, '../demo/main.ts', { TMPDIR: folder })
      const ended = once(child, 'exit')
      await wait(delay)
      await pressCtrlC(child, ended)
      holdsNoTrace(output())
      // PostgreSQL reports each connection that it ends.
      assert.doesNotMatch(output(), /FATAL/)
      assert.deepEqual(await readdir(folder), [])
    })
  }

  test('the demo with a fleet that takes long, before it runs', noGroups, async (t) => {
    const { child, output } = await startInGroup(t, '../demo/main.ts', {}, [
      ...['--devices', '200', '--networks', 'all'],
    ])
    const ended = once(child, 'exit')
    await wait(3500)
    await pressCtrlC(child, ended)
    assert.doesNotMatch(output(), /The demo runs|FATAL/)
  })
})
