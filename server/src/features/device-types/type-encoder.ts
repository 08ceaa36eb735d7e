import type { CodecOutcome } from '../../sensors/codecs/codec.ts'
import { parseObject } from '../../sensors/codecs/codec-reading.ts'
import type { CodecRequest } from '../../sensors/codecs/pool.ts'
import type { CoreServices } from '../core-services.ts'
import { toCallInput } from './codec-example.ts'
import { findDecoding } from './device-type-queries.ts'

/** The type of a device, one that an organization made. */
export interface OwnType {
  organizationId: number
  typeId: number
}

type Needed = Pick<CoreServices, 'db' | 'codecs' | 'now'>

/** Why downlinks to devices of this type can't be encoded, as a sentence; undefined if they can. */
export async function findEncoderFault(
  services: Needed,
  type: OwnType,
): Promise<string | undefined> {
  const outcome = await run(services, type, { name: 'functions', input: '' })
  if (!outcome.ok) return outcome.message
  return parseObject(outcome.text)?.encodeDownlink === true
    ? undefined
    : 'The codec of this type of device has no encodeDownlink.'
}

/** What the codec of the type makes of the data, for this port unless it chooses another. */
export function encodeDownlink(
  services: Needed,
  type: OwnType,
  input: { data: unknown; fPort: number },
): Promise<CodecOutcome> {
  const name = 'encodeDownlink'
  return run(services, type, { name, input: toCallInput(name, input, services.now()) })
}

async function run(
  { db, codecs }: Needed,
  { organizationId, typeId }: OwnType,
  task: Pick<CodecRequest, 'name' | 'input'>,
): Promise<CodecOutcome> {
  const decoding = await findDecoding(db, organizationId, typeId)
  if (!decoding) return unable('The device type is gone.')
  const { codec: source, revision, root_id: rootId } = decoding
  if (source === null) return unable('CayenneLPP has no encodeDownlink here.')
  const codecId = `downlinks of ${typeId}:${revision}`
  return codecs.run({ rootId, purpose: 'downlinks', codecId, source, ...task })
}

function unable(message: string): CodecOutcome {
  return { ok: false, failure: 'error', message }
}
