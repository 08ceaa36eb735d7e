import type { FarAnswer, FarCall, FarRoute } from '../far-call.ts'
import type { Dialect, FarUplink } from '../far-dialect.ts'
import type { NeededRight } from '../far-restrictions.ts'
import { createFarSide } from '../far-side.ts'
import { ownerRadio } from '../owner-radio.ts'
import type { SimulatorOptions } from '../simulated-network.ts'
import { createDeviceRoutes } from './device-routes.ts'
import { createProfileRoutes, followProfiles } from './profile-routes.ts'
import {
  type DeviceRecord,
  deviceProfile,
  membersOf,
  ok,
  refuse,
  type Side,
  type Store,
  serviceProfile,
} from './store.ts'

/** Simulates one subscriber. The API and the token server have the same address. */
export async function startSimulator(options: SimulatorOptions = {}) {
  const store: Store = {
    clientId: 'simulated-client',
    clientSecret: 'simulated-machineq-secret',
    tokens: new Set(),
    outputProfiles: new Map(),
  }
  const side: Side = await createFarSide<DeviceRecord, never>(options, dialect, (side) => ({
    routes: [
      tokenRoute(side, store),
      ...createDeviceRoutes(side, store),
      ...createProfileRoutes(side, store),
    ],
    authorize: (call) => authorize(store, call),
    refusal: (words) => refuse(3, words),
    rightOf,
    internalError: () => refuse(13, 'internal error'),
  }))
  const simulated = side.simulate({
    network: 'machineq',
    account: {
      client_id: store.clientId,
      client_secret: store.clientSecret,
      service_profile: serviceProfile,
      device_profile: deviceProfile,
      server: side.http.address,
    },
    wrongAccount: { client_secret: 'not-the-secret' },
    rights: {
      write_devices: /permission/,
      send_downlinks: /permission/,
      set_callback: /permission/,
    },
    kinds: ['abp'],
    addDevice: (devEui, name, kind) => {
      const { appKey, networkKey, devAddr } = ownerRadio
      const session = { DevAddr: devAddr, NetworkSKey: networkKey, ApplicationSKey: appKey }
      side.putDevice(devEui, name, {
        ServiceProfile: serviceProfile,
        DeviceProfile: deviceProfile,
        OutputProfile: [...store.outputProfiles.keys()][0] ?? '',
        ...(kind === 'abp' ? { ActivationType: 'ABP', ...session } : { ActivationType: 'OTAA' }),
      })
    },
    spoilCallbacks: (how) => {
      for (const profile of store.outputProfiles.values()) {
        if (how === 'delete') profile.RestParams = []
        for (const destination of profile.RestParams) destination.TokenValue = 'changed'
      }
      followProfiles(side, store)
    },
  })
  return { ...simulated, http: side.http, side, store }
}

const tokenPath = '/oauth/token'

function authorize({ tokens }: Store, { path, headers }: FarCall): FarAnswer | undefined {
  if (path === tokenPath) return undefined
  const [scheme, token] = (headers.authorization ?? '').split(' ')
  const isRight = scheme === 'Bearer' && tokens.has(token ?? '')
  return isRight ? undefined : refuse(16, 'Token is invalid or expired')
}

/** PERMISSION_DENIED (7) of gRPC. The refusal does not name the missing right. */
function rightOf({ method, path }: FarCall): NeededRight | undefined {
  const refusal = refuse(7, 'permission denied')
  if (method === 'GET') return undefined
  if (path.startsWith('/v1/outputprofiles')) return { right: 'set_callback', refusal }
  if (!path.startsWith('/v1/devices')) return undefined
  return { right: path.endsWith('/message') ? 'send_downlinks' : 'write_devices', refusal }
}

/** RFC 6749 section 4.4. The credentials are in the form. */
function tokenRoute({ random }: Side, store: Store): FarRoute {
  return [
    'POST',
    tokenPath,
    (call) => {
      const { grant_type, client_id, client_secret } = membersOf(call)
      if (grant_type !== 'client_credentials') {
        return { status: 400, body: { error: 'unsupported_grant_type' } }
      }
      if (client_id !== store.clientId || client_secret !== store.clientSecret) {
        return { status: 401, body: { error: 'invalid_client' } }
      }
      const token = random.hexadecimal(20)
      store.tokens.add(token)
      return ok({ access_token: token, token_type: 'Bearer', expires_in: 3600 })
    },
  ]
}

/** Sends only uplinks. Every number is a string. */
const dialect: Dialect<DeviceRecord> = {
  uplink: ({ device, fPort, fCnt, data, time }: FarUplink<DeviceRecord>) => [
    {
      body: {
        DevEUI: device.devEui,
        Time: new Date(time).toISOString(),
        DecoderType: '',
        DevAddr: (device.record.DevAddr ?? device.devAddr).toUpperCase(),
        FPort: String(fPort),
        FCntUp: String(fCnt),
        ADRbit: '',
        MessageType: '4',
        FCntDn: String(device.fCntDown),
        payload_hex: data.toString('hex'),
        decoded_payload: {},
        mic_hex: 'a0e6dae5',
        GatewayRSSI: '-31.000000',
        GatewaySNR: '10.000000',
        SpreadingFactor: '8',
        SubBand: 'G30',
        Channel: 'LC64',
        GatewayCount: '2',
        GatewayID: '07000C20',
        Late: '0',
        GatewayLAT: '39.954700',
        GatewayLON: '-75.168500',
        GatewayList: [
          {
            GatewayID: '07000C20',
            GatewayRSSI: '-31.000000',
            GatewaySNR: '10.000000',
            GatewayESP: '-31.413927',
          },
          {
            GatewayID: '07000C21',
            GatewayRSSI: '-98.000000',
            GatewaySNR: '2.500000',
            GatewayESP: '-100.100000',
          },
        ],
      },
    },
  ],
}
