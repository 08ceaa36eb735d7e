import type { FarAnswer, FarCall } from '../far-call.ts'
import type { NeededRight } from '../far-restrictions.ts'
import { createFarSide } from '../far-side.ts'
import { ownerRadio } from '../owner-radio.ts'
import type { SimulatorOptions } from '../simulated-network.ts'
import { createApplicationRoutes } from './application-routes.ts'
import { createGatewayRoutes } from './gateway-routes.ts'
import { createDialect } from './messages.ts'
import { createOutputRoutes, followOutputs } from './output-routes.ts'
import {
  type DeviceRecord,
  foreignEui,
  type GatewayRecord,
  refuse,
  type Side,
  type Store,
} from './store.ts'

/** Simulates a LORIOT server with one application and one network of gateways. */
export async function startSimulator(options: SimulatorOptions = {}) {
  const store: Store = {
    apiKey: 'simulated-loriot-key',
    applicationId: 'BE7A2562',
    networkId: 'A0000001',
    tokens: [],
    outputs: [],
    foreign: new Set([foreignEui]),
    capacity: undefined,
  }
  const side: Side = await createFarSide<DeviceRecord, GatewayRecord>(
    options,
    createDialect(() => side),
    (side) => ({
      routes: [
        ...createApplicationRoutes(side, store),
        ...createOutputRoutes(side, store),
        ...createGatewayRoutes(side, store),
      ],
      authorize: (call) => authorize(store, call),
      refusal: (words) => refuse(400, words),
      rightOf,
      internalError: () => refuse(500, 'Internal error'),
    }),
  )
  const simulated = side.simulate({
    network: 'loriot',
    account: {
      server: side.http.address,
      api_key: store.apiKey,
      application_id: store.applicationId,
    },
    wrongAccount: { api_key: 'not-the-key' },
    rights: {
      write_devices: /Forbidden/,
      read_gateways: /Not enough permissions/,
      write_gateways: /Not enough permissions|Forbidden/,
      send_downlinks: /Not enough permissions/,
      set_callback: /Not enough permissions/,
    },
    setRoom: (devices) => {
      store.capacity = devices
    },
    kinds: ['1.1', 'class_c'],
    addDevice: (devEui, name, kind) => {
      const { appKey, networkKey, joinEui } = ownerRadio
      const devclass = kind === 'class_c' ? 'C' : 'A'
      const keys = kind ? { appeui: joinEui, appkey: appKey } : { appeui: '', appkey: '' }
      const second = kind === '1.1' ? { nwkkey: networkKey } : {}
      side.putDevice(devEui, name, { ...keys, devclass, ...second })
    },
    spoilCallbacks: (how) => {
      if (how === 'delete') store.outputs = []
      for (const { osetup } of store.outputs) osetup.auth = 'changed'
      followOutputs(side, store)
    },
  })
  return { ...simulated, http: side.http, side, store }
}

/**
 * Public NWK REST API 5.0: for calls about devices, status 403 is "Forbidden". For calls about a
 * network of gateways, it is "Not enough permissions". The API names no right.
 */
function rightOf({ method, path }: FarCall): NeededRight | undefined {
  // Downlinks need a token of the application. A key that can't read the tokens can't send
  // downlinks.
  if (path.endsWith('/token')) {
    return { right: 'send_downlinks', refusal: refuse(403, 'Not enough permissions') }
  }
  if (/\/outputs(\/|$)/.test(path)) {
    return { right: 'set_callback', refusal: refuse(403, 'Not enough permissions') }
  }
  if (/^\/1\/nwk\/network/.test(path)) {
    const right = method === 'GET' ? 'read_gateways' : 'write_gateways'
    return { right, refusal: refuse(403, 'Not enough permissions') }
  }
  if (method === 'GET') return undefined
  const refusal = refuse(403, 'Forbidden')
  if (path.startsWith('/1/nwk/gateway/')) return { right: 'write_gateways', refusal }
  return /\/device(s\/|\/)/.test(path) ? { right: 'write_devices', refusal } : undefined
}

/** Downlinks need a token of the application. All other calls need the user's key. */
function authorize({ apiKey, tokens }: Store, { path, headers }: FarCall): FarAnswer | undefined {
  const [scheme, word] = (headers.authorization ?? '').split(' ')
  const isRight = path === '/1/rest' ? tokens.includes(word ?? '') : word === apiKey
  return scheme === 'Bearer' && isRight ? undefined : refuse(401, 'Unauthorized')
}
