import type { Tracer } from '../../traces/tracer.ts'
import type { Arrival } from './arrival.ts'
import type { Waiting } from './settle-batch.ts'

/** Links of one span, as OpenTelemetry bounds them. */
const mostLinks = 128

/** A span from the arrival of a message to its commit. */
export function traceArrival(
  tracer: Tracer,
  { account, message }: Arrival,
  work: () => Promise<void>,
): Promise<void> {
  if (!tracer.isOn) return work()
  const attributes = {
    'lora.organization.id': account.organizationId,
    'lora.network': account.network,
    'lora.account.id': account.id,
    'messaging.message.body.size': message.length,
  }
  return tracer.run({ name: 'store uplink', attributes }, work)
}

/** A span of a batch: a part of the trace of its first message, with links to the others. */
export function traceBatch(
  tracer: Tracer,
  batch: readonly Waiting[],
  work: () => Promise<void>,
): Promise<void> {
  if (!tracer.isOn) return work()
  const contexts = batch.flatMap(({ span }) => (span?.context.isSampled ? [span.context] : []))
  const [parent = batch[0]?.span?.context, ...links] = contexts
  const attributes = { 'messaging.batch.message_count': batch.length }
  return tracer.run(
    { name: 'commit batch', parent, links: links.slice(0, mostLinks), attributes },
    work,
  )
}
