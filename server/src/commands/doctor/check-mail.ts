import { randomUUID } from 'node:crypto'
import { deliver, greet } from '../../features/people/auth/deliver-mail.ts'
import { type DoctorSettings, type Finding, ok, problem, reasonOf, skipped } from './finding.ts'

/** Connects to the mail server and logs in. Sends a mail only to an address that is given. */
export async function checkMail(
  { mail, publicUrl }: DoctorSettings,
  sendTo: string | undefined,
): Promise<Finding[]> {
  const check = 'mail.server'
  if (!mail) {
    return [
      skipped(
        check,
        'SMTP_URL is not set: nobody can reset a password, and alerts are not mailed.',
      ),
    ]
  }
  const where = `${mail.host}:${mail.port}`
  try {
    await greet(mail)
  } catch (error) {
    return [
      problem(
        check,
        `The mail server ${where} does not take us: ${reasonOf(error)}.`,
        adviceFor(error),
      ),
    ]
  }
  const login = mail.login ? ' and the login' : ''
  const greeting = ok(check, `The mail server ${where} takes the connection${login}.`)
  if (sendTo === undefined) return [greeting]
  const message = {
    to: sendTo,
    subject: 'A test of lora-console doctor',
    text: `This mail shows that the service at ${publicUrl} can send mails.\n`,
    headers: { 'auto-submitted': 'auto-generated' },
    messageId: `<${randomUUID()}@${new URL(publicUrl).hostname}>`,
  }
  try {
    await deliver(mail, message)
    return [greeting, ok('mail.sent', `A mail to ${sendTo} was handed over: see that it arrives.`)]
  } catch (error) {
    const says = `The mail server does not take a mail from ${mail.from} to ${sendTo}: ${reasonOf(error)}.`
    const advice = 'Let MAIL_FROM be an address from which this login may send.'
    return [greeting, problem('mail.sent', says, advice)]
  }
}

function adviceFor(error: unknown): string {
  const { code, responseCode }: { code?: string; responseCode?: number } = Object(error)
  if (code === 'EAUTH' || responseCode === 535) return 'Correct user and password in SMTP_URL.'
  if (code === 'ETLS') {
    return 'Use smtps:// for TLS from the first byte (port 465), or a server that offers STARTTLS.'
  }
  return 'Correct host and port in SMTP_URL: smtp:// for 587 with STARTTLS, smtps:// for 465.'
}
