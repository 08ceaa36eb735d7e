import { once } from 'node:events'
import { createServer } from 'node:net'
import { SetupError } from '../db/setup-error.ts'

interface Address {
  host: string
  port: number
}

/** The beginning of the settings' names: HOST and PORT, or METRICS_HOST and METRICS_PORT. */
type Prefix = '' | 'METRICS_'

/**
 * Listens for a moment, to report a wrong HOST or a taken PORT before a database is started.
 * @throws SetupError that names the setting.
 */
export async function tryAddress({ host, port }: Address, prefix: Prefix = ''): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    throw describeListenFailure(error, { host, port }, prefix)
  }
  server.close()
  await once(server, 'close')
}

/** Turns an error of `listen` into a SetupError that says what to set. */
export function describeListenFailure(
  error: unknown,
  { host, port }: Address,
  prefix: Prefix = '',
): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  const [hostName, portName] = [`${prefix}HOST`, `${prefix}PORT`]
  const advice = `set ${hostName} to 127.0.0.1, or to 0.0.0.0 for all addresses of the machine`
  switch (error.code) {
    case 'EADDRINUSE':
      return new SetupError(
        `${portName} ${port} of ${hostName} ${host} is taken: end the program that listens there, or` +
          ` set ${portName} to another.`,
      )
    case 'EACCES':
      return new SetupError(
        `${portName} ${port} is not for this user: set ${portName} to 1024 or more.`,
      )
    case 'EADDRNOTAVAIL':
      return new SetupError(`${hostName} ${host} is no address of this machine: ${advice}.`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SetupError(`${hostName} ${host} is no name that leads to an address: ${advice}.`)
    default:
      return error
  }
}
