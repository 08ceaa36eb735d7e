import { isEmail } from '../users/emails.ts'

/** The operator's mail server, and the sender of mails. */
export interface MailSettings {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  isSecure: boolean
  login: { user: string; pass: string } | undefined
  from: string
}

/** Reads `smtp://user:password@host:587` or `smtps://host`; undefined for other texts. */
export function readMailServer(text: string): Omit<MailSettings, 'from'> | undefined {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return undefined
  const isSecure = url.protocol === 'smtps:'
  const user = decode(url.username)
  const pass = decode(url.password)
  if (user === undefined || pass === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    login: user === '' ? undefined : { user, pass },
  }
}

/** An address, or a name with one: `Fleet <fleet@example.test>`. */
export function isSender(text: string): boolean {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text
  return isEmail(address) && !/[\r\n,;]/.test(text)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
