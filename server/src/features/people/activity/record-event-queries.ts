import type { Queryable } from '../../../db/connect.ts'
import { queueForWebhooks } from '../../outgoing/events/webhook-event-queries.ts'
import { type AuditLine, canonicalForm } from './chain-record.ts'

const queued = queueForWebhooks(
  'audit',
  `select $1::bigint as organization_id, 0 as device_id,
     jsonb_build_object('record', given.line::jsonb) as data
   from unnest($2::text[]) with ordinality as given (line, place)
   order by given.place`,
)

/** Queues records for the webhooks that want them, in the transaction that chains them. */
export async function queueRecords(
  tx: Queryable,
  organizationId: number,
  lines: readonly AuditLine[],
): Promise<void> {
  // Most organizations have none: their records are not sent to the database once more.
  const wanting = await tx.query(
    `select 1 from webhooks where organization_id = $1 and events @> array['audit'] limit 1`,
    [organizationId],
  )
  if (wanting.length > 0) await tx.query(queued, [organizationId, lines.map(canonicalForm)])
}
