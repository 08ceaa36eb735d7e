// Simulates a Kerlink Wanesy Management Center, GMS REST API 3.2.6.
import { objectsOf } from '../../src/networks/answer-fields.ts'
import type { Right } from '../../src/networks/capabilities.ts'
import type { Callback } from '../../src/networks/network.ts'
import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarHttpOptions } from '../far-http.ts'
import type { NeededRight } from '../far-restrictions.ts'
import { createFarSide, type FarSide } from '../far-side.ts'
import { ownerRadio, type RadioKind } from '../owner-radio.ts'
import type { CallbackFault, SimulatorOptions } from '../simulated-network.ts'
import { addDataDown, deviceRoutes } from './device-routes.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { createDialect } from './messages.ts'
import { addConfiguration, pushRoutes, route } from './push-routes.ts'
import { base, bodyOf, type Dto, longestText, refuse, type Wanesy } from './store.ts'

const tokenHours = 10

export async function startSimulator(options: SimulatorOptions = {}) {
  let known: Wanesy | undefined
  const getWanesy = () => {
    if (!known) throw new Error('the simulator is not ready')
    return known
  }
  const side = await createFarSide<Dto, Dto>(options, createDialect(getWanesy), (farSide) => {
    known = createWanesy(farSide)
    return createHttp(known)
  })
  const wanesy = getWanesy()
  const simulator = side.simulate({
    network: 'kerlink',
    account: {
      server: side.http.address + base,
      login: wanesy.login,
      password: wanesy.password,
      cluster_id: '1',
      fleet_id: '3',
      brand_id: '1',
    },
    wrongAccount: { password: 'wrong' },
    rights: {
      write_devices: /ADMIN/,
      write_gateways: /USER/,
      send_downlinks: /USER/,
      set_callback: /ADMIN/,
    },
    longestName: { device: longestText, gateway: longestText },
    setRoom: (devices) => {
      wanesy.maxEndDevices = devices
    },
    addForeignDownlink: (devEui, hexadecimal) => {
      addDataDown(wanesy, devEui, { fPort: 10, payload: hexadecimal, confirmed: true })
    },
    changeKey: (devEui, key) => {
      const device = side.devices.get(devEui)
      if (device) device.record.appKey = key
    },
    emptyQueue: (devEui) => {
      for (const { id } of side.devices.get(devEui)?.queue.splice(0) ?? []) {
        const dataDown = wanesy.dataDowns.get(id)
        if (dataDown) dataDown.status = 'CANCELLED'
      }
    },
    kinds: ['1.1', 'abp', 'class_c'],
    addDevice: (devEui, name, kind) => {
      const record = { devEui, cluster: { id: 1 }, activation: 'OTAA' }
      side.putDevice(devEui, name, kind ? { ...record, ...ofKind(kind) } : record)
    },
    spoilCallbacks: (how) => spoil(wanesy, how),
  })
  const setCallback = (callback: Callback | undefined) => setByHand(wanesy, callback)
  return { ...simulator, setCallback, http: side.http, side, store: wanesy }
}

/** Members of EndDeviceDto. */
function ofKind(kind: RadioKind): Dto {
  const { appKey, networkKey: nwkSKey, devAddr, joinEui: appEui } = ownerRadio
  return {
    profile: 'MOBILE',
    geolocation: 'NONE',
    rfRegion: 'EU868',
    regParamsRevision: 'B',
    rx1Delay: 5,
    macVersion: kind === '1.1' ? '1.1.0' : '1.0.3',
    classType: kind === 'class_c' ? 'C' : 'A',
    ...(kind === 'abp'
      ? { activation: 'ABP', devAddr, nwkSKey, appSKey: appKey }
      : { appEui, appKey }),
  }
}

function createWanesy(side: FarSide<Dto, Dto>): Wanesy {
  let id = 100
  const unused = { hexa: false, pushEnabled: false, pushConfigurationId: undefined }
  return {
    side,
    clusters: [
      { id: 1, name: 'Doors', ...unused },
      { id: 2, name: 'Somebody else', ...unused },
    ],
    fleets: [{ id: 3, name: 'Roofs' }],
    brands: [{ id: 1, name: 'KERLINK', bscUrl: 'https://bsc.example.test' }],
    pushConfigurations: new Map(),
    dataDowns: new Map(),
    tokens: new Map(),
    maxEndDevices: undefined,
    login: 'device-service',
    password: side.random.hexadecimal(8),
    nextId: () => {
      id += 1
      return id
    },
  }
}

function createHttp(wanesy: Wanesy): FarHttpOptions {
  return {
    routes: [
      ['POST', `${base}/login`, (call) => logIn(wanesy, call)],
      ...deviceRoutes(wanesy),
      ...gatewayRoutes(wanesy),
      ...pushRoutes(wanesy),
    ],
    authorize: (call) => authorize(wanesy, call),
    refusal: (words) => refuse(400, 'REFUSED', words),
    rightOf,
    internalError: () => refuse(500, 'INTERNAL_ERROR', 'internal error'),
    slowDown: (seconds) =>
      refuse(429, 'MAX_RATE', `the maximum rate of requests is exceeded for ${seconds} s`),
  }
}

function logIn({ side, tokens, login, password }: Wanesy, call: FarCall): FarAnswer {
  const body = bodyOf(call)
  if (body.login !== login || body.password !== password) {
    return refuse(401, 'BAD_CREDENTIALS', 'bad credentials')
  }
  const token = side.random.hexadecimal(32)
  const expiredDate = side.now() + tokenHours * 3_600_000
  tokens.set(token, expiredDate)
  return { status: 201, body: { token, tokenType: 'Bearer', expiredDate } }
}

function authorize({ side, tokens }: Wanesy, { path, headers }: FarCall): FarAnswer | undefined {
  if (path === `${base}/login`) return undefined
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  if ((tokens.get(token) ?? 0) > side.now()) return undefined
  return refuse(401, 'UNAUTHORIZED', 'authentication is required')
}

/** The role that each call needs, from "Role" in the OpenAPI file: READER, USER, ADMIN. */
function rightOf({ method, path }: FarCall): NeededRight | undefined {
  if (method === 'GET') return undefined
  const need = (right: Right, role: string) => {
    return { right, refusal: refuse(403, 'FORBIDDEN', `the role ${role} is required`) }
  }
  if (path.startsWith(`${base}/endDevices/`)) return need('write_devices', 'ADMIN')
  if (path.startsWith(`${base}/gateways/`)) return need('write_gateways', 'USER')
  if (/\/(pushConfigurations|clusters)(\/|$)/.test(path)) return need('set_callback', 'ADMIN')
  return path.startsWith(`${base}/dataDown`) ? need('send_downlinks', 'USER') : undefined
}

function spoil(wanesy: Wanesy, how: CallbackFault): void {
  const { clusters, pushConfigurations } = wanesy
  if (how === 'delete') {
    for (const cluster of clusters) cluster.pushEnabled = false
    pushConfigurations.clear()
  }
  for (const { dto } of pushConfigurations.values()) {
    dto.headers = objectsOf(dto.headers).map(({ key }) => ({ key, value: 'changed' }))
  }
  route(wanesy)
}

function setByHand(wanesy: Wanesy, callback: Callback | undefined): void {
  const [cluster] = wanesy.clusters
  if (!cluster) return
  cluster.pushEnabled = callback !== undefined
  if (callback) {
    cluster.hexa = true
    cluster.pushConfigurationId = addConfiguration(wanesy, {
      name: 'By hand',
      type: 'HTTP',
      msgDetailLevel: 'NETWORK',
      url: callback.url,
      headers: [{ key: callback.header, value: callback.value }],
    })
  }
  route(wanesy)
}
