// What the join, network and application server have of a device, pkg/*/grpc_deviceregistry.go.
import { objectOf, textOf, toListed } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import type { DeviceDetails, ListedProfile, ListedThing, ProfileCodec } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { allowMissing } from '../rest.ts'
import { deviceFields, listPages, type Session } from './client.ts'
import {
  callAboutDevice,
  devicePath,
  type FoundDevice,
  findDevice,
  idsOf,
  missingDevice,
  usualDeviceId,
} from './device-ids.ts'
import { radioMask, toKnownRadio } from './radio.ts'
import { isSameServer } from './server-names.ts'

const allParts = ['join', 'network', 'application'] as const

type Part = (typeof allParts)[number]

/** A part is undefined if its server does not have the device. */
type Parts = Record<Part, JsonObject | undefined> & { keyDenial?: string }

/**
 * Reads the key, which needs the right RIGHT_APPLICATION_DEVICES_READ_KEYS, and which server lacks
 * the device that the identity server lists.
 */
export async function readDevice(
  session: Session,
  devEui: string,
  wanted: { key: boolean },
): Promise<DeviceDetails> {
  const assumed = session.deviceIds.get(devEui) ?? usualDeviceId(devEui)
  const parts = await readParts(session, assumed, wanted)
  if (findMissing(parts).length === 0) return toDetails(parts, [], wanted)
  const found = await findDevice(session, devEui)
  if (!found) throw missingDevice(devEui)
  const known = found.id === assumed ? parts : await readParts(session, found.id, wanted)
  return toDetails(known, findLost(session, found, known), wanted)
}

const keyMask = 'root_keys.app_key.key,root_keys.nwk_key.key'

async function readParts(session: Session, id: string, { key }: { key: boolean }): Promise<Parts> {
  const ask = (part: Part, field_mask: string) => {
    const path = devicePath(session, part, id)
    return allowMissing(session.askCluster({ method: 'GET', path, query: { field_mask } }))
  }
  const network = await ask('network', `ids,${radioMask}`)
  const application = await ask('application', 'ids')
  if (!key) return { join: await ask('join', 'ids'), network, application }
  try {
    return { join: await ask('join', `ids,${keyMask}`), network, application }
  } catch (error) {
    const isDenied = error instanceof NetworkError && error.kind === 'unauthorized'
    if (!isDenied) throw error
    return { join: await ask('join', 'ids'), network, application, keyDenial: error.message }
  }
}

function findMissing(parts: Parts): Part[] {
  return allParts.filter((part) => parts[part] === undefined)
}

/**
 * The servers that should have it: each may be of another cluster, and an ABP device never joins.
 */
function findLost({ account, serverName }: Session, found: FoundDevice, parts: Parts): Part[] {
  const missing = findMissing(parts)
  const addressOf = (part: Part) => found.servers[`${part}_server_address`]
  const present = allParts.filter((part) => parts[part] !== undefined).map(addressOf)
  const isOfAbp = parts.network !== undefined && parts.network.supports_join !== true
  return missing.filter((part) => {
    if (part === 'join' && isOfAbp) return false
    const names = [account.cluster.hostname, serverName]
    const address = addressOf(part)
    return present.includes(address) || names.some((name) => isSameServer(address, name))
  })
}

function toDetails(parts: Parts, lost: readonly Part[], wanted: { key: boolean }): DeviceDetails {
  const { join, network, keyDenial } = parts
  const keys = objectOf(join?.root_keys)
  const key = textOf(objectOf(keys.app_key).key)
  const radio = network && toKnownRadio(network)
  const networkKey = radio?.version === '1.1' && textOf(objectOf(keys.nwk_key).key)
  const servers = lost.map((part) => `the ${part} server`).join(' and ')
  return {
    // A missing key may be at another server, which is asked when the device joins.
    ...(wanted.key && key !== '' ? { appKey: key } : {}),
    ...(radio && { radio: { ...radio, ...(wanted.key && networkKey && { networkKey }) } }),
    ...(keyDenial === undefined ? {} : { keyDenial }),
    ...(servers ? { problem: `At The Things Stack ${servers} does not have the device.` } : {}),
  }
}

/** The application server reports it to the identity server with some minutes of delay. */
export async function readLastSeen(session: Session, devEui: string): Promise<Date | undefined> {
  const { last_seen_at } = await callAboutDevice(session, devEui, (deviceId) =>
    session.askIdentityServer({
      method: 'GET',
      path: devicePath(session, 'identity', deviceId),
      query: { field_mask: 'last_seen_at' },
    }),
  )
  const time = new Date(textOf(last_seen_at))
  return Number.isNaN(time.getTime()) ? undefined : time
}

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  const { applicationId: application } = session.account
  const path = `/applications/${encodeURIComponent(application)}/devices`
  for await (const page of listPages(session, path, 'end_devices', deviceFields)) {
    yield page.flatMap((device) => {
      const { dev_eui, join_eui: joinEui } = idsOf(device)
      const told = { joinEui, tags: objectOf(device.attributes) }
      const profile = profileOf(application, device)
      return toListed(dev_eui, device.name, told).map((listed) => ({
        ...listed,
        application,
        profile,
      }))
    })
  }
}

/** The model that the device was made with; its application where it was entered by hand. */
function profileOf(application: string, device: JsonObject): ListedProfile {
  const { brand_id, model_id } = objectOf(device.version_ids)
  const [brand, model] = [textOf(brand_id), textOf(model_id)]
  return model === ''
    ? { id: '', name: application }
    : { id: `${brand}/${model}`, name: `${brand} ${model}`.trim(), model: { brand, model } }
}

/**
 * The formatter of the application, which its devices have that were entered by hand. Those of the
 * Device Repository are not taken: its licence forbids it.
 */
export async function readCodec(
  session: Session,
  profileId: string,
): Promise<ProfileCodec | undefined> {
  if (profileId !== '') return undefined
  const path = `/as/applications/${encodeURIComponent(session.account.applicationId)}/link`
  const query = { field_mask: 'default_formatters' }
  const link = await allowMissing(session.askCluster({ method: 'GET', path, query }))
  const { up_formatter: format, up_formatter_parameter } = objectOf(link?.default_formatters)
  const script = textOf(up_formatter_parameter)
  if (format === 'FORMATTER_CAYENNELPP') return { format: 'cayenne_lpp' }
  const isScript = format === 'FORMATTER_JAVASCRIPT' && script.trim() !== ''
  return isScript ? { format: 'ts013', script } : undefined
}
