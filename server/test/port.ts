import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give away by themselves (Linux from 32768 on, others from 49152,
 * RFC 6335), where a connection or server of any other test could get it before it is used.
 */
const firstPort = 20_000
const portsOfOne = 16
const shares = 750

/** Each test process begins in a share of its own. */
let next = (process.pid % shares) * portsOfOne

/** A port of 127.0.0.1 that is free, and stays so. */
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
