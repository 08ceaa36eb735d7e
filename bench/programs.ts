import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * Other programs that a measure needs, on loopback.
 */

/** Starts a program, whose errors go to our stderr. */
export function runProgram(program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 2] })
  child.on('error', (error) => process.stderr.write(`${program}: ${error.message}\n`))
  return child
}

/** Starts a broker that anybody on this machine may use, and that queues without a bound. */
export async function startMosquitto(directory: string, port: number): Promise<ChildProcess> {
  const file = join(directory, 'mosquitto.conf')
  const settings = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'log_type error']
  await writeFile(file, [...settings, 'max_queued_messages 0', ''].join('\n'))
  return runProgram('mosquitto', ['-c', file])
}

/** Waits up to 30 s until something listens on the port. */
export async function awaitPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(100)
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

/** SIGTERM, and waits for the end. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  child.kill('SIGTERM')
  await once(child, 'exit')
  clearTimeout(timer)
}
