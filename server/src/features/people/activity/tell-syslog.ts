import { createSocket } from 'node:dgram'
import { isIP, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { promisify } from 'node:util'
import type { CoreServices } from '../../core-services.ts'
import { findPlace } from './chain-export.ts'
import { type ClaimedChain, claimUntold, settleTold } from './chain-queries.ts'
import { type AuditLine, canonicalForm } from './chain-record.ts'
import type { SyslogTarget } from './syslog-target.ts'
import { readLines } from './verify-chain.ts'

/** Facility 13, log audit; a refusal is a warning (4), a change a notice (5). RFC 5424, 6.2.1. */
const facility = 13 * 8
const severities = { refused: 4, done: 5 }

/**
 * A record as a message of RFC 5424. Its text is the exported line, so what a log server has
 * stored can be verified too.
 */
function toSyslogMessage(line: AuditLine, hostName: string): Buffer {
  const severity = line.kind === 'request' ? severities.refused : severities.done
  const head = `<${facility + severity}>1 ${line.at} ${hostName} lora-console - audit -`
  return Buffer.from(`${head} ${canonicalForm(line)}`)
}

/** Messages in a stream, each behind its length in octets (RFC 5425, 4.3; RFC 6587, 3.4.1). */
function frame(messages: readonly Buffer[]): Buffer {
  return Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
}

/** Milliseconds without progress after which a server counts as away. */
const patience = 10_000

/**
 * Sends messages. Syslog acknowledges nothing, so each call has a connection of its own, and ends when
 * the server has closed its side of it: then it has received every octet. By UDP nobody knows.
 *
 * @throws Error when the server is away, or closes before it has everything.
 */
function deliver(target: SyslogTarget, messages: readonly Buffer[]): Promise<void> {
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

export interface AuditServices extends CoreServices {
  /** Where the operator wants the records of the activity; undefined where nowhere. */
  auditSyslog?: SyslogTarget | undefined
}

type Services = Pick<
  AuditServices,
  'db' | 'sealer' | 'presence' | 'publicUrl' | 'log' | 'auditSyslog'
>

/**
 * Sends chained records to the syslog server, at least once and in order for each organization. The
 * organizations take turns, a portion each. What could not be sent is sent by the next run.
 */
export async function tellSyslog(services: Services, isStopped = () => false): Promise<void> {
  const { db, presence, auditSyslog, log } = services
  if (!auditSyslog) return
  while (!isStopped()) {
    const chain = await claimUntold(db, presence.id)
    if (!chain) return
    try {
      const told = await tellPortion(services, auditSyslog, chain)
      await settleTold(db, { ...chain, told_position: told })
    } catch (err) {
      await settleTold(db, chain)
      const { host, port } = auditSyslog
      log.warn({ err, host, port }, 'records of the activity were not sent to the syslog server')
      return
    }
  }
}

/** Returns the last position that was sent. */
async function tellPortion(
  services: Services,
  target: SyslogTarget,
  { organization_id, told_position }: ClaimedChain,
): Promise<number> {
  const { hostname } = new URL(services.publicUrl)
  const place = await findPlace(services, organization_id, told_position)
  for await (const lines of readLines(services.db, organization_id, place)) {
    await deliver(
      target,
      lines.map((line) => toSyslogMessage(line, hostname)),
    )
    return lines.at(-1)?.position ?? told_position
  }
  return told_position
}
