import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { FarActions } from '../../../simulators/aws/authorization.ts'
import {
  startSimulator as startAwsThings,
  actions as thingActions,
} from '../../../simulators/aws_iot_core/simulator.ts'
import { actions as loraActions } from '../../../simulators/aws_iot_core_lora/simulator.ts'
import { ofWireless } from '../../../simulators/aws_iot_core_lora/wireless-routes.ts'
import type { FarHttp } from '../../../simulators/far-http.ts'
import { connectToAwsLora, doorSensor } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { openConnection as openThings } from '../aws_iot_core/connection.ts'
import type { Callback, NetworkDevice } from '../network.ts'

/** The policies that the pages of AWS give: what the calls need, no less and no more. */

const callback = { url: 'https://console.example.test/v1/callbacks/x/1', header: 'x-s', value: 'v' }
const gateway = { gatewayEui: '00BB0000000000B1', name: 'Roof', region: 'EU868' } as const
const { devEui } = doorSensor
const downlink = { devEui, fPort: 2, payload: Buffer.of(1), confirmed: false }

interface Connection {
  check(): Promise<void>
  addDevice(device: NetworkDevice): Promise<void>
  renameDevice(devEui: string, name: string): Promise<void>
  listDevices(): AsyncIterable<unknown>
  setCallback(callback: Callback): Promise<void>
  removeCallback(callback: Callback): Promise<void>
  removeDevice(devEui: string): Promise<void>
}

/** Every action of IAM that stands in the policy of a page. */
function policyOf(key: string): string[] {
  const page = new URL(`../../../../docs/networks/${key}.md`, import.meta.url)
  const [, json = ''] = /```json\n(.+?)```/s.exec(readFileSync(page, 'utf8')) ?? []
  return (JSON.parse(json) as { Statement: [{ Action: string[] }] }).Statement[0].Action.sort()
}

/** Every action that was called, which the table of actions must know. */
function calledIn({ calls }: FarHttp, actions: FarActions): string[] {
  const routes = calls
    .filter(({ route }) => !route.includes('/confirmdestination/'))
    .map(({ method, route, headers }) => {
      const isWireless = headers.authorization?.includes(ofWireless)
      const ofOne = `${method} ${route} ${ofWireless}`
      return isWireless && actions[ofOne] ? ofOne : `${method} ${route}`
    })
  return [...new Set(routes.map((route) => actions[route]?.[0] ?? route))].sort()
}

async function useDevices(connection: Connection) {
  await connection.check()
  await connection.setCallback(callback)
  // With another secret: the rule that is there is replaced.
  await connection.setCallback({ ...callback, value: 'w' })
  await connection.addDevice(doorSensor)
  await connection.addDevice({ ...doorSensor, name: 'Gate' })
  await connection.renameDevice(devEui, 'Front door')
  await Array.fromAsync(connection.listDevices())
}

/** As AWS asks for it, of the one destination that there is. */
function questionOf({ http }: { http: FarHttp }, all: ReadonlyMap<string, { token: string }>) {
  const [[arn, { token }] = ['', { token: '' }]] = [...all]
  return { arn, enableUrl: `${http.address}/confirmdestination/${token}` }
}

test('the policy for AWS IoT Core is what its calls need', async (t) => {
  const network = await startAwsThings()
  const { side, rules } = network
  t.after(() => network.close())
  const connection = openThings(network.account, thisMachine)
  t.after(() => connection.close())
  await useDevices(connection)
  await connection.confirmCallback(questionOf(side, rules.destinations.all))
  await connection.queueDownlink(downlink)
  side.devices.get(devEui)?.record.principals.push('arn:aws:iot:us-east-1:1:cert/a')
  await connection.removeDevice(devEui)
  await connection.removeCallback(callback)
  assert.deepEqual(calledIn(side.http, thingActions), policyOf('aws_iot_core'))
})

test('the policy for AWS IoT Core for LoRaWAN is what its calls need', async (t) => {
  const { side, rules, connection } = await connectToAwsLora(t)
  for (const field of ['destination', 'device_profile_id', 'service_profile_id']) {
    await connection.listChoices(field)
  }
  await useDevices(connection)
  await connection.confirmCallback(questionOf(side, rules.destinations.all))
  const id = await connection.queueDownlink(downlink)
  await connection.cancelDownlink(devEui, id)
  await connection.gateways.add(gateway)
  await connection.gateways.update({ ...gateway, name: 'Mast' })
  await Array.fromAsync(connection.gateways.list())
  await connection.gateways.remove(gateway.gatewayEui)
  await connection.removeDevice(devEui)
  await connection.removeCallback(callback)
  assert.deepEqual(calledIn(side.http, loraActions), policyOf('aws_iot_core_lora'))
})
