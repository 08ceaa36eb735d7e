// DeviceProfileService, api/proto/api/device_profile.proto. Its answers are those of
// chirpstack/src/api/device_profile.rs and chirpstack/src/storage/device_profile.rs.
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb, {
  type CreateDeviceProfileRequest,
  type ListDeviceProfilesRequest,
} from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
// @ts-expect-error: it comes with ChirpStack's stubs, and without types.
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js'
import { listOwned } from './application-routes.ts'
import { type CallContext, checkName, invalid, serve } from './grpc-server.ts'
import { denied, requireVisible } from './rights.ts'
import type { StoredProfile } from './store.ts'

const service = deviceProfileGrpc.DeviceProfileServiceService

export function createDeviceProfileService(context: CallContext): UntypedServiceImplementation {
  return {
    create: serve(context, service.create, (request) => create(context, request)),
    get: serve(context, service.get, (request) => {
      const stored = context.store.deviceProfiles.get(request.getId())
      const owner = { id: request.getId(), tenantId: stored?.tenantId }
      const response = new deviceProfilePb.GetDeviceProfileResponse()
      response.setDeviceProfile(toProfile(requireVisible(context, stored, owner)))
      return response
    }),
    list: serve(context, service.list, (request) => list(context, request)),
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A tenant's key may do so at its tenant (api/auth/validator.rs). */
function create(context: CallContext, request: CreateDeviceProfileRequest) {
  const record = request.getDeviceProfile()
  if (!record) throw invalid('device_profile is missing')
  const { store, keyKind } = context
  const tenantId = record.getTenantId()
  if (!uuid.test(tenantId)) throw invalid('invalid length of a UUID')
  if (keyKind === 'tenant' && tenantId !== store.tenantId) throw denied()
  if (tenantId !== store.tenantId) throw invalid('Unknown tenant')
  if (record.getName().length === 1)
    throw invalid('Validation error: name: Validation error: length')
  checkName(record.getName())
  if (record.getAbpRx1Delay() > 15) throw invalid('RX1 Delay must be between 0 - 15')
  const id = context.random.uuid()
  store.deviceProfiles.set(id, {
    id,
    tenantId,
    name: record.getName(),
    record,
    createdAt: new Date(context.clock.now()),
    flushQueueOnActivate: record.getFlushQueueOnActivate(),
    supportsClassC: record.getSupportsClassC(),
    supportsOtaa: record.getSupportsOtaa(),
    isLorawan11: record.getMacVersion() === commonPb.MacVersion.LORAWAN_1_1_0,
  })
  const response = new deviceProfilePb.CreateDeviceProfileResponse()
  response.setId(id)
  return response
}

function toProfile(stored: StoredProfile): deviceProfilePb.DeviceProfile {
  const { DeviceProfile } = deviceProfilePb
  const sent = stored.record?.serializeBinary()
  const profile = sent ? DeviceProfile.deserializeBinary(sent) : new DeviceProfile()
  profile.setId(stored.id)
  profile.setTenantId(stored.tenantId)
  profile.setName(stored.name)
  profile.setSupportsOtaa(stored.supportsOtaa ?? true)
  if (stored.codec !== undefined) {
    profile.setPayloadCodecRuntime(deviceProfilePb.CodecRuntime.JS)
    profile.setPayloadCodecScript(stored.codec)
  }
  profile.setFlushQueueOnActivate(stored.flushQueueOnActivate)
  profile.setSupportsClassC(stored.supportsClassC)
  if (stored.record) return profile
  const { LORAWAN_1_0_3, LORAWAN_1_1_0 } = commonPb.MacVersion
  profile.setMacVersion(stored.isLorawan11 ? LORAWAN_1_1_0 : LORAWAN_1_0_3)
  return profile
}

/** In the order of names; `search` is a part of one, without regard to case. */
function list(context: CallContext, request: ListDeviceProfilesRequest) {
  const search = request.getSearch().toLowerCase()
  const found = listOwned(context, context.store.deviceProfiles, request.getTenantId())
    .filter(({ name }) => name.toLowerCase().includes(search))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  const response = new deviceProfilePb.ListDeviceProfilesResponse()
  response.setTotalCount(found.length)
  for (const stored of found.slice(request.getOffset()).slice(0, request.getLimit())) {
    const profile = toProfile(stored)
    const item = new deviceProfilePb.DeviceProfileListItem()
    item.setId(stored.id)
    item.setName(stored.name)
    item.setRegion(profile.getRegion())
    item.setMacVersion(profile.getMacVersion())
    item.setRegParamsRevision(profile.getRegParamsRevision())
    item.setSupportsOtaa(profile.getSupportsOtaa())
    item.setSupportsClassB(profile.getSupportsClassB())
    item.setSupportsClassC(profile.getSupportsClassC())
    const createdAt = timestampPb.Timestamp.fromDate(stored.createdAt ?? new Date(0))
    item.setCreatedAt(createdAt)
    response.addResult(item)
  }
  return response
}
