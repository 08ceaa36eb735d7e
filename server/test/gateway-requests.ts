import { addGateway, gatewayCreation, gatewayOf } from './fleet.ts'
import type { ValidRequest } from './requests.ts'
import type { TestService } from './service.ts'

const noGateway = { status: 404, message: 'Gateway not found!' }

/** For tests: a valid request for every route of gateways and gateway forms. */
export async function gatewayRequests(service: TestService): Promise<Record<string, ValidRequest>> {
  let added = 0
  const next = () => {
    added += 1
    return added
  }
  const { id } = await addGateway(service, next())
  const path = `/gateways/${id}`
  return {
    'GET /network-data': { path: '/network-data?gateway=chirpstack', status: 200 },
    'GET /configurations': {
      path: '/configurations?network=chirpstack&type=gateway',
      status: 200,
    },
    'GET /gateways': { path: '/gateways', status: 200 },
    'POST /gateways/create': { path: '/gateways/create?gatewayType=other', status: 200 },
    'POST /gateways': {
      path: '/gateways',
      body: gatewayOf(0, { gateway_bridge: 'lora' }),
      status: 422,
    },
    'GET /gateways/:gateway_id': { path, status: 200, stranger: noGateway },
    'PATCH /gateways/:gateway_id': {
      path,
      body: { gateway_name: 'Tower' },
      status: 200,
      stranger: noGateway,
    },
    'POST /gateways/:gateway_id/rotate-token': {
      path: `${path}/rotate-token`,
      status: 200,
      prepare: async () => {
        const gateway = await addGateway(service, next(), { gateway_bridge: 'other' })
        return { path: `/gateways/${gateway.id}/rotate-token` }
      },
      stranger: noGateway,
    },
    'DELETE /gateways/:gateway_id': {
      path,
      status: 204,
      prepare: async () => ({ path: `/gateways/${(await addGateway(service, next())).id}` }),
      stranger: noGateway,
    },
    'POST /batch-gateway-requests': {
      path: '/batch-gateway-requests',
      body: {
        gateways: [
          gatewayCreation(next(), { gatewayBridge: 'other' }),
          { action: 'update', gatewayId: id, gatewayName: 'Roof' },
          { action: 'delete', gatewayId: 0 },
        ],
      },
      status: 200,
    },
    'GET /fleet/gateways': { path: '/fleet/gateways', status: 200 },
    'GET /fleet/gateways/:gateway_id': { path: `/fleet${path}`, status: 200, stranger: noGateway },
    'PATCH /fleet/gateways/:gateway_id': {
      path: `/fleet${path}`,
      body: { position: { lat: 48.1, lng: 11.5 } },
      status: 200,
      stranger: noGateway,
    },
    'GET /fleet/gateways/:gateway_id/devices': {
      path: `/fleet${path}/devices`,
      status: 200,
      stranger: noGateway,
    },
    'GET /fleet/gateways/:gateway_id/uplinks': {
      path: `/fleet${path}/uplinks`,
      status: 200,
      stranger: noGateway,
    },
    'GET /fleet/gateways/:gateway_id/radio': {
      path: `/fleet${path}/radio`,
      status: 200,
      stranger: noGateway,
    },
    'GET /fleet/gateways/:gateway_id/sole-devices': {
      path: `/fleet${path}/sole-devices`,
      status: 200,
      stranger: noGateway,
    },
    'GET /fleet/coverage': { path: '/fleet/coverage', status: 200 },
    'GET /fleet/coverage/devices': { path: '/fleet/coverage/devices', status: 200 },
    'POST /callbacks/other/:gateway': {
      path: '/callbacks/other/00000000-0000-4000-a000-000000000009',
      prepare: async () => {
        const gateway = await addGateway(service, next(), { gateway_bridge: 'other' })
        const { body } = await service.call('GET', `/v1/gateways/${gateway.id}`)
        const { authorisation_token: token, download_link: link } = body.gateway_configs
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        return { path: new URL(link).pathname.replace('/v1', ''), headers }
      },
      body: { appeui: '16-ea-76-f6-ab-66-3d-80', gweui: '00-80-00-00-a0-00-0f-4d' },
      status: 200,
    },
  }
}
