import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems assign automatically (Linux from 32768 on, others from 49152, RFC
 * 6335). A connection or server of another test could take such a port before it is used.
 */
const firstPort = 20_000
const portsOfOne = 16
const shares = 750

/** Each test process starts in the share of its process id. */
let next = (process.pid % shares) * portsOfOne

/** Returns a free port of 127.0.0.1. The system does not assign it to another socket by itself. */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < shares * portsOfOne; tried += 1) {
    const port = firstPort + next
    next = (next + 1) % (shares * portsOfOne)
    if (await isFree(port)) return port
  }
  throw new Error('There is no free port.')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
