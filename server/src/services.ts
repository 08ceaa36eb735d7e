import { createPresence } from './db/presence.ts'
import { createSignals } from './db/signals.ts'
import { createResetMails } from './features/auth/reset-mails.ts'
import { createSubscriptions } from './features/brokers/subscriptions.ts'
import { createUplinkTimes } from './features/callbacks/heard-accounts.ts'
import { createSignsOfLife } from './features/callbacks/signs-of-life.ts'
import { createConnections } from './features/connections/connections.ts'
import { createTypeDecoder } from './features/device-types/type-decoder.ts'
import { createDownlinkWriter } from './features/downlinks/downlink-writer.ts'
import { createQueueChecks } from './features/downlinks/queue-checks.ts'
import { createDownlinkSender } from './features/downlinks/sender.ts'
import { createProvisioner } from './features/provisioning/provisioner.ts'
import type { Services } from './features/core-services.ts'
import { createIngestQueue } from './features/uplinks/ingest-queue.ts'
import { type CodecPool, createCodecPool } from './sensors/codecs/pool.ts'

/** Builds what handlers may use out of what the process was started with. */
export function createServices(
  given: Pick<
    Services,
    | 'db'
    | 'ingestDb'
    | 'sealer'
    | 'log'
    | 'now'
    | 'publicUrl'
    | 'outside'
    | 'loginRateLimit'
    | 'billing'
    | 'mail'
  > & { codecs?: CodecPool; sleep?(milliseconds: number): Promise<unknown> },
): Services {
  const { ingestDb } = given
  const connections = createConnections({ ...given, db: ingestDb })
  const codecs = given.codecs ?? createCodecPool()
  const decoder = createTypeDecoder(ingestDb, codecs)
  const ingest = createIngestQueue({ ...given, db: ingestDb, decoder })
  const signals = createSignals(given.db)
  // However many requests wait for `db`, the others hear that the process lives.
  const presence = createPresence({ ...given, db: ingestDb })
  const uplinkTimes = createUplinkTimes(given)
  const provisioner = createProvisioner({ ...given, connections, signals, presence })
  const toSend = { ...given, connections, signals, presence }
  const downlinkWriter = createDownlinkWriter(toSend)
  const downlinkSender = createDownlinkSender({ ...toSend, downlinkWriter })
  const wake = () => {
    provisioner.wake()
    downlinkSender.wake()
  }
  const signsOfLife = createSignsOfLife({ ...given, db: ingestDb, wake })
  return {
    ...given,
    signals,
    presence,
    connections,
    ingest,
    codecs,
    provisioner,
    downlinkSender,
    downlinkWriter,
    queueChecks: createQueueChecks(toSend, downlinkSender.wake),
    signsOfLife,
    resetMails: createResetMails(given),
    uplinkTimes,
    subscriptions: createSubscriptions({ ...given, ingest, signals, uplinkTimes, signsOfLife }),
  }
}

/** Ends what the services have under way, once nothing asks them any more; the pools stay open. */
export async function closeServices(services: Services): Promise<void> {
  await services.ingest.close()
  await services.uplinkTimes.close()
  await services.codecs.close()
  await services.provisioner.close()
  await services.downlinkSender.close()
  await services.queueChecks.close()
  await services.connections.close()
  await services.resetMails.close()
  await services.presence.close()
}
