import { isObject } from '../../src/networks/message-fields.ts'
import {
  authorizeSigned,
  createRights,
  type FarActions,
  refuseAs,
  ruleActions,
} from '../aws/authorization.ts'
import { createFarRules } from '../aws/rule-routes.ts'
import { createFarSide } from '../far-side.ts'
import { createRandom } from '../random.ts'
import type { SimulatorOptions } from '../simulated-network.ts'
import { createDialect } from './messages.ts'
import { createQueueRoutes } from './queue-routes.ts'
import {
  account,
  createRecord,
  type FarWirelessDevice,
  type FarWirelessGateway,
  ofKind,
} from './store.ts'
import { createWirelessRoutes, longestName, ofWireless } from './wireless-routes.ts'

export const actions: FarActions = {
  ...ruleActions,
  [`GET /destinations ${ofWireless}`]: ['iotwireless:ListDestinations'],
  'GET /device-profiles': ['iotwireless:ListDeviceProfiles'],
  'GET /service-profiles': ['iotwireless:ListServiceProfiles'],
  'GET /destinations/:name': ['iotwireless:GetDestination'],
  'GET /device-profiles/:id': ['iotwireless:GetDeviceProfile'],
  'GET /service-profiles/:id': ['iotwireless:GetServiceProfile'],
  'GET /wireless-devices': ['iotwireless:ListWirelessDevices'],
  'GET /wireless-devices/:id': ['iotwireless:GetWirelessDevice'],
  'POST /wireless-devices': ['iotwireless:CreateWirelessDevice', 'write_devices'],
  'PATCH /wireless-devices/:id': ['iotwireless:UpdateWirelessDevice', 'write_devices'],
  'DELETE /wireless-devices/:id': ['iotwireless:DeleteWirelessDevice', 'write_devices'],
  'GET /wireless-gateways': ['iotwireless:ListWirelessGateways', 'read_gateways'],
  'GET /wireless-gateways/:id': ['iotwireless:GetWirelessGateway', 'read_gateways'],
  'POST /wireless-gateways': ['iotwireless:CreateWirelessGateway', 'write_gateways'],
  'PATCH /wireless-gateways/:id': ['iotwireless:UpdateWirelessGateway', 'write_gateways'],
  'DELETE /wireless-gateways/:id': ['iotwireless:DeleteWirelessGateway', 'write_gateways'],
  'POST /wireless-devices/:id/data': ['iotwireless:SendDataToWirelessDevice', 'send_downlinks'],
  'GET /wireless-devices/:id/data': ['iotwireless:ListQueuedMessages'],
  'DELETE /wireless-devices/:id/data': ['iotwireless:DeleteQueuedMessages', 'send_downlinks'],
}

/** `isPublished`: the account's destination publishes to a topic instead of naming a rule. */
export type AwsLoraOptions = SimulatorOptions & { isPublished?: boolean }

/**
 * Simulates AWS IoT Core for LoRaWAN, with the rules of AWS IoT Core, for one account in one
 * region.
 */
export async function startSimulator(options: AwsLoraOptions = {}) {
  const isPublished = options.isPublished ?? options.brokerUrl !== undefined
  const rules = createFarRules({
    access: account,
    random: createRandom((options.seed ?? 1) + 1),
    address: () => side.http.address,
    changed: () => {
      side.callbacks = findCallbacks()
    },
  })
  /**
   * The callbacks of the rule that the destination names, or of the rules that listen to its topic.
   */
  const findCallbacks = () => {
    const listening = [...rules.rules].flatMap(([name, { sql }]) =>
      String(sql).includes(`'${account.topic}'`) ? name : [],
    )
    const names = isPublished ? listening : [account.ruleName]
    return names.flatMap((name) => rules.callbacksOf(name))
  }
  const side = await createFarSide<FarWirelessDevice, FarWirelessGateway>(
    options,
    createDialect(isPublished),
    (made) => ({
      routes: [
        ...createWirelessRoutes(made, rules.routes, isPublished),
        ...createQueueRoutes(made),
      ],
      // The token of a destination is enough to confirm it.
      authorize: (call) =>
        call.path.startsWith('/confirmdestination/') ? undefined : authorizeSigned(call, account),
      refusal: (words) => refuseAs(400, 'ValidationException', words),
      rightOf: createRights(actions, account),
      slowDown: () => refuseAs(429, 'ThrottlingException', 'Rate exceeded'),
      internalError: () => refuseAs(500, 'InternalServerException', 'Internal server error'),
    }),
  )
  const simulated = side.simulate({
    network: 'aws_iot_core_lora',
    account: { ...describeAccount(options), server: side.http.address },
    wrongAccount: { secret_access_key: 'a-secret-that-is-not-the-right-one' },
    rights: {
      write_devices: /iotwireless:CreateWirelessDevice/,
      read_gateways: /iotwireless:ListWirelessGateways/,
      write_gateways: /iotwireless:CreateWirelessGateway/,
      send_downlinks: /iotwireless:SendDataToWirelessDevice/,
      set_callback: /iot:\w*TopicRule/,
    },
    longestName: { device: longestName, gateway: longestName },
    changeKey: (devEui, key) => {
      const { OtaaV1_0_x: keys } = side.devices.get(devEui)?.record.LoRaWAN ?? {}
      if (isObject(keys)) keys.AppKey = key.toLowerCase()
    },
    kinds: ['1.1', 'abp', 'class_c'],
    addDevice: (devEui, name, kind) => {
      const record = createRecord(side.random, devEui)
      if (kind) record.LoRaWAN = { ...record.LoRaWAN, ...ofKind(kind) }
      side.putDevice(devEui, name, record)
    },
    spoilCallbacks: rules.spoil,
  })
  const settle = async () => {
    await rules.destinations.settle()
    await simulated.settle()
  }
  return { ...simulated, settle, http: side.http, side, rules }
}

/** The account as the service asks for it. */
function describeAccount({ brokerUrl }: AwsLoraOptions) {
  const credentials = {
    region: account.region,
    access_key_id: account.accessKeyId,
    secret_access_key: account.secretAccessKey,
    destination: account.destination,
    device_profile_id: account.deviceProfileId,
    service_profile_id: account.serviceProfileId,
  }
  if (!brokerUrl?.startsWith('ws')) return credentials
  return { ...credentials, mqtt_url: brokerUrl, mqtt_topic: account.topic }
}
