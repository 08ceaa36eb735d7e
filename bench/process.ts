import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A child process that answers questions over its IPC channel, one at a time. */
export interface Helper {
  /** Sends a message and waits for the answer. Throws when the process ends instead. */
  ask<Answer>(message: object): Promise<Answer>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
}

export interface HelperOptions {
  args?: string[]
  env?: Record<string, string>
  /** Options of Node itself. */
  nodeOptions?: string[]
}

const stopMilliseconds = 30_000
const probe = new URL('./probe.ts', import.meta.url).href

/** Starts a module with the probe as a child process, whose output goes to our stderr. */
export function startProcess(module: URL, options: HelperOptions = {}): Helper {
  const child = fork(fileURLToPath(module), options.args ?? [], {
    env: { ...process.env, ...options.env },
    execArgv: ['--import', probe, ...(options.nodeOptions ?? [])],
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${module.pathname} ended with ${code}`)))
  })
  ended.catch(() => {})
  return {
    async ask<Answer>(message: object) {
      const answer = once(child, 'message').then(([received]) => received as Answer)
      child.send(message)
      return Promise.race([answer, ended])
    },
    stop: () => stopChild(child),
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds)
  child.kill('SIGTERM')
  await once(child, 'exit')
  clearTimeout(timer)
}
