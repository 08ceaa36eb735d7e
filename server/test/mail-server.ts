import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { MailSettings } from '../src/features/people/auth/mail-settings.ts'

interface ReceivedMail {
  to: string[]
  from: string
  raw: string
}

/** For tests: a real SMTP server, which stores the mails that it receives. */
interface MailServer {
  settings: MailSettings
  mails: ReceivedMail[]
  /** SMTP codes (RFC 5321). Each code refuses the recipient of one of the next mails. */
  refusals: number[]
  /** Resolves when this many mails have arrived; rejects if they do not arrive. */
  waitFor(count: number): Promise<ReceivedMail[]>
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const refusals: number[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo(_address, _session, done) {
      const responseCode = refusals.shift()
      done(responseCode ? Object.assign(new Error('Not now'), { responseCode }) : null)
    },
    onData(stream, { envelope }, done) {
      const { mailFrom, rcptTo } = envelope
      const from = mailFrom ? mailFrom.address : ''
      const to = rcptTo.map(({ address }) => address)
      text(stream).then((raw) => {
        // Quoted-printable splits long lines. This joins them again.
        mails.push({ to, from, raw: raw.replaceAll('=\r\n', '') })
        done(null)
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    settings: {
      host: '127.0.0.1',
      port,
      isSecure: false,
      login: undefined,
      from: 'Fleet <fleet@example.test>',
    },
    mails,
    refusals,
    async waitFor(count) {
      for (let tries = 0; mails.length < count; tries += 1) {
        if (tries === 1000) throw new Error(`${mails.length} of ${count} mails came`)
        await sleep(10)
      }
      return mails.slice(0, count)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
