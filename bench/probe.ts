import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/*
 * Loaded with `--import` into every measured process. It reports over the IPC channel how busy the
 * process was and how long its event loop was blocked.
 */

/** The answer to `{ probe: 'read' }`, about the time since the last `{ probe: 'reset' }`. */
export interface ProbeReading {
  /** Share of one core, 1 is all of it: user and system time of all threads. */
  cpu: number
  /** The same in seconds. */
  cpuSeconds: number
  /** Share of the time that the event loop was not waiting. */
  eventLoop: number
  /** The longest delay of a timer of 5 ms, in milliseconds. */
  longestDelay: number
  /** Resident, in MB. */
  memory: number
}

const resolution = 5
const delays = monitorEventLoopDelay({ resolution })
delays.enable()
let cpu = process.cpuUsage()
let since = performance.now()
let loop = performance.eventLoopUtilization()

function reset(): void {
  delays.reset()
  cpu = process.cpuUsage()
  since = performance.now()
  loop = performance.eventLoopUtilization()
}

function read(): ProbeReading {
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = (user + system) / 1e6
  return {
    cpu: (cpuSeconds * 1000) / (performance.now() - since),
    cpuSeconds,
    eventLoop: performance.eventLoopUtilization(loop).utilization,
    longestDelay: Math.max(0, delays.max / 1e6 - resolution),
    memory: process.memoryUsage.rss() / 1e6,
  }
}

process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('probe' in message)) return
  if (message.probe === 'reset') reset()
  process.send?.(message.probe === 'reset' ? {} : read())
})
// The parent process is gone, and nothing else would stop this one.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
