import type { FarAnswer, FarCall, FarHttp, FarRoute } from '../../simulator/far-http.ts'
import { createFarSide } from '../../simulator/far-side.ts'
import type { SimulatedNetwork, SimulatorOptions } from '../../simulator/simulated-network.ts'
import { deviceRoutes } from './device-routes.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { queueRoutes } from './queue-routes.ts'
import { registryRoutes } from './registry-routes.ts'
import { fail, invalid } from './stack-errors.ts'
import { createDialect } from './stack-messages.ts'
import { rightOf } from './stack-rights.ts'
import {
  createStore,
  goOnAir,
  keyOf,
  type StackSide,
  type StackStore,
  type StoredDevice,
  type StoredGateway,
} from './stack-store.ts'
import { useWebhooks, webhookRoutes } from './webhook-routes.ts'

/** The Things Stack with one application, whose API key is its owner's. */
export interface SimulatedStack extends SimulatedNetwork {
  http: FarHttp
  store: StackStore
}

/** Every server of it at one address. */
export async function start(options: SimulatorOptions = {}): Promise<SimulatedStack> {
  const store = createStore(
    `NNSXS.${(options.seed ?? 1).toString(36).toUpperCase()}FLEET.SIMULATED`,
  )
  const side: StackSide = await createFarSide<StoredDevice, StoredGateway>(
    options,
    createDialect(store, () => side),
    (own) => ({
      routes: [
        ['GET', '/api/v3/auth_info', () => showAuthorization(store)] satisfies FarRoute,
        ...deviceRoutes(store, own),
        ...registryRoutes(store, own),
        ...queueRoutes(store, own),
        ...gatewayRoutes(store, own),
        ...webhookRoutes(store, own),
      ],
      authorize: (call) => authorize(store, call),
      refusal: (words) => invalid('request', words),
      rightOf: (call) => rightOf(store, call),
      internalError: () => fail(500, 'pkg/errors:internal', 'internal error'),
    }),
  )
  const simulated = side.simulate({
    network: 'thethingsnetwork',
    account: {
      cluster: side.http.address,
      application_id: store.applicationId,
      api_key: store.apiKey,
      user_id: store.userId,
      ...(options.brokerUrl ? { mqtt_url: options.brokerUrl } : {}),
    },
    wrongAccount: { api_key: 'NNSXS.WRONG.KEY' },
    rights: {
      write_devices: /RIGHT_APPLICATION_DEVICES_WRITE/,
      read_gateways: /RIGHT_USER_GATEWAYS_LIST/,
      write_gateways: /RIGHT_USER_GATEWAYS_CREATE/,
      send_downlinks: /RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE/,
    },
    addDevice: (devEui, name) => addByHand(store, side, devEui, name),
    spoilCallbacks: (how) => {
      if (how === 'delete') store.webhooks.clear()
      for (const webhook of store.webhooks.values()) {
        webhook.headers = { 'x-callback-secret': 'changed' }
      }
      useWebhooks(store, side)
    },
  })
  return Object.assign(simulated, { http: side.http, store })
}

function authorize(store: StackStore, call: FarCall): FarAnswer | undefined {
  if (call.headers.authorization !== `Bearer ${store.apiKey}`) {
    return fail(401, 'pkg/identityserver:invalid_authorization', 'invalid authorization')
  }
  const [, application] = /\/(?:applications|webhooks)\/([^/]+)/.exec(call.path) ?? []
  const isOwn = application === undefined || application === store.applicationId
  if (isOwn || call.path.endsWith('/rights')) return undefined
  return fail(
    403,
    'pkg/auth/rights:no_application_rights',
    `no rights for application \`${application}\``,
  )
}

/** AuthInfoResponse, api/ttn/lorawan/v3/identityserver.proto. */
function showAuthorization({ userId, applicationId, keyOwner, rights }: StackStore): FarAnswer {
  const entity_ids =
    keyOwner === 'user'
      ? { user_ids: { user_id: userId } }
      : { application_ids: { application_id: applicationId } }
  return { status: 200, body: { api_key: { api_key: { id: 'FLEET', rights }, entity_ids } } }
}

/** As the console does it, in all four servers. */
function addByHand(store: StackStore, side: StackSide, devEui: string, name: string): void {
  const { applicationId } = store
  const deviceId = `eui-${devEui.toLowerCase()}`
  const ids = {
    device_id: deviceId,
    application_ids: { application_id: applicationId },
    dev_eui: devEui,
    join_eui: '0000000000000000',
  }
  const device: StoredDevice = {
    applicationId,
    deviceId,
    identity: { ids, name },
    join: { ids, root_keys: { app_key: { key: '00'.repeat(16) } } },
    network: {
      ids,
      supports_join: true,
      frequency_plan_id: 'EU_863_870_TTN',
      lorawan_version: 'MAC_V1_0_3',
      lorawan_phy_version: 'PHY_V1_0_3_REV_A',
    },
    application: { ids },
  }
  store.devices.set(keyOf(applicationId, deviceId), device)
  goOnAir(store, side, device)
}
