import { createApp } from '../src/app.ts'
import type { Database } from '../src/db/connect.ts'
import { createTypeDecoder } from '../src/features/fleet/device-types/type-codec.ts'
import {
  createIngestQueue,
  defaultLimits,
  type IngestLimits,
} from '../src/uplinks/store/ingest-queue.ts'
import { makeUp, type TestCallback } from './chirpstack-uplinks.ts'
import type { TestService } from './service.ts'

/** The service with a queue of its own, as another process has it, and how to post to it. */
export function startQueue(
  { services }: TestService,
  callback: TestCallback,
  { limits, db = services.db }: { limits?: Partial<IngestLimits>; db?: Database } = {},
) {
  const decoder = createTypeDecoder(db, services.codecs, services.sealer)
  const ingest = createIngestQueue(
    { db, decoder, now: () => new Date() },
    {
      ...defaultLimits,
      longestDelay: 0,
      refusalDelay: 0,
      ...limits,
    },
  )
  const app = createApp(
    { ...services, ingest },
    { apiRateLimit: 0, trustedProxies: [], findFault: async () => undefined },
  )
  const post = (up = makeUp()) =>
    app.inject({
      method: 'POST',
      url: `${callback.path}?event=up`,
      headers: { [callback.header]: callback.value, 'content-type': 'application/json' },
      payload: up,
    })
  return { ingest, app, post }
}

/** Holds the counter of an organization, which the writer waits for, until it is let go. */
export async function holdWriter(
  { services }: TestService,
  organizationId = 1,
): Promise<() => Promise<void>> {
  const { promise: letGo, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: tellHeld } = Promise.withResolvers<void>()
  const holding = services.db.transaction(async (tx) => {
    await tx.query('select from organization_counters where organization_id = $1 for update', [
      organizationId,
    ])
    tellHeld()
    await letGo
  })
  await isHeld
  return () => {
    release()
    return holding
  }
}
