import { waitAfter } from '../../../networks/back-off.ts'
import type { CoreServices } from '../../core-services.ts'
import { createTenantTurns, type TenantTurns } from '../../fleet/jobs/tenant-turns.ts'
import { deliver, isFinal, reasonOf } from '../../people/auth/deliver-mail.ts'
import type { MailSettings } from '../../people/auth/mail-settings.ts'
import * as mailQueries from './mail-queries.ts'

/** Sends the mails that alerts have written, in the background. */
export interface AlertMails extends TenantTurns {
  /** Whether the operator has a mail server. */
  readonly canSend: boolean
}

type MailServices = Pick<CoreServices, 'db' | 'now' | 'log' | 'presence' | 'publicUrl'> & {
  mail?: MailSettings | undefined
}

/** Mails at once in this process, and of one tenant. */
const parallelism = 4
const mostOfTenant = 2
const day = 24 * 60 * 60 * 1000
/** Between the attempts of one mail; after a day it is given up. */
const backOff = { firstMs: 30_000, longestMs: 2 * 60 * 60 * 1000 }
const patienceMilliseconds = day
/** What is older is not sent at all: there was no mail server when it was written. */
const freshMilliseconds = 7 * day

/**
 * A mail is a row until the mail server has taken it. One process sends it at a time. After a crash
 * between the server's answer and the commit it goes out again, under the same `Message-ID`.
 */
export function createAlertMails(services: MailServices): AlertMails {
  const { db, now, log, mail } = services
  const turns = createTenantTurns({
    list: async () => (mail ? mailQueries.listDue(db, now(), mostOfTenant) : []),
    keyOf: ({ organization_id, id }) => `${organization_id} ${id}`,
    parallelism,
    mayBegin: ({ tenant_id }, busy) =>
      busy.filter((each) => each.tenant_id === tenant_id).length < mostOfTenant,
    async work(due) {
      await sendMail(services, due)
      return true
    },
    // The claim ends by itself, and the next one sends it again.
    reportFailure: (err) => log.warn({ err }, 'a mail of an alert could not be sent'),
  })
  return { ...turns, canSend: mail !== undefined }
}

async function sendMail(
  { db, now, log, presence, mail, publicUrl }: MailServices,
  { organization_id: organizationId, id }: mailQueries.DueMail,
): Promise<void> {
  const claimed =
    mail && (await mailQueries.claim(db, organizationId, id, { now: now(), presence }))
  if (!claimed) return
  const to = await mailQueries.findAddress(db, organizationId, claimed.user_id)
  if (to === undefined) {
    await mailQueries.giveUp(
      db,
      claimed,
      'The recipient is no longer a member, or is limited to a group.',
    )
    return
  }
  const ageAt = () => now().getTime() - Date.parse(claimed.created_at)
  if (ageAt() >= freshMilliseconds) {
    await mailQueries.giveUp(db, claimed, 'No mail server took it for a week.')
    return
  }
  const { subject, body: text, attempts } = claimed
  const host = new URL(publicUrl).hostname
  const messageId = `<alert-${organizationId}-${claimed.key}@${host}>`
  const headers = { 'Auto-Submitted': 'auto-generated' }
  try {
    await deliver(mail, { to, subject, text, headers, messageId })
  } catch (error) {
    const { reason } = reasonOf(error)
    // Only the operator can fix a refused login: it is not the recipient's fault.
    if ((isFinal(error) && reason !== 'EAUTH') || ageAt() >= patienceMilliseconds) {
      log.warn({ organizationId, mail: id, reason }, 'a mail of an alert is given up')
      await mailQueries.giveUp(db, claimed, reason)
    } else {
      const next = new Date(now().getTime() + waitAfter(backOff, attempts + 1))
      await mailQueries.postpone(db, claimed, { reason, next })
    }
    return
  }
  await mailQueries.noteSent(db, claimed, now())
}
