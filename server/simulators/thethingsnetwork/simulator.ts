import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import { createFarSide } from '../far-side.ts'
import { ownerRadio, type RadioKind } from '../owner-radio.ts'
import type { SimulatorOptions } from '../simulated-network.ts'
import { deviceRoutes } from './device-routes.ts'
import { fail, invalid } from './errors.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { createDialect } from './messages.ts'
import { readDownlink } from './queue.ts'
import { queueRoutes } from './queue-routes.ts'
import { registryRoutes } from './registry-routes.ts'
import {
  type EntityKind,
  ownerOf,
  refuseCall,
  rightsByWord,
  rightsOfKey,
  rightsOn,
} from './rights.ts'
import { findFault } from './rules.ts'
import {
  createStore,
  goOnAir,
  keyOf,
  type StackSide,
  type StackStore,
  type StoredDevice,
  type StoredGateway,
} from './store.ts'
import { applyWebhooks, webhookRoutes } from './webhook-routes.ts'

/** Members that another program sets in its downlinks. */
const foreign = { priority: 'HIGHEST', correlation_ids: ['other:1'], class_b_c: { gateways: [] } }

/** Starts all four servers of The Things Stack at one address. */
export async function startSimulator(options: SimulatorOptions = {}) {
  const store = createStore(
    `NNSXS.${(options.seed ?? 1).toString(36).toUpperCase()}FLEET.SIMULATED`,
  )
  const side: StackSide = await createFarSide<StoredDevice, StoredGateway>(
    options,
    createDialect(store, () => side),
    (own) => ({
      routes: [
        ...accessRoutes(store),
        ...deviceRoutes(store, own),
        ...registryRoutes(store, own),
        ...queueRoutes(store, own),
        ...gatewayRoutes(store, own),
        ...webhookRoutes(store, own),
      ].map((route) => guard(store, route)),
      authorize: (call) => authorize(store, call),
      refusal: (words) => invalid('request', words),
      slowDown,
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
      set_callback: /RIGHT_APPLICATION_SETTINGS_BASIC/,
    },
    deny: (rights) => {
      store.denied = rights.flatMap((right) => rightsByWord[right])
    },
    longestName: { device: 50, gateway: 50 },
    addForeignDownlink: (devEui, hexadecimal) => {
      const frm_payload = Buffer.from(hexadecimal, 'hex').toString('base64')
      const item = { f_port: 10, frm_payload, confirmed: true, ...foreign }
      side.devices.get(devEui.toUpperCase())?.queue.push(readDownlink(item, side.random))
    },
    kinds: ['1.1', 'abp', 'class_c'],
    addDevice: (devEui, name, kind) => addByHand(store, side, devEui, { name, kind }),
    changeKey: (devEui, key) => {
      const { join } = side.devices.get(devEui)?.record ?? {}
      if (join) join.root_keys = { app_key: { key } }
    },
    spoilCallbacks: (how) => {
      if (how === 'delete') store.webhooks.clear()
      for (const webhook of store.webhooks.values()) {
        webhook.headers = { 'x-callback-secret': 'changed' }
      }
      applyWebhooks(store, side)
    },
  })
  return { ...simulated, http: side.http, store }
}

/**
 * Source: pkg/ratelimit/result.go. grpc-gateway passes on its headers (pkg/rpcserver/rpcserver.go).
 */
function slowDown(seconds: number, rate: number): FarAnswer {
  const format = 'rate limit of `{rate}` accesses per minute exceeded for resource `{key}`'
  const attributes = { rate, key: 'grpc:method:/ttn.lorawan.v3:127.0.0.1' }
  return {
    ...fail(429, 'pkg/ratelimit:rate_limit_exceeded', format, { attributes }),
    headers: {
      'x-rate-limit-limit': String(rate),
      'x-rate-limit-available': '0',
      'x-rate-limit-reset': '60',
      'x-rate-limit-retry': String(seconds),
    },
  }
}

/** Checks the rules first, then the rights (pkg/rpcmiddleware/validator). */
function guard(store: StackStore, [method, path, handle]: FarRoute): FarRoute {
  return [method, path, (call) => findFault(call) ?? refuseCall(store, call) ?? handle(call)]
}

/** Sources: pkg/auth/auth.go (SplitToken), pkg/identityserver/entity_access.go. */
function authorize({ apiKey }: StackStore, { headers }: FarCall): FarAnswer | undefined {
  const [, token] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined) {
    return fail(401, 'pkg/identityserver:unauthenticated', 'unauthenticated')
  }
  if (token === apiKey) return undefined
  const [kind, id, ...rest] = token.split('.')
  if (kind !== 'NNSXS' || rest.length !== 1) return fail(400, 'pkg/auth:token', 'invalid token')
  if (id === apiKey.split('.')[1]) {
    return fail(401, 'pkg/identityserver:invalid_authorization', 'invalid authorization')
  }
  const cause = {
    error: 'pkg/identityserver/store:api_key_not_found',
    format: 'api key with id `{api_key_id}` not found',
    attributes: { api_key_id: id },
    code: 5,
  }
  return fail(401, 'pkg/identityserver:api_key_not_found', 'API key not found', { cause })
}

function accessRoutes(store: StackStore): FarRoute[] {
  const listRights = (kind: EntityKind, id: string | undefined): FarAnswer => {
    const rights = rightsOn(store, kind, id ?? '')
    return { status: 200, body: rights.length > 0 ? { rights } : {} }
  }
  return [
    ['GET', '/api/v3/auth_info', () => showAuthorization(store)],
    ['GET', '/api/v3/applications', (call) => listApplications(store, call)],
    [
      'GET',
      '/api/v3/applications/:application/rights',
      ({ params }) => listRights('application', params.application),
    ],
    ['GET', '/api/v3/users/:owner/rights', ({ params }) => listRights('user', params.owner)],
    [
      'GET',
      '/api/v3/organizations/:owner/rights',
      ({ params }) => listRights('organization', params.owner),
    ],
  ]
}

/** Those of the key's owner; the key of an application lists none (application_registry.go). */
function listApplications(store: StackStore, { query }: FarCall): FarAnswer {
  const isOwner = ownerOf(store).kind !== 'application'
  const isShown = isOwner && Number(query.page ?? 1) === 1
  const ids = { application_id: store.applicationId }
  const applications = isShown ? [{ ids, name: 'Simulated application' }] : []
  return { status: 200, body: { applications } }
}

function showAuthorization(store: StackStore): FarAnswer {
  const { kind, id } = ownerOf(store)
  const api_key = {
    api_key: { id: store.apiKey.split('.')[1], rights: rightsOfKey(store) },
    entity_ids: { [`${kind}_ids`]: { [`${kind}_id`]: id } },
  }
  return { status: 200, body: { api_key } }
}

/** Adds a device in all four servers, as the console does. */
function addByHand(
  store: StackStore,
  side: StackSide,
  devEui: string,
  { name, kind }: { name: string; kind: RadioKind | undefined },
): void {
  const { applicationId } = store
  const deviceId = `eui-${devEui.toLowerCase()}`
  const ids = {
    device_id: deviceId,
    application_ids: { application_id: applicationId },
    dev_eui: devEui,
    join_eui: kind ? ownerRadio.joinEui : '0000000000000000',
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
  if (kind) ofKind(device, kind)
  store.devices.set(keyOf(applicationId, deviceId), device)
  goOnAir(store, side, device)
}

function ofKind(device: StoredDevice, kind: RadioKind): void {
  const { appKey, networkKey, devAddr } = ownerRadio
  if (kind === 'abp') {
    delete device.join
    const session = (keys: JsonObject) => ({ dev_addr: devAddr, keys })
    const ofNetwork = session({ f_nwk_s_int_key: { key: networkKey } })
    Object.assign(device.network ?? {}, { supports_join: undefined, session: ofNetwork })
    Object.assign(device.application ?? {}, { session: session({ app_s_key: { key: appKey } }) })
    return
  }
  const root_keys = {
    app_key: { key: appKey },
    ...(kind === '1.1' && { nwk_key: { key: networkKey } }),
  }
  Object.assign(device.join ?? {}, { root_keys })
  const of11 = { lorawan_version: 'MAC_V1_1', lorawan_phy_version: 'PHY_V1_1_REV_B' }
  Object.assign(device.network ?? {}, kind === '1.1' ? of11 : { supports_class_c: true })
}
