import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { Agent } from 'undici'
import type { Scope, Tell } from './world.ts'

/** A reverse proxy with TLS before the service, as docs/operation.md wants it, for people. */
export interface Front {
  address: string
  /** Of clients that know both certificates. */
  agent: Agent
  /** New connections get the second certificate. */
  changeCertificate(): void
}

const run = promisify(execFile)

/** Undefined where there is no openssl, which makes the certificates. */
export async function startFront(
  scope: Scope,
  { folder, toPort, tell }: { folder: string; toPort: string; tell: Tell },
): Promise<Front | undefined> {
  const made = await Promise.all(['first', 'second'].map((name) => make(folder, name))).catch(
    () => undefined,
  )
  const [first, second] = made ?? []
  if (!first || !second) {
    tell('left out: the certificate is not changed, since there is no openssl')
    return undefined
  }
  const open = new Set<Socket>()
  const server = createServer(first, (socket) => {
    const inner = connect(Number(toPort), '127.0.0.1')
    socket.pipe(inner).pipe(socket)
    for (const each of [socket, inner]) {
      open.add(each)
      each.on('error', () => undefined)
      each.on('close', () => {
        open.delete(each)
        for (const other of [socket, inner]) other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const agent = new Agent({ connect: { ca: [first.cert, second.cert] } })
  scope.after(async () => {
    server.close()
    for (const socket of open) socket.destroy()
    await agent.close()
  })
  return {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    agent,
    changeCertificate: () => server.setSecureContext(second),
  }
}

async function make(folder: string, name: string) {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = ['-subj', `/CN=${name}.example.test`, '-addext', 'subjectAltName=IP:127.0.0.1']
  await run('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert])
  return { key: await readFile(key), cert: await readFile(cert, 'utf8') }
}
