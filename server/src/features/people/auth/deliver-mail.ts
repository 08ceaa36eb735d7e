import { setTimeout as sleep } from 'node:timers/promises'
import type { Transporter } from 'nodemailer'
import type { MailSettings } from './mail-settings.ts'

/** Milliseconds that one try may take. */
const patience = 30_000
const step = 10_000

/** Tries once, on a connection of its own. Most processes never do, and load no mailer. */
export function deliver(mail: MailSettings, message: Message): Promise<void> {
  const { to, ...rest } = message
  return withServer(mail, (transport) =>
    transport.sendMail({ from: mail.from, to: { name: '', address: to }, ...rest }),
  )
}

/** Connects and logs in, and sends nothing. @throws Error with the server's words. */
export function greet(mail: MailSettings): Promise<void> {
  return withServer(mail, (transport) => transport.verify())
}

async function withServer(
  { host, port, isSecure, login }: MailSettings,
  work: (transport: Transporter) => Promise<unknown>,
): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    // A password is not sent unencrypted to another machine.
    requireTLS: login !== undefined && !isLoopback(host),
    ...(login ? { auth: login } : {}),
    connectionTimeout: step,
    greetingTimeout: step,
    dnsTimeout: step,
    socketTimeout: step,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const working = work(transport)
  const timer = new AbortController()
  const late = sleep(patience, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The mail server took longer than ${patience / 1000} s.`)
  })
  try {
    await Promise.race([working, late])
  } finally {
    timer.abort()
    late.catch(() => {})
    working.catch(() => {})
    transport.close()
  }
}

export interface Message {
  to: string
  subject: string
  text: string
  headers: Record<string, string>
  /** The same at every attempt, so that mail servers and readers see a repetition. */
  messageId?: string
  attachments?: { filename: string; content: Buffer }[]
}

/** The server has refused the mail for good (5yz), or refuses the login. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = 'responseCode' in error ? Number(error.responseCode) : 0
  return status >= 500 && status < 600
}

/** Leaves out the rest of the error, which may contain the address. */
export function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return { reason: String(error) }
  return { reason: 'code' in error ? String(error.code) : error.name }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}
