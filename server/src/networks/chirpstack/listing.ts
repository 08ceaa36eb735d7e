// What an account has at ChirpStack, api/proto/api/device.proto and gateway.proto.
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb from '@chirpstack/chirpstack-api/api/device_pb.js'
import gatewayGrpc from '@chirpstack/chirpstack-api/api/gateway_grpc_pb.js'
import gatewayPb from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import type { ListedThing } from '../network.ts'
import type { Session } from './client.ts'

const pageSize = 500

export async function* listDevices({ client, account }: Session): AsyncGenerator<ListedThing[]> {
  for (let offset = 0; ; offset += pageSize) {
    const request = new devicePb.ListDevicesRequest()
    request.setApplicationId(account.applicationId)
    request.setLimit(pageSize)
    request.setOffset(offset)
    const response = await client.call(deviceGrpc.DeviceServiceService.list, request)
    const page = response.getResultList()
    yield page.map((item) => ({ eui: item.getDevEui().toUpperCase(), name: item.getName() }))
    if (page.length < pageSize) return
  }
}

export async function* listGateways({ client, account }: Session): AsyncGenerator<ListedThing[]> {
  for (let offset = 0; ; offset += pageSize) {
    const request = new gatewayPb.ListGatewaysRequest()
    request.setTenantId(account.tenantId)
    request.setLimit(pageSize)
    request.setOffset(offset)
    const response = await client.call(gatewayGrpc.GatewayServiceService.list, request)
    const page = response.getResultList()
    yield page.map((item) => ({ eui: item.getGatewayId().toUpperCase(), name: item.getName() }))
    if (page.length < pageSize) return
  }
}
