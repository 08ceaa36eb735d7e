// The JSON file of end devices or gateways that The Things Stack's console, ttn-lw-cli and ttn-lw-migrate read and
// write: a stream of objects, one after the other.
// thethingsindustries.com/docs/hardware/devices/adding-devices/adding-devices-in-bulk/device-json
import { isDeepStrictEqual } from 'node:util'
import { usableTags } from '../../features/fleet/inventory/tags.ts'
import { joinCodecFiles } from '../../lora/codec-files.ts'
import { objectOf, objectsOf, textOf } from '../../networks/answer-fields.ts'
import { isObject, type JsonObject } from '../../networks/message-fields.ts'
import type { SourceCodec } from './source.ts'
import { makeDevice, type SourceDevice } from './source-device.ts'

/**
 * Reads a file of end devices or gateways: a stream of objects, an array, or an object with
 * `end_devices` or `gateways`.
 * @throws Error that says where the text is no JSON.
 */
export function readThingStream(text: string): JsonObject[] {
  const values = splitValues(text).flatMap((value) => (Array.isArray(value) ? value : [value]))
  return values.flatMap((value) => {
    if (!isObject(value)) return []
    if ('end_devices' in value) return objectsOf(value.end_devices)
    return 'gateways' in value ? objectsOf(value.gateways) : [value]
  })
}

/** The JSON values of a text, which nothing but blanks separates. */
function splitValues(text: string): unknown[] {
  const values: unknown[] = []
  let [depth, start, isText] = [0, -1, false]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (isText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{' || sign === '[') {
      if (depth === 0) start = at
      depth += 1
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth === 0) values.push(parseValue(text, start, at + 1))
    }
  }
  if (depth !== 0) throw new Error('The file ends in the middle of a device.')
  return values
}

function parseValue(text: string, start: number, end: number): unknown {
  try {
    return JSON.parse(text.slice(start, end))
  } catch {
    const line = text.slice(0, start).split('\n').length
    throw new Error(`What begins in line ${line} of the file is no JSON.`)
  }
}

/** A device with the members of all four registries of The Things Stack. */
export function toSourceDevice(device: JsonObject, application = ''): SourceDevice {
  const ids = objectOf(device.ids)
  const rootKeys = objectOf(device.root_keys)
  const group = textOf(objectOf(ids.application_ids).application_id) || application
  const deviceId = textOf(ids.device_id)
  const plan = textOf(device.frequency_plan_id)
  return makeDevice(textOf(ids.dev_eui), {
    name: textOf(device.name) || deviceId,
    joinEui: textOf(ids.join_eui),
    key: textOf(objectOf(rootKeys.app_key).key),
    ...(isOf11(device) && { networkKey: textOf(objectOf(rootKeys.nwk_key).key) }),
    group: group === '' ? [] : [group],
    profile: profileOf(device) ?? group,
    notes: textOf(device.description),
    tags: usableTags(objectOf(device.attributes)),
    place: plan === '' ? {} : { frequencyPlan: plan },
    isOnlyAdopted: findHindrance(device),
    fault: textOf(ids.dev_eui) === '' ? `The device "${deviceId}" has no DevEUI.` : undefined,
  })
}

/** The model of the Device Repository. */
function profileOf(device: JsonObject): string | undefined {
  const { brand_id: brand, model_id: model } = objectOf(device.version_ids)
  const words = [textOf(brand), textOf(model)].filter((word) => word !== '')
  return words.length > 0 ? words.join(' ') : undefined
}

/** `lorawan_version` is a name such as MAC_V1_0_3, or a number such as 1.0.3. */
function isOf11(device: JsonObject): boolean {
  return /^(MAC_V)?1[._]1/.test(textOf(device.lorawan_version))
}

function findHindrance(device: JsonObject): string | undefined {
  if (device.supports_join === false) return 'The device does not join: it is set up for ABP.'
  return isOf11(device) ? 'The device is of LoRaWAN 1.1, which has two root keys.' : undefined
}

/** What is found of the formatters of devices, by their profiles. */
export interface FoundFormatters {
  codecs: Map<string, SourceCodec>
  /** Words about what is not taken over. */
  lacking: Map<string, string>
}

/** Notes what reads the frames of a device: its own formatters, or those of its application. */
export function noteFormatters(
  { codecs, lacking }: FoundFormatters,
  { profile }: SourceDevice,
  { own, ofApplication }: { own: unknown; ofApplication?: unknown },
): void {
  if (profile === undefined) return
  const { codec, missing } = readFormatters([own, ofApplication].map(objectOf))
  const known = codecs.get(profile)
  if (codec && known && !isDeepStrictEqual(codec, known)) lacking.set(profile, differing)
  else if (missing !== undefined) lacking.set(profile, missing)
  if (codec && !known) codecs.set(profile, codec)
}

const differing = 'Its devices have different formatters: the first one is taken for all.'
const inRepository =
  'Its formatter is in the Device Repository, whose licence does not let it be taken over: import the codec of the maker.'
const ofService = 'Its formatter is a service of its own, which is not taken over.'
const untaken: Record<string, string> = {
  FORMATTER_REPOSITORY: inRepository,
  FORMATTER_GRPC_SERVICE: ofService,
}

function readFormatters(formatters: readonly JsonObject[]): {
  codec?: SourceCodec
  missing?: string
} {
  const [up, down] = (['up', 'down'] as const).map((way) => {
    const found = formatters.find((each) => textOf(each[`${way}_formatter`]) !== '')
    const kind = textOf(found?.[`${way}_formatter`])
    const text = textOf(found?.[`${way}_formatter_parameter`])
    return { kind, text: kind === 'FORMATTER_JAVASCRIPT' ? text : '' }
  })
  const missing = untaken[up?.kind ?? ''] ?? untaken[down?.kind ?? '']
  if (up?.kind === 'FORMATTER_CAYENNELPP') {
    const isLeft = down?.text ? 'Its downlink formatter is not taken over.' : missing
    return { codec: { format: 'cayenne_lpp' }, ...(isLeft && { missing: isLeft }) }
  }
  const files = [
    { text: up?.text ?? '', functions: ['decodeUplink'] },
    { text: down?.text ?? '', functions: ['encodeDownlink', 'decodeDownlink'] },
  ].filter(({ text }) => text !== '')
  const isTaken = files.length > 0 && untaken[up?.kind ?? ''] === undefined
  const script = up?.text === down?.text ? (up?.text ?? '') : joinCodecFiles(files)
  return {
    ...(isTaken && { codec: { format: 'ts013', script } }),
    ...(missing !== undefined && { missing }),
  }
}
