import {
  authorizeSigned,
  createRights,
  type FarAccess,
  type FarActions,
  refuseAs,
  ruleActions,
} from '../aws/authorization.ts'
import { createFarRules } from '../aws/rule-routes.ts'
import type { Dialect } from '../far-dialect.ts'
import { createFarSide } from '../far-side.ts'
import { createRandom } from '../random.ts'
import type { SimulatorOptions } from '../simulated-network.ts'
import { createThingRoutes, type FarThing } from './thing-routes.ts'

export const account = {
  region: 'us-east-1',
  accessKeyId: 'AKIASIMULATEDTHINGS0',
  secretAccessKey: 'simulated/secret/access/key/9876543210ba',
  accountNumber: '123456789012',
  topicPrefix: 'fleet',
} as const satisfies FarAccess & Record<string, string>

export const actions: FarActions = {
  ...ruleActions,
  'GET /endpoint': ['iot:DescribeEndpoint'],
  'GET /things': ['iot:ListThings'],
  'POST /things/:name': ['iot:CreateThing', 'write_devices'],
  'GET /things/:name': ['iot:DescribeThing'],
  'PATCH /things/:name': ['iot:UpdateThing', 'write_devices'],
  'DELETE /things/:name': ['iot:DeleteThing', 'write_devices'],
  'GET /things/:name/principals': ['iot:ListThingPrincipals'],
  'DELETE /things/:name/principals': ['iot:DetachThingPrincipal'],
  'POST /topics/:topic': ['iot:Publish', 'send_downlinks'],
}

/**
 * Simulates AWS IoT Core for one account in one region: things, rules, and a broker for their
 * topics.
 */
export async function startSimulator(options: SimulatorOptions = {}) {
  const rules = createFarRules({
    access: account,
    random: createRandom((options.seed ?? 1) + 1),
    address: () => side.http.address,
    changed: () => {
      side.callbacks = [...rules.rules]
        .filter(([, { sql }]) => String(sql).includes(`'${account.topicPrefix}/+/up'`))
        .flatMap(([name]) => rules.callbacksOf(name))
    },
  })
  const side = await createFarSide<FarThing, never>(options, createDialect(), (made) => ({
    routes: [...rules.routes, ...createThingRoutes(made, account)],
    // The token of a destination is enough to confirm it.
    authorize: (call) =>
      call.path.startsWith('/confirmdestination/') ? undefined : authorizeSigned(call, account),
    refusal: (words) => refuseAs(400, 'InvalidRequestException', words),
    rightOf: createRights(actions, account),
    // AWS IoT API reference: the status of a ThrottlingException is 400.
    slowDown: () => refuseAs(400, 'ThrottlingException', 'Rate exceeded'),
    internalError: () => refuseAs(500, 'InternalFailureException', 'An internal error occurred.'),
  }))
  const simulated = side.simulate({
    network: 'aws_iot_core',
    account: {
      region: account.region,
      access_key_id: account.accessKeyId,
      secret_access_key: account.secretAccessKey,
      topic_prefix: account.topicPrefix,
      server: side.http.address,
      ...(options.brokerUrl?.startsWith('ws') ? { mqtt_url: options.brokerUrl } : {}),
    },
    wrongAccount: { secret_access_key: 'a-secret-that-is-not-the-right-one' },
    rights: {
      write_devices: /iot:CreateThing/,
      send_downlinks: /iot:Publish/,
      set_callback: /iot:\w*TopicRule/,
    },
    addDevice: (devEui, name) => {
      const attributes = { name, topic_prefix: account.topicPrefix }
      side.putDevice(devEui, name, { thingName: devEui, attributes, principals: [] })
    },
    spoilCallbacks: rules.spoil,
  })
  const settle = async () => {
    await rules.destinations.settle()
    await simulated.settle()
  }
  return { ...simulated, settle, http: side.http, side, rules }
}

/** Makes the messages of a device, with the members that the SQL of the rule adds. */
function createDialect(): Dialect<FarThing> {
  return {
    uplink: ({ device, fPort, fCnt, data, time }) => {
      const topic = `${account.topicPrefix}/${device.devEui}/up`
      const published = { deviceId: device.devEui, fPort, fCnt, payload: data.toString('hex') }
      return [{ body: { ...published, topic, timestamp: time }, topic }]
    },
  }
}
