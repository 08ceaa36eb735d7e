import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb from '@chirpstack/chirpstack-api/api/application_pb.js'
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb, { type DeviceListItem } from '@chirpstack/chirpstack-api/api/device_pb.js'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb, {
  type DeviceProfile,
} from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { usableTags } from '../../features/fleet/inventory/tags.ts'
import { openSession, type Session } from '../../networks/chirpstack/client.ts'
import { readKeys, toDetails } from '../../networks/chirpstack/device-keys.ts'
import { listGatewayItems } from '../../networks/chirpstack/gateways.ts'
import { readPages } from '../../networks/pages.ts'
import { countOf } from '../command.ts'
import { inTurns } from './in-turns.ts'
import { outsideOf } from './outside-of.ts'
import { readIfAllowed } from './read-if-allowed.ts'
import type { Source, SourceCodec } from './source.ts'
import { makeDevice, type SourceDevice } from './source-device.ts'
import { makeGateway, type SourceGateway, toPosition } from './source-gateway.ts'

/**
 * Reads the gateways of a tenant of ChirpStack v4. The list has all that the service can keep of them.
 * @throws NetworkError
 */
async function readChirpStackGateways(session: Session): Promise<SourceGateway[]> {
  const gateways: SourceGateway[] = []
  for await (const page of listGatewayItems(session)) {
    for (const item of page) {
      const location = item.getLocation()
      const position = toPosition(location?.getLatitude(), location?.getLongitude())
      const [name, description] = [item.getName(), item.getDescription()]
      gateways.push(makeGateway(item.getGatewayId(), { name, description, position }))
    }
  }
  return gateways
}

// Reads applications, device profiles and devices of a tenant of ChirpStack v4,
// api/proto/api/{application,device_profile,device}.proto.

interface Application {
  id: string
  name: string
}

export interface ChirpStackSource extends Source {
  applications: readonly Application[]
  /** By id, of the devices that were read. */
  profiles: ReadonlyMap<string, DeviceProfile>
}

export interface ChirpStackPlace {
  server: URL
  apiKey: string
  tenantId: string
  /** Names or ids; all applications of the tenant if it is empty. */
  applications: readonly string[]
  withGateways: boolean
  signal: AbortSignal
  tell(line: string): void
}

const pageSize = 500
const { CodecRuntime } = deviceProfilePb
const { MacVersion } = commonPb

/** @throws NetworkError, or an Error for a person. */
export async function readChirpStack(place: ChirpStackPlace): Promise<ChirpStackSource> {
  const values = { server: place.server.href, api_key: place.apiKey, tenant_id: place.tenantId }
  const session = openSession(values, outsideOf(place.server), { deadlineMs: 30_000 })
  try {
    const applications = await chooseApplications(session, place)
    const profiles = new Map<string, DeviceProfile>()
    const devices: SourceDevice[] = []
    for (const application of applications) {
      const found = await readApplication(session, place, application, profiles)
      place.tell(`${application.name}: ${countOf(found.length, 'device')}.`)
      devices.push(...found)
    }
    const codecs = new Map([...profiles.values()].flatMap(readCodec))
    const reading = { isWanted: place.withGateways, tell: place.tell }
    const gateways = await readIfAllowed(() => readChirpStackGateways(session), reading)
    const name = `ChirpStack at ${place.server.host}`
    return { name, applications, devices, ...gateways, profiles, codecs }
  } finally {
    session.close()
  }
}

async function chooseApplications(
  session: Session,
  { applications: wanted }: ChirpStackPlace,
): Promise<Application[]> {
  const all: Application[] = []
  for await (const page of listApplications(session)) all.push(...page)
  if (wanted.length === 0) return all
  return wanted.map((word) => {
    const found = all.find(({ id, name }) => id === word.toLowerCase() || name === word)
    if (found) return found
    const known = all.map(({ name }) => name).join(', ')
    throw new Error(`The tenant has no application "${word}". It has: ${known || 'none'}.`)
  })
}

function listApplications({ client, account }: Session): AsyncGenerator<Application[]> {
  return readPages('ChirpStack', async (page) => {
    const request = new applicationPb.ListApplicationsRequest()
    request.setTenantId(account.tenantId)
    request.setLimit(pageSize)
    request.setOffset((page - 1) * pageSize)
    const answer = await client.call(applicationGrpc.ApplicationServiceService.list, request)
    const items = answer.getResultList().map((item) => ({ id: item.getId(), name: item.getName() }))
    return { items, isLast: items.length < pageSize }
  })
}

async function readApplication(
  session: Session,
  { signal }: ChirpStackPlace,
  application: Application,
  profiles: Map<string, DeviceProfile>,
): Promise<SourceDevice[]> {
  const devices: SourceDevice[] = []
  for await (const page of listDevices(session, application.id)) {
    for (const id of new Set(page.map((item) => item.getDeviceProfileId()))) {
      if (!profiles.has(id)) profiles.set(id, await readProfile(session, id))
    }
    const read = await inTurns(page, signal, async (item) => {
      const profile = profiles.get(item.getDeviceProfileId())
      return readDevice(session, { item, profile, group: application.name })
    })
    devices.push(...read)
  }
  return devices
}

function listDevices({ client }: Session, application: string): AsyncGenerator<DeviceListItem[]> {
  return readPages('ChirpStack', async (page) => {
    const request = new devicePb.ListDevicesRequest()
    request.setApplicationId(application)
    request.setLimit(pageSize)
    request.setOffset((page - 1) * pageSize)
    const answer = await client.call(deviceGrpc.DeviceServiceService.list, request)
    const items = answer.getResultList()
    return { items, isLast: items.length < pageSize }
  })
}

async function readProfile({ client }: Session, id: string): Promise<DeviceProfile> {
  const request = new deviceProfilePb.GetDeviceProfileRequest()
  request.setId(id)
  const answer = await client.call(deviceProfileGrpc.DeviceProfileServiceService.get, request)
  return answer.getDeviceProfile() ?? new deviceProfilePb.DeviceProfile()
}

interface Listed {
  item: DeviceListItem
  profile: DeviceProfile | undefined
  group: string
}

async function readDevice(session: Session, listed: Listed): Promise<SourceDevice> {
  const { item, profile, group } = listed
  const request = new devicePb.GetDeviceRequest()
  request.setDevEui(item.getDevEui())
  const answer = await session.client.call(deviceGrpc.DeviceServiceService.get, request)
  const device = answer.getDevice()
  return makeDevice(item.getDevEui(), {
    name: item.getName(),
    joinEui: device?.getJoinEui() ?? '',
    ...(await readKeysOf(session, item.getDevEui(), profile)),
    group: [group],
    profile: profile?.getName() ?? '',
    notes: item.getDescription(),
    tags: usableTags(Object.fromEntries(device?.getTagsMap().getEntryList() ?? [])),
    variables: Object.fromEntries(device?.getVariablesMap().getEntryList() ?? []),
    isOnlyAdopted: profile && findHindrance(profile),
  })
}

function findHindrance(profile: DeviceProfile): string | undefined {
  if (!profile.getSupportsOtaa()) return 'The device does not join: its device profile is for ABP.'
  return isOf11(profile) ? 'The device is of LoRaWAN 1.1, which has two root keys.' : undefined
}

function isOf11(profile: DeviceProfile): boolean {
  return profile.getMacVersion() === MacVersion.LORAWAN_1_1_0
}

/** A device by ABP has no keys. */
async function readKeysOf(
  session: Session,
  devEui: string,
  profile: DeviceProfile | undefined,
): Promise<{ key: string; networkKey?: string }> {
  const version = profile && isOf11(profile) ? '1.1' : '1.0'
  const { appKey = '', radio } = toDetails(await readKeys(session, devEui), { version })
  return { key: appKey, ...(radio?.networkKey && { networkKey: radio.networkKey }) }
}

function readCodec(profile: DeviceProfile): [string, SourceCodec][] {
  const [name, script] = [profile.getName(), profile.getPayloadCodecScript()]
  const runtime = profile.getPayloadCodecRuntime()
  if (runtime === CodecRuntime.CAYENNE_LPP) return [[name, { format: 'cayenne_lpp' }]]
  const isScript = runtime === CodecRuntime.JS && script.trim() !== ''
  return isScript ? [[name, { format: 'ts013', script }]] : []
}
