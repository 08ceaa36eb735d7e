import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import { findFreePort } from './port.ts'

/** A syslog server that reads messages behind their length in octets (RFC 6587, 3.4.1). */
export interface SyslogServer {
  port: number
  /** In the order in which they came, repeated ones too. */
  messages: string[]
  /** Cuts this many of the next connections off before it has read them. */
  cutNext(connections: number): void
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

export async function startSyslogServer(t: {
  after(end: () => Promise<void>): unknown
}): Promise<SyslogServer> {
  const port = await findFreePort()
  const messages: string[] = []
  let cuts = 0
  let server: Server | undefined
  const comeBack = async () => {
    server = createServer((socket) => void read(socket).catch(() => undefined))
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  }
  const read = async (socket: Socket) => {
    if (cuts > 0) {
      cuts -= 1
      socket.resetAndDestroy()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    messages.push(...unframe(Buffer.concat(chunks)))
  }
  const goAway = async () => {
    await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
    server = undefined
  }
  t.after(goAway)
  await comeBack()
  const cutNext = (connections: number) => {
    cuts = connections
  }
  return { port, messages, cutNext, goAway, comeBack }
}

function unframe(bytes: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const head = /^([1-9]\d*) /.exec(bytes.subarray(at, at + 10).toString('latin1'))
    assert.ok(head, `no length of a message at octet ${at}`)
    const start = at + head[0].length
    at = start + Number(head[1])
    assert.ok(at <= bytes.length, 'a message is cut off')
    messages.push(bytes.subarray(start, at).toString('utf8'))
  }
  return messages
}
