import type { CoreServices } from '../core-services.ts'
import { findPlace } from './chain-export.ts'
import { deliver } from './deliver-syslog.ts'
import { toSyslogMessage } from './syslog-message.ts'
import type { SyslogTarget } from './syslog-target.ts'
import { type ClaimedChain, claimUntold, settleTold } from './told-queries.ts'
import { readLines } from './verify-chain.ts'

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
export async function tellSyslog(services: Services): Promise<void> {
  const { db, presence, auditSyslog, log } = services
  if (!auditSyslog) return
  for (;;) {
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
