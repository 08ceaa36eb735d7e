import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { momentOf } from '../../../http/timestamps.ts'
import { combineFormats } from '../../../lora/formats.ts'
import { type Say, sayIn } from '../../../texts/texts.ts'
import type { CoreServices } from '../../core-services.ts'
import { listMembershipsOf } from '../organizations/member-queries.ts'
import { hashToken } from '../sessions/sessions.ts'
import { findCredentials, findUser } from '../users/user-queries.ts'
import { deliver, isFinal, type Message, reasonOf } from './deliver-mail.ts'
import type { MailSettings } from './mail-settings.ts'
import { insertReset } from './reset-queries.ts'

/** Mails codes that replace a lost password, in the background. */
interface ResetMails {
  /** Returns at once, in the same way for every address. Unknown addresses get no mail. */
  send(email: string): void
  /** Drops the mails that wait and resolves when those under way have ended. */
  close(): Promise<void>
}

/** For endpoints that mail. */
export interface AuthServices extends CoreServices {
  resetMails: ResetMails
}

type MailDependencies = Pick<CoreServices, 'db' | 'log' | 'now' | 'publicUrl'>

const lifetimeMinutes = 30
/** The most addresses that wait. Further requests are dropped; users can ask again. */
const mostWaiting = 100
const atOnce = 4
/** Milliseconds before each retry. */
const pauses = [2000, 10_000]

export function createResetMails(
  services: MailDependencies & { mail?: MailSettings | undefined },
): ResetMails {
  const { log, mail } = services
  const waiting: string[] = []
  const running = new Set<Promise<void>>()
  const closing = new AbortController()
  const runNext = () => {
    const email = running.size < atOnce ? waiting.shift() : undefined
    if (email === undefined || !mail) return
    const work = mailCode(services, mail, email, closing.signal)
      .catch((error) => log.error(reasonOf(error), 'a mail for a new password was not sent'))
      .finally(() => {
        running.delete(work)
        runNext()
      })
    running.add(work)
  }
  return {
    send(email) {
      if (!mail || closing.signal.aborted) return
      if (waiting.length >= mostWaiting) {
        log.warn({ waiting: waiting.length }, 'a mail for a new password was dropped')
        return
      }
      waiting.push(email)
      runNext()
    },
    async close() {
      closing.abort()
      waiting.length = 0
      await Promise.all(running)
    },
  }
}

async function mailCode(
  services: MailDependencies,
  mail: MailSettings,
  email: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, now, publicUrl } = services
  const known = await findCredentials(db, email)
  const user = known && (await findUser(db, known.id))
  if (!user) return
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now().getTime() + lifetimeMinutes * 60_000)
  await insertReset(db, hashToken(token), user.id, momentOf(expiresAt))
  // To the stored address: the typed one may be another one for a mail server.
  // A user may be in several organizations: the first one is where they began.
  const [first] = await listMembershipsOf(db, user.id)
  const say = sayIn(combineFormats(user.formats, first?.formats ?? {}))
  const message = writeMessage(user.email, { token, publicUrl, say })
  await trySeveralTimes(() => deliver(mail, message), signal)
  log.info({ userId: user.id }, 'mailed a code for a new password')
}

async function trySeveralTimes(send: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const pause of pauses) {
    try {
      return await send()
    } catch (error) {
      if (isFinal(error)) throw error
    }
    await sleep(pause, undefined, { signal })
  }
  return send()
}

function writeMessage(
  to: string,
  { token, publicUrl, say }: { token: string; publicUrl: string; say: Say },
): Message {
  return {
    to,
    subject: say('A new password for {host}', { host: new URL(publicUrl).host }),
    text: say(
      'Somebody asked for a new password for {email} at\n{url}\n\nIf it was you, enter this code with the new password at\n{page}\n\nIt works once, for {minutes} minutes:\n\n{code}\n\nA program sends both, as token and password, to\n{endpoint}\n\nAll sessions end then. Two-factor stays on.\nIf it was not you, do nothing: your password is still the same.\n',
      {
        ...{ email: to, url: publicUrl, minutes: lifetimeMinutes, code: token },
        page: `${publicUrl}/forgotten-password?step=code`,
        endpoint: `${publicUrl}/v1/auth/password-reset/confirm`,
      },
    ),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
