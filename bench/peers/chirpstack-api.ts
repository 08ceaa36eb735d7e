import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb from '@chirpstack/chirpstack-api/api/application_pb.js'
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import profileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import profilePb from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import gatewayGrpc from '@chirpstack/chirpstack-api/api/gateway_grpc_pb.js'
import gatewayPb from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import tenantGrpc from '@chirpstack/chirpstack-api/api/tenant_grpc_pb.js'
import tenantPb from '@chirpstack/chirpstack-api/api/tenant_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { Client, credentials, Metadata, type MethodDefinition } from '@grpc/grpc-js'
import type { SessionKeys } from './lorawan.ts'

const joinEui = '0'.repeat(16)
const deadlineMs = 20_000

type Call = <Request, Answer>(
  method: MethodDefinition<Request, Answer>,
  request: Request,
) => Promise<Answer>

const devices = deviceGrpc.DeviceServiceService

/** ChirpStack's own API, called as its console calls it. */
export function openApi(address: string, key: string) {
  const client = new Client(address, credentials.createInsecure())
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${key}`)
  const call: Call = (method, request) =>
    new Promise((resolve, reject) => {
      const { path, requestSerialize, responseDeserialize } = method
      const options = { deadline: Date.now() + deadlineMs }
      client.makeUnaryRequest(
        ...([path, requestSerialize, responseDeserialize, request, metadata, options] as const),
        (error, answer) => (error || !answer ? reject(error) : resolve(answer)),
      )
    })
  return {
    close: () => client.close(),
    makeAccount: () => makeAccount(call),
    async addGateway(tenantId: string, gatewayId: string): Promise<void> {
      const gateway = new gatewayPb.Gateway()
      gateway.setGatewayId(gatewayId)
      gateway.setName('Bench')
      gateway.setTenantId(tenantId)
      gateway.setStatsInterval(30)
      const request = new gatewayPb.CreateGatewayRequest()
      request.setGateway(gateway)
      await call(gatewayGrpc.GatewayServiceService.create, request)
    },
    addDevice: (of: { applicationId: string; deviceProfileId: string }, devEui: string) =>
      addDevice(call, of, devEui),
    /** As if it had joined. */
    async activate(devEui: string, { address, nwkSKey, appSKey }: SessionKeys) {
      const activation = new devicePb.DeviceActivation()
      const network = nwkSKey.toString('hex')
      activation.setDevEui(devEui)
      activation.setDevAddr(address)
      activation.setAppSKey(appSKey.toString('hex'))
      activation.setNwkSEncKey(network)
      activation.setSNwkSIntKey(network)
      activation.setFNwkSIntKey(network)
      const request = new devicePb.ActivateDeviceRequest()
      request.setDeviceActivation(activation)
      await call(devices.activate, request)
    },
    async listDevices(applicationId: string, limit: number) {
      const request = new devicePb.ListDevicesRequest()
      request.setApplicationId(applicationId)
      request.setLimit(limit)
      const answer = await call(devices.list, request)
      return { total: answer.getTotalCount(), count: answer.getResultList().length }
    },
    async enqueue(devEui: string): Promise<void> {
      const item = new devicePb.DeviceQueueItem()
      item.setDevEui(devEui)
      item.setFPort(2)
      item.setData(Buffer.from('0100028100000000', 'hex'))
      const request = new devicePb.EnqueueDeviceQueueItemRequest()
      request.setQueueItem(item)
      await call(devices.enqueue, request)
    },
  }
}

export type ChirpStackApi = ReturnType<typeof openApi>

/** Makes a tenant with an application and a device profile. */
async function makeAccount(call: Call) {
  const tenant = new tenantPb.Tenant()
  tenant.setName('Bench')
  tenant.setCanHaveGateways(true)
  const newTenant = new tenantPb.CreateTenantRequest()
  newTenant.setTenant(tenant)
  const tenantId = (await call(tenantGrpc.TenantServiceService.create, newTenant)).getId()
  const application = new applicationPb.Application()
  application.setTenantId(tenantId)
  application.setName('Bench')
  const newApplication = new applicationPb.CreateApplicationRequest()
  newApplication.setApplication(application)
  const applications = applicationGrpc.ApplicationServiceService
  const applicationId = (await call(applications.create, newApplication)).getId()
  const profile = new profilePb.DeviceProfile()
  profile.setTenantId(tenantId)
  profile.setName('Bench')
  profile.setRegion(commonPb.Region.EU868)
  profile.setMacVersion(commonPb.MacVersion.LORAWAN_1_0_3)
  profile.setRegParamsRevision(commonPb.RegParamsRevision.A)
  profile.setAdrAlgorithmId('default')
  profile.setSupportsOtaa(true)
  profile.setUplinkInterval(3600)
  const newProfile = new profilePb.CreateDeviceProfileRequest()
  newProfile.setDeviceProfile(profile)
  const profiles = profileGrpc.DeviceProfileServiceService
  const deviceProfileId = (await call(profiles.create, newProfile)).getId()
  return { tenantId, applicationId, deviceProfileId }
}

/** Adds a device in two calls, as ChirpStack wants it. */
async function addDevice(
  call: Call,
  of: { applicationId: string; deviceProfileId: string },
  devEui: string,
) {
  const device = new devicePb.Device()
  device.setDevEui(devEui)
  device.setJoinEui(joinEui)
  device.setName(`Bench device ${devEui}`)
  device.setApplicationId(of.applicationId)
  device.setDeviceProfileId(of.deviceProfileId)
  const request = new devicePb.CreateDeviceRequest()
  request.setDevice(device)
  await call(devices.create, request)
  const keys = new devicePb.DeviceKeys()
  keys.setDevEui(devEui)
  keys.setNwkKey('000102030405060708090a0b0c0d0e0f')
  const keysRequest = new devicePb.CreateDeviceKeysRequest()
  keysRequest.setDeviceKeys(keys)
  await call(devices.createKeys, keysRequest)
}
