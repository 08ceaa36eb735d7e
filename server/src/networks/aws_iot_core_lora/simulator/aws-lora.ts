import {
  authorizeSigned,
  createRights,
  type FarActions,
  refuseAs,
  ruleActions,
} from '../../aws/simulator/authorization.ts'
import { createFarRules } from '../../aws/simulator/far-rules.ts'
import { isObject } from '../../message-fields.ts'
import { createFarSide } from '../../simulator/far-side.ts'
import { createRandom } from '../../simulator/random.ts'
import type { SimulatedNetwork, SimulatorOptions } from '../../simulator/simulated-network.ts'
import {
  account,
  createRecord,
  type FarWirelessDevice,
  type FarWirelessGateway,
} from './far-account.ts'
import { createDialect } from './far-messages.ts'
import { createQueueRoutes } from './queue-calls.ts'
import { createWirelessRoutes, longestName } from './wireless-calls.ts'

const actions: FarActions = {
  ...ruleActions,
  'POST /wireless-devices': ['write_devices', 'iotwireless:CreateWirelessDevice'],
  'PATCH /wireless-devices/:id': ['write_devices', 'iotwireless:UpdateWirelessDevice'],
  'DELETE /wireless-devices/:id': ['write_devices', 'iotwireless:DeleteWirelessDevice'],
  'GET /wireless-gateways': ['read_gateways', 'iotwireless:ListWirelessGateways'],
  'GET /wireless-gateways/:id': ['read_gateways', 'iotwireless:GetWirelessGateway'],
  'POST /wireless-gateways': ['write_gateways', 'iotwireless:CreateWirelessGateway'],
  'PATCH /wireless-gateways/:id': ['write_gateways', 'iotwireless:UpdateWirelessGateway'],
  'DELETE /wireless-gateways/:id': ['write_gateways', 'iotwireless:DeleteWirelessGateway'],
  'POST /wireless-devices/:id/data': ['send_downlinks', 'iotwireless:SendDataToWirelessDevice'],
  'DELETE /wireless-devices/:id/data': ['send_downlinks', 'iotwireless:DeleteQueuedMessages'],
}

/** `isPublished`: the account's destination publishes to a topic in place of naming a rule. */
export type AwsLoraOptions = SimulatorOptions & { isPublished?: boolean }

/** AWS IoT Core for LoRaWAN, with the rules of AWS IoT Core, of one account in one region. */
export async function start(options: AwsLoraOptions = {}): Promise<SimulatedNetwork> {
  return (await startAwsLora(options)).network
}

/** The same with its insides, for tests. */
export async function startAwsLora(options: AwsLoraOptions = {}) {
  const isPublished = options.isPublished ?? options.brokerUrl !== undefined
  const rules = createFarRules({
    access: account,
    random: createRandom((options.seed ?? 1) + 1),
    address: () => side.http.address,
    changed: () => {
      side.callbacks = findCallbacks()
    },
  })
  /** Of the rule that the destination names, or of one that listens to its topic. */
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
        ...rules.routes,
        ...createWirelessRoutes(made, isPublished),
        ...createQueueRoutes(made),
      ],
      // A destination is confirmed by who holds its token.
      authorize: (call) =>
        call.path.startsWith('/confirmdestination/') ? undefined : authorizeSigned(call, account),
      refusal: (words) => refuseAs(400, 'ValidationException', words),
      rightOf: createRights(actions, account),
      slowDown: () => refuseAs(429, 'ThrottlingException', 'Rate exceeded'),
      internalError: () => refuseAs(500, 'InternalServerException', 'Internal server error'),
    }),
  )
  const network = side.simulate({
    network: 'aws_iot_core_lora',
    account: {
      region: account.region,
      access_key_id: account.accessKeyId,
      secret_access_key: account.secretAccessKey,
      destination: account.destination,
      device_profile_id: account.deviceProfileId,
      service_profile_id: account.serviceProfileId,
      server: side.http.address,
      ...(options.brokerUrl?.startsWith('ws')
        ? { mqtt_url: options.brokerUrl, mqtt_topic: account.topic }
        : {}),
    },
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
    addDevice: (devEui, name) => {
      side.putDevice(devEui, name, createRecord(side.random, devEui))
    },
    spoilCallbacks: rules.spoil,
  })
  const settle = async () => {
    await rules.destinations.settle()
    await network.settle()
  }
  return { network: { ...network, settle }, side, rules }
}
