import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { decodeCayenneLpp } from '../../../sensors/codecs/cayenne-lpp.ts'
import type { CodecFunction, CodecOutcome } from '../../../sensors/codecs/codec.ts'
import {
  parseObject,
  readingOf,
  readResult,
  unreadable,
} from '../../../sensors/codecs/codec-results.ts'
import type { CodecPool, CodecRequest, CodecUser } from '../../../sensors/codecs/pool.ts'
import { placeIn } from '../../../sensors/own-place.ts'
import type { Frame, Reading } from '../../../sensors/sensor.ts'
import type { CoreServices } from '../../core-services.ts'
import { findVariables, openVariables } from '../inventory/device-queries.ts'
import { type CodecInput, toCallInput } from './codec-example.ts'
import { findDecoding, type SharedDecoding } from './device-type-queries.ts'

/** An organization's own type in one version. */
interface TypeReference {
  organizationId: number
  typeId: number
  revision: number
}

/** A device of such a type. */
interface DeviceOfType extends TypeReference {
  deviceId: number
  sealedVariables: Buffer | null
}

/** Decodes frames of devices with an organization's own type. */
export interface TypeDecoder {
  /**
   * Never rejects because of a codec: a frame that the codec cannot read has the event `UNKNOWN`.
   */
  decode(device: DeviceOfType, frame: Frame, receivedAt: string): Promise<Reading>
}

/** The most source text in the cache, in characters. */
const cachedLength = 16 * 1024 * 1024

export function createTypeDecoder(
  db: Queryable,
  codecs: CodecPool,
  sealer: Pick<Sealer, 'open'>,
): TypeDecoder {
  const cache = createCache(({ organizationId, typeId }) =>
    findDecoding(db, organizationId, typeId),
  )
  return {
    async decode(device, { bytes, fPort }, receivedAt) {
      const decoding = await cache(device)
      if (!decoding) return unreadable('The device type was deleted.')
      const variables = openVariables(sealer, device.deviceId, device.sealedVariables)
      const input = { bytes: [...bytes], fPort, recvTime: receivedAt, variables }
      const call = { name: 'decodeUplink' as const, input, now: new Date(receivedAt) }
      const { organizationId, typeId } = device
      const { tenant_id: tenantId, codec, revision, time_zone: timeZone } = decoding
      const { payload_format, measurements } = decoding
      const user = { organizationId, tenantId }
      const version = { user, purpose: 'uplinks' as const, typeId, codec, revision, timeZone }
      const reading = toReading(await callDecoding(codecs, version, call))
      const place = placeIn(reading.values, { format: payload_format, measurements })
      return place ? { ...reading, status: { ...reading.status, place } } : reading
    },
  }
}

/** The reading for a result of decodeUplink. */
export function toReading(outcome: CodecOutcome): Reading {
  const result = readResult(outcome)
  if (!('error' in result)) return readingOf(result)
  const isPutOff = !outcome.ok && outcome.failure === 'busy'
  return { ...unreadable(result.error), ...(isPutOff ? { isPutOff } : {}) }
}

/** A version of a codec, and whose share of the sandbox it uses. */
interface CodecVersion {
  user: CodecUser
  purpose: 'uplinks' | 'trials'
  typeId: number
  codec: string | null
  /** Anything that differs between versions of the codec. */
  revision: number | string
  /** The time zone of the organization. */
  timeZone: string | undefined
}

/** Calls a function of the codec, or the built-in decoder of CayenneLPP. */
export async function callDecoding(
  codecs: CodecPool,
  { user, purpose, typeId, codec, revision, timeZone }: CodecVersion,
  { name, input, now }: { name: CodecFunction; input: CodecInput; now: Date },
): Promise<CodecOutcome> {
  if (codec === null) return readCayenneLpp(name, input)
  return codecs.run({
    user,
    codecId: `${purpose} of ${user.organizationId} ${typeId}:${revision}`,
    source: codec,
    name,
    input: toCallInput(name, input, now),
    timeZone,
  })
}

function readCayenneLpp(name: CodecFunction, { bytes, hex = '' }: CodecInput): CodecOutcome {
  if (name !== 'decodeUplink') {
    return { ok: false, failure: 'error', message: `CayenneLPP has no ${name} here.` }
  }
  const result = decodeCayenneLpp(bytes ? Uint8Array.from(bytes) : Buffer.from(hex, 'hex'))
  if ('error' in result) return { ok: false, failure: 'error', message: result.error }
  return { ok: true, text: JSON.stringify(result) }
}

/** Caches types by id and revision. The least recently used go first. */
function createCache(read: (type: TypeReference) => Promise<SharedDecoding | undefined>) {
  const known = new Map<string, SharedDecoding>()
  let length = 0
  const sizeOf = ({ codec }: SharedDecoding) => 100 + (codec?.length ?? 0)
  return async (type: TypeReference): Promise<SharedDecoding | undefined> => {
    const key = `${type.typeId}:${type.revision}`
    const decoding = known.get(key) ?? (await read(type))
    if (!decoding) return undefined
    if (known.delete(key)) length -= sizeOf(decoding)
    known.set(key, decoding)
    length += sizeOf(decoding)
    for (const [oldest, old] of known) {
      if (length <= cachedLength) break
      known.delete(oldest)
      length -= sizeOf(old)
    }
    return decoding
  }
}

/** An organization's own type of a device. */
export interface OwnType {
  organizationId: number
  typeId: number
  deviceId: number
}

type Needed = Pick<CoreServices, 'db' | 'codecs' | 'sealer' | 'now'>

/** Why downlinks for this type cannot be encoded, as a sentence; undefined when they can. */
export async function findEncoderFault(
  services: Needed,
  type: Pick<OwnType, 'organizationId' | 'typeId'>,
): Promise<string | undefined> {
  const outcome = await run(services, type, { name: 'functions', input: '' })
  if (!outcome.ok) return outcome.message
  return parseObject(outcome.text)?.encodeDownlink === true
    ? undefined
    : 'The codec of this type of device has no encodeDownlink.'
}

/** Encodes data with the type's codec, for this port unless the codec chooses another. */
export async function encodeDownlink(
  services: Needed,
  type: OwnType,
  input: { data: unknown; fPort: number },
): Promise<CodecOutcome> {
  const { db, sealer, now } = services
  const { organizationId, deviceId } = type
  const device = { id: deviceId, eui: null }
  const variables = (await findVariables(db, sealer, organizationId, device))?.variables ?? {}
  const name = 'encodeDownlink'
  return run(services, type, { name, input: toCallInput(name, { ...input, variables }, now()) })
}

async function run(
  { db, codecs }: Pick<Needed, 'db' | 'codecs'>,
  { organizationId, typeId }: Pick<OwnType, 'organizationId' | 'typeId'>,
  task: Pick<CodecRequest, 'name' | 'input'>,
): Promise<CodecOutcome> {
  const decoding = await findDecoding(db, organizationId, typeId)
  if (!decoding) return unable('The device type was deleted.')
  const { codec: source, revision, tenant_id: tenantId, time_zone: timeZone } = decoding
  if (source === null) return unable('CayenneLPP has no encodeDownlink here.')
  const codecId = `downlinks of ${typeId}:${revision}`
  return codecs.run({ user: { organizationId, tenantId }, codecId, source, timeZone, ...task })
}

function unable(message: string): CodecOutcome {
  return { ok: false, failure: 'error', message }
}
