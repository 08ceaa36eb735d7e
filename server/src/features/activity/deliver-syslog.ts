import { createSocket } from 'node:dgram'
import { isIP, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { promisify } from 'node:util'
import { frame } from './syslog-message.ts'
import type { SyslogTarget } from './syslog-target.ts'

/** Milliseconds without progress after which a server counts as away. */
const patience = 10_000

/**
 * Sends messages. Syslog acknowledges nothing, so each call has a connection of its own, and ends when
 * the server has closed its side of it: then it has received every octet. By UDP nobody knows.
 *
 * @throws Error when the server is away, or closes before it has everything.
 */
export function deliver(target: SyslogTarget, messages: readonly Buffer[]): Promise<void> {
  return target.protocol === 'udp' ? sendDatagrams(target, messages) : sendStream(target, messages)
}

function sendStream(target: SyslogTarget, messages: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open(target)
    let isWritten = false
    socket.setTimeout(patience, () => {
      // Some servers keep their side open.
      if (isWritten) resolve()
      socket.destroy(new Error(`The syslog server did not take the records within ${patience} ms.`))
    })
    socket.once('error', reject)
    socket.once('finish', () => {
      isWritten = true
    })
    socket.once('end', () => {
      if (!isWritten) socket.destroy(new Error('The syslog server closed the connection.'))
    })
    socket.once('close', (hadError) => {
      if (!hadError && isWritten) resolve()
      else reject(new Error('The syslog server closed the connection.'))
    })
    // What the server says is not read, but its end is.
    socket.resume()
    socket.end(frame(messages))
  })
}

function open({ protocol, host, port, ca }: SyslogTarget): Socket {
  if (protocol === 'tcp') return openTcp({ host, port })
  const name = isIP(host) === 0 ? { servername: host } : {}
  return openTls({ host, port, ...name, ...(ca === undefined ? {} : { ca }) })
}

async function sendDatagrams({ host, port }: SyslogTarget, messages: readonly Buffer[]) {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
  const send = promisify<Buffer, number, string>(socket.send.bind(socket))
  try {
    for (const message of messages) await send(message, port, host)
  } finally {
    socket.close()
  }
}
