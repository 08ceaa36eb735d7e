import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/*
 * Loaded with `--import` into every process that is measured: it tells over the IPC channel how
 * busy the process was and how long its event loop was held.
 */

/** What a probe answers to `{ probe: 'read' }`: since the last `{ probe: 'reset' }`. */
export interface ProbeReading {
  /** Share of one core, 1 is all of it: user and system time of all threads. */
  cpu: number
  /** Share of the time that the event loop was not waiting. */
  eventLoop: number
  /** The longest that a timer of 5 ms came late, in milliseconds. */
  longestDelay: number
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
  return {
    cpu: (user + system) / 1000 / (performance.now() - since),
    eventLoop: performance.eventLoopUtilization(loop).utilization,
    longestDelay: Math.max(0, delays.max / 1e6 - resolution),
  }
}

process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('probe' in message)) return
  if (message.probe === 'reset') reset()
  process.send?.(message.probe === 'reset' ? {} : read())
})
// Whoever asked is gone: nobody else would stop this process.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
