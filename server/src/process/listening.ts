import { once } from 'node:events'
import { createServer } from 'node:net'
import { SetupError } from '../db/setup-error.ts'

interface Address {
  host: string
  port: number
}

/**
 * Listens for a moment, to report a wrong HOST or a taken PORT before a database is started.
 * @throws SetupError that names the setting.
 */
export async function tryAddress({ host, port }: Address): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    throw describeListenFailure(error, { host, port })
  }
  server.close()
  await once(server, 'close')
}

/** Turns an error of `listen` into a SetupError that says what to set. */
export function describeListenFailure(error: unknown, { host, port }: Address): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  switch (error.code) {
    case 'EADDRINUSE':
      return new SetupError(
        `PORT ${port} of HOST ${host} is taken: end the program that listens there, or set PORT` +
          ' to another.',
      )
    case 'EACCES':
      return new SetupError(`PORT ${port} is not for this user: set PORT to 1024 or more.`)
    case 'EADDRNOTAVAIL':
      return new SetupError(`HOST ${host} is no address of this machine: ${advice}.`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SetupError(`HOST ${host} is no name that leads to an address: ${advice}.`)
    default:
      return error
  }
}

const advice = 'set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses of the machine'
