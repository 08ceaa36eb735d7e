// Device profiles that the service makes for models, api/proto/api/device_profile.proto.
import { createHash } from 'node:crypto'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb, {
  type DeviceProfile,
} from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { type DeviceModel, revisionOfModel, wholeVersion } from '../device-model.ts'
import { isDenied } from './call-error.ts'
import type { Session } from './client.ts'
import type { ModelProfile } from './device-profile.ts'
import { profileMilliseconds } from './radio.ts'

const service = deviceProfileGrpc.DeviceProfileServiceService

/**
 * Finds the profile that was made for the model of a device at the tenant of the account, or makes it.
 * Devices that are registered at the same time share it. Undefined where none is there, and the device
 * is: it has a profile of its own. No profile is ever deleted, because ChirpStack would delete its
 * devices with it (migrations_postgres/00000000000000_initial). So two processes may make two; the older
 * one is used from then on.
 */
export async function modelProfile(
  session: Session,
  model: DeviceModel,
  isThere: () => Promise<boolean>,
): Promise<ModelProfile | undefined> {
  const wanted = toProfile(session.account.tenantId, model)
  if (!wanted) {
    const words = `LoRaWAN ${model.macVersion} in ${model.region}`
    return { reason: `ChirpStack has no device profiles for ${words}.` }
  }
  const mark = markOf(wanted)
  const found = await share(session, `found ${mark}`, () => findMade(session, wanted))
  if (found) return found
  if (await isThere()) return undefined
  return share(session, `made ${mark}`, () => make(session, wanted))
}

/** The most answers that are kept. */
const mostKept = 200

/** Asks once for all who need the answer at about the same time. */
function share<Answer extends ModelProfile | undefined>(
  { modelProfiles: kept }: Session,
  key: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const known = kept.get(key)
  if (known && performance.now() - known.readAt < profileMilliseconds) {
    return known.answer as Promise<Answer>
  }
  if (kept.size >= mostKept) kept.clear()
  const answer = ask()
  kept.set(key, { answer, readAt: performance.now() })
  answer.catch(() => kept.delete(key))
  return answer
}

async function make({ client }: Session, wanted: DeviceProfile): Promise<ModelProfile> {
  const request = new deviceProfilePb.CreateDeviceProfileRequest()
  request.setDeviceProfile(wanted)
  try {
    return { id: (await client.call(service.create, request)).getId() }
  } catch (error) {
    if (!isDenied(error)) throw error
    const words = `the API key (api_key) may not make the device profile "${wanted.getName()}" for its model`
    return { reason: `At ChirpStack, ${words}.` }
  }
}

const pageSize = 100
/** The most profiles of one name that are looked at. */
const mostNamed = 20

/** The oldest profile of this name that carries the mark of the model. */
async function findMade(
  { client, account }: Session,
  wanted: DeviceProfile,
): Promise<ModelProfile | undefined> {
  const request = new deviceProfilePb.ListDeviceProfilesRequest()
  request.setTenantId(account.tenantId)
  request.setSearch(wanted.getName())
  request.setLimit(pageSize)
  const listed = (await client.call(service.list, request)).getResultList()
  const named = listed.filter((item) => item.getName() === wanted.getName())
  const byAge = named.toSorted((one, other) => ageOf(one) - ageOf(other)).slice(0, mostNamed)
  for (const item of byAge) {
    const asked = new deviceProfilePb.GetDeviceProfileRequest()
    asked.setId(item.getId())
    const profile = (await client.call(service.get, asked)).getDeviceProfile()
    const isOfTenant = profile?.getTenantId().toLowerCase() === account.tenantId
    if (isOfTenant && profile.getTagsMap().get(markName) === markOf(wanted))
      return { id: item.getId() }
  }
  return undefined
}

function ageOf(item: deviceProfilePb.DeviceProfileListItem): number {
  return item.getCreatedAt()?.toDate().getTime() ?? 0
}

/** The tag by which the service knows the profiles that it made, and for what. */
const markName = 'lora_console_model'

function markOf(profile: DeviceProfile): string {
  return profile.getTagsMap().get(markName) ?? ''
}

/** `varchar(100)` of migrations_postgres/00000000000000_initial. */
const longestName = 100

/** Undefined where ChirpStack knows no such version or region. */
function toProfile(tenantId: string, model: DeviceModel): DeviceProfile | undefined {
  const version = commonPb.MacVersion[nameOf(`LORAWAN_${wholeVersion(model)}`) as MacVersion]
  const region = commonPb.Region[nameOf(model.region) as Region]
  const revision = commonPb.RegParamsRevision[nameOf(revisionOfModel(model)) as Revision]
  if (version === undefined || region === undefined || revision === undefined) return undefined
  const profile = new deviceProfilePb.DeviceProfile()
  profile.setTenantId(tenantId)
  profile.setName(profileNameOf(model))
  profile.setRegion(region)
  profile.setMacVersion(version)
  profile.setRegParamsRevision(revision)
  setUsual(profile)
  profile.setSupportsOtaa(model.activation === 'otaa')
  profile.setSupportsClassB(model.supportsClassB)
  profile.setSupportsClassC(model.deviceClass === 'C')
  setDetails(profile, model.details)
  const said = [profile.getName(), version, region, revision, model.activation, model.deviceClass]
  const rest = [model.supportsClassB, Object.entries(model.details).toSorted()]
  const hash = createHash('sha256')
    .update(JSON.stringify([said, rest]))
    .digest('hex')
  profile.getTagsMap().set(markName, hash.slice(0, 32))
  return profile
}

type MacVersion = keyof typeof commonPb.MacVersion
type Region = keyof typeof commonPb.Region
type Revision = keyof typeof commonPb.RegParamsRevision

function nameOf(words: string): string {
  return words.toUpperCase().replaceAll(/[.-]/g, '_')
}

/** What ChirpStack's own console sets (ui/src/views/device-profiles/CreateDeviceProfile.tsx). */
function setUsual(profile: DeviceProfile): void {
  profile.setAdrAlgorithmId('default')
  profile.setUplinkInterval(3600)
  profile.setDeviceStatusReqInterval(1)
  profile.setFlushQueueOnActivate(true)
  profile.setAutoDetectMeasurements(true)
}

/** What does not fit into its field at ChirpStack is left out (chirpstack/src/api/device_profile.rs). */
function setDetails(profile: DeviceProfile, details: DeviceModel['details']): void {
  const set = (name: string, most: number, setValue: (value: number) => void) => {
    const value = details[name]
    if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= most)
      setValue(value)
  }
  const [byte, short, frequency] = [0xff, 0xffff, 0xffff_ffff]
  set('abp.rx1_delay', 15, (value) => profile.setAbpRx1Delay(value))
  set('abp.rx1_dr_offset', byte, (value) => profile.setAbpRx1DrOffset(value))
  set('abp.rx2_dr', byte, (value) => profile.setAbpRx2Dr(value))
  set('abp.rx2_freq', frequency, (value) => profile.setAbpRx2Freq(value))
  set('class_b.timeout_secs', short, (value) => profile.setClassBTimeout(value))
  set('class_b.ping_slot_periodicity', 7, (value) => profile.setClassBPingSlotPeriodicity(value))
  set('class_b.ping_slot_dr', byte, (value) => profile.setClassBPingSlotDr(value))
  set('class_b.ping_slot_freq', frequency, (value) => profile.setClassBPingSlotFreq(value))
  set('class_c.timeout_secs', short, (value) => profile.setClassCTimeout(value))
}

/** Vendor and model, shortened where necessary, with firmware and region. */
export function profileNameOf({ vendor, model, firmware, region }: DeviceModel): string {
  // A backslash has a meaning in searches.
  const clean = (text: string) => [...text.replaceAll('\\', '/')]
  const end = clean([firmware?.slice(0, 30) ?? '', region].filter(Boolean).join(', '))
  const begin = clean(`${vendor} ${model}`).slice(0, longestName - end.length - 2)
  return `${begin.join('').trim()}, ${end.join('')}`
}
