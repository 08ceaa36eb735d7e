import type { CoreServices } from '../../features/core-services.ts'
import {
  claimRun,
  type DecodingRun,
  drawTurns,
  dropRun,
  endRun,
  moveOn,
} from '../../features/fleet/device-types/decoding-run-queries.ts'
import {
  createTypeDecoder,
  type TypeDecoder,
} from '../../features/fleet/device-types/type-codec.ts'
import { announce } from '../../features/outgoing/events/announce.ts'
import { isoTime } from '../../http/timestamps.ts'
import { listUndecoded, storeReadings } from './undecoded-queries.ts'

type Needed = Pick<CoreServices, 'db' | 'codecs' | 'sealer' | 'signals'>

/** Organizations that have a turn at once, each of another tenant. */
const atOnce = 4
/** Milliseconds after which the job leaves the rest to its next run. */
const longestRun = 1500
/** Seconds after which a frame is tried again whose codec has no time for it. */
const patience = 15

/**
 * Decodes stored frames of own device types that are UNKNOWN. Runs begin with frames whose codec was
 * paused or had no time, and where somebody asks for it. Only the stored reading changes: what was
 * announced to webhooks, alerts and readers of events stays as it was.
 */
export async function decodeAgain(services: Needed): Promise<void> {
  const decoder = createTypeDecoder(services.db, services.codecs, services.sealer)
  const end = performance.now() + longestRun
  do {
    const turns = await drawTurns(services.db, atOnce)
    if (turns.length === 0) return
    await Promise.all(
      turns.map(({ organization_id }) => workPortion(services, decoder, organization_id)),
    )
  } while (performance.now() < end)
}

async function workPortion(
  services: Needed,
  decoder: TypeDecoder,
  organizationId: number,
): Promise<void> {
  const { db } = services
  const run = await claimRun(db, organizationId)
  if (!run) return
  const { revision } = run
  if (revision === null) return dropRun(db, run)
  const { uplinks, next } = await listUndecoded(db, run)
  const type = { organizationId, typeId: run.type_id, revision }
  const read = await Promise.all(
    uplinks.map(async ({ ordinal, payload, f_port: fPort, event_time, ...of }) => {
      const device = { ...type, deviceId: of.device_id, sealedVariables: of.sealed_variables }
      const frame = { bytes: Buffer.from(payload, 'hex'), fPort }
      return { ordinal, reading: await decoder.decode(device, frame, isoTime(event_time)) }
    }),
  )
  const done = read.filter(({ reading }) => !reading.isPutOff)
  await storeReadings(db, organizationId, done)
  if (done.length > 0) announce(services, organizationId, { kind: 'device' })
  await goOn(services, run, read.find(({ reading }) => reading.isPutOff)?.ordinal, next)
}

async function goOn(
  { db }: Needed,
  run: DecodingRun,
  putOff: number | undefined,
  next: number | undefined,
): Promise<void> {
  if (putOff !== undefined) return moveOn(db, run, { ordinal: putOff, seconds: patience })
  if (next !== undefined) return moveOn(db, run, { ordinal: next, seconds: 0 })
  await db.transaction((tx) => endRun(tx, run))
}
