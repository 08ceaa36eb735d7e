import type { Queryable } from '../../db/connect.ts'
import * as digestQueries from './digest-queries.ts'
import { type DigestPart, writeDigest } from './digest-text.ts'

/** Alerts that a mail names. */
const mostNamed = 20

/** Writes the mails of the digests whose time has come. Returns how many. */
export async function writeDigests(
  tx: Queryable,
  organizationId: number,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<number> {
  const due = await digestQueries.listDue(tx, organizationId, now)
  for (const digest of due) {
    const rule = await digestQueries.findRule(tx, organizationId, digest.rule_id)
    const begun = await readPart(tx, organizationId, digest.id, 'begun')
    const ended = await readPart(tx, organizationId, digest.id, 'ended')
    const isEmpty = begun.causes.length + ended.causes.length === 0
    await digestQueries.note(tx, organizationId, digest, { now, isEmpty })
    if (!rule || isEmpty) continue
    const mail = writeDigest({ rule, begun, ended, publicUrl })
    const { recipients } = rule
    await digestQueries.insertMails(tx, organizationId, digest, { recipients, ...mail, now })
  }
  return due.length
}

async function readPart(
  tx: Queryable,
  organizationId: number,
  digestId: number,
  part: 'begun' | 'ended',
): Promise<DigestPart> {
  const causes = await digestQueries.countCauses(tx, organizationId, digestId, part)
  if (causes.length === 0) return { causes, alerts: [] }
  const most = mostNamed
  const alerts = await digestQueries.listAlerts(tx, organizationId, digestId, { part, most })
  return { causes, alerts }
}
