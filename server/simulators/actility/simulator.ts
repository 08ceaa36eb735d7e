// Simulates Actility ThingPark, API 7.3.

import type { Right } from '../../src/networks/capabilities.ts'
import type { Callback } from '../../src/networks/network.ts'
import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarHttpOptions } from '../far-http.ts'
import type { NeededRight } from '../far-restrictions.ts'
import { createFarSide, type FarSide } from '../far-side.ts'
import { ownerRadio, type RadioKind } from '../owner-radio.ts'
import type { CallbackFault, SimulatorOptions } from '../simulated-network.ts'
import { addAppServer, appServerRoutes, route } from './app-server-routes.ts'
import { baseStationRoutes } from './base-station-routes.ts'
import { deviceRoutes } from './device-routes.ts'
import { createDialect } from './messages.ts'
import {
  type BaseStationRecord,
  type DeviceRecord,
  deviceProfiles,
  operationsPath,
  refuse,
  type ThingPark,
} from './store.ts'
import { tunnelRoutes } from './tunnel-routes.ts'

const tokenPath = '/users-auth/protocol/openid-connect/token'
const tokenSeconds = 300

export async function startSimulator(options: SimulatorOptions = {}) {
  let thingPark: ThingPark | undefined
  const known = () => {
    if (!thingPark) throw new Error('the simulator is not ready')
    return thingPark
  }
  const side = await createFarSide<DeviceRecord, BaseStationRecord>(
    options,
    createDialect(known),
    (farSide) => {
      thingPark = createThingPark(farSide)
      return createHttp(thingPark)
    },
  )
  const { clientId, clientSecret } = known()
  const account = {
    server: side.http.address,
    client_id: clientId,
    client_secret: clientSecret,
    as_id: 'device-service',
    as_key: side.random.hexadecimal(16),
    device_model_id: deviceProfiles[0] ?? '',
  }
  const simulator = side.simulate({
    network: 'actility',
    account,
    wrongAccount: { client_secret: 'wrong' },
    setRoom: (devices) => {
      known().licenses = devices
    },
    rights: {
      write_devices: /<Subscription>\/a/,
      read_gateways: /<NetworkPartner>\/x/,
      write_gateways: /<NetworkPartner>\/a/,
      set_callback: /LPWA_MGR::WRITE_AS_ROUTING_PROFILE/,
    },
    kinds: ['1.1', 'abp', 'class_c'],
    addDevice: (devEui, name, kind) => addByHand(known(), devEui, { name, kind }),
    spoilCallbacks: (how) => spoil(known(), how),
  })
  const setCallback = (callback: Callback | undefined) =>
    setByHand(known(), { asID: account.as_id, downlinkAsKey: account.as_key }, callback)
  return { ...simulator, setCallback, http: side.http, side, store: known() }
}

function createThingPark(side: FarSide<DeviceRecord, BaseStationRecord>): ThingPark {
  let uid = 100
  return {
    side,
    appServers: new Map(),
    tokens: new Map(),
    clientId: 'sub-100000001',
    clientSecret: side.random.hexadecimal(16),
    licenses: undefined,
    nextUid: () => {
      uid += 1
      return uid
    },
  }
}

function createHttp(thingPark: ThingPark): FarHttpOptions {
  return {
    routes: [
      ['POST', tokenPath, (call) => giveToken(thingPark, call)],
      ...deviceRoutes(thingPark),
      ...appServerRoutes(thingPark),
      ...baseStationRoutes(thingPark),
      ...tunnelRoutes(thingPark),
    ],
    authorize: (call) => authorize(thingPark, call),
    refusal: (words) => refuse(409, 999, words),
    rightOf,
    internalError: () => refuse(500, 25, 'unknown error'),
  }
}

function giveToken(thingPark: ThingPark, { body }: FarCall): FarAnswer {
  const form = body as Record<string, string>
  const isRight =
    form.grant_type === 'client_credentials' &&
    form.client_id === thingPark.clientId &&
    form.client_secret === thingPark.clientSecret
  if (!isRight) {
    const error_description = 'Invalid client secret'
    return { status: 400, body: { error: 'unauthorized_client', error_description } }
  }
  const { side, tokens } = thingPark
  const access_token = side.random.hexadecimal(32)
  tokens.set(access_token, side.now() + tokenSeconds * 1000)
  return { status: 200, body: { access_token, expires_in: tokenSeconds, token_type: 'Bearer' } }
}

/** Only the operations API needs the token. */
function authorize({ side, tokens }: ThingPark, { path, headers }: FarCall): FarAnswer | undefined {
  if (!path.startsWith(operationsPath)) return undefined
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if ((tokens.get(token) ?? 0) > side.now()) return undefined
  return refuse(401, 1, 'authentication is required')
}

/**
 * "Access rights" of API 7.3: `x` allows reading, and `a` allows changing, the objects of a
 * subscription or a network partner. The text of a refusal is not documented.
 */
function rightOf({ method, path }: FarCall): NeededRight | undefined {
  const isReading = method === 'GET'
  const need = (right: Right, name: string) => {
    return { right, refusal: refuse(403, 2, `access denied: ${name} is required`) }
  }
  if (path.startsWith(`${operationsPath}/partners/`)) {
    if (isReading) return need('read_gateways', '<NetworkPartner>/x')
    return need('write_gateways', '<NetworkPartner>/a')
  }
  if (isReading) return undefined
  if (path.startsWith(`${operationsPath}/subscriptions/mine/appServers`)) {
    return need('set_callback', 'LPWA_MGR::WRITE_AS_ROUTING_PROFILE')
  }
  const isDevice = path.startsWith(`${operationsPath}/subscriptions/mine/devices`)
  return isDevice ? need('write_devices', '<Subscription>/a') : undefined
}

function addByHand(
  { side, appServers, nextUid }: ThingPark,
  devEui: string,
  { name, kind }: { name: string; kind: RadioKind | undefined },
): void {
  side.putDevice(devEui, name, {
    uid: nextUid(),
    modelId: deviceProfiles[0] ?? '',
    activation: 'OTAA',
    appEui: '0000000000000000',
    appKey: '',
    appServerIds: [...appServers.values()].map(({ id }) => id),
    version: 0,
    ...(kind && ofKind(kind)),
  })
}

const models: Record<RadioKind, string> = {
  '1.1': 'LORA/GenericC.1.1_ETSI',
  abp: 'LORA/GenericA.1.0.3a_ETSI',
  class_c: 'LORA/GenericC.1.0.3a_ETSI',
}

function ofKind(kind: RadioKind): Partial<DeviceRecord> {
  const { appKey, networkKey, devAddr, joinEui } = ownerRadio
  const modelId = models[kind]
  if (kind === 'abp') {
    const appKeys = `<AppSKeys><AppSKey Port="*">${appKey}</AppSKey></AppSKeys>`
    return { modelId, activation: 'ABP', nwAddress: devAddr, nwKey: networkKey, appKeys }
  }
  const nwkKey = kind === '1.1' ? { nwkKey: networkKey } : {}
  return { modelId, appEui: joinEui, appKey, ...nwkKey }
}

/**
 * An application server is not deleted here. That would also remove it from the devices, and only a
 * change of each device restores it.
 */
function spoil(thingPark: ThingPark, how: CallbackFault): void {
  for (const server of thingPark.appServers.values()) {
    if (how === 'delete') server.addresses = []
    else server.headers = server.headers.map(({ name }) => ({ name, value: 'changed' }))
  }
  route(thingPark)
}

function setByHand(
  thingPark: ThingPark,
  security: { asID: string; downlinkAsKey: string },
  callback: Callback | undefined,
): void {
  const { appServers, side } = thingPark
  if (!callback) {
    for (const server of appServers.values()) server.addresses = []
    side.callbacks = []
    return
  }
  addAppServer(thingPark, {
    name: 'By hand',
    contentType: 'jsontyped',
    customHttpHeaders: [{ name: callback.header, value: callback.value }],
    destinations: [{ addresses: [callback.url], ports: '*', strategy: 'SEQUENTIAL' }],
    downlinkSecurity: { status: 'DOWNLINK_AS_KEY', ...security },
  })
}
