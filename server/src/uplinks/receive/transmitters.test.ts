import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator } from '../../../simulators/thethingsnetwork/simulator.ts'
import { queue } from '../../../test/downlinks.ts'
import {
  addDevice,
  addGateway,
  connectAccount,
  euiOf,
  gatewayEuiOf,
  readLiteGateway,
} from '../../../test/fleet.ts'
import { startListening } from '../../../test/service.ts'

/** The gateways of a network whose reports of sent downlinks name none: The Things Stack. */

const stack = await startSimulator()
after(() => stack.close())
const service = await startListening({ after })
const bench = { service, simulator: stack }
const { callback } = await connectAccount(service, 'thethingsnetwork', stack.account)
const ofStack = {
  gateway_bridge: 'thethingsnetwork',
  zone_id: 'eu1',
  frequency_plan: 'EU_863_870_TTN',
}
for (const number of [1, 2]) await addGateway(service, number, ofStack)
await addDevice(service, 1, { network: 5, frequencyPlan: 'EU_863_870_TTN' })
await stack.settle()

const downlinksOf = async (number: number) => (await readLiteGateway(service, number)).downlinks

/** Posts what the cluster would send about the device. */
async function post(message: object) {
  const { status, text } = await service.call('POST', new URL(callback.url).pathname, {
    as: null,
    headers: { [callback.header]: callback.value },
    body: { end_device_ids: { dev_eui: euiOf(1) }, ...message },
  })
  assert.equal(status, 200, text)
}

let frames = 0
/** An uplink that gateways heard with these SNRs, and a downlink after it. */
async function exchange(heard: [number, number][]) {
  frames += 1
  const rx_metadata = heard.map(([number, snr]) => ({
    gateway_ids: { gateway_id: `gateway-${number}`, eui: gatewayEuiOf(number) },
    rssi: -60,
    snr,
  }))
  const uplink = { f_port: 2, f_cnt: frames, frm_payload: 'EAMB', session_key_id: 'c2Vzc2lvbg==' }
  await post({ uplink_message: { ...uplink, rx_metadata } })
  const sent = { f_port: 2, f_cnt: frames, session_key_id: 'c2Vzc2lvbg==', correlation_ids: ['x'] }
  await post({ downlink_sent: sent })
  await post({ downlink_sent: sent })
}

test('counts a downlink once, at the gateway that heard the latest uplink best', async () => {
  await exchange([
    [1, -3],
    [2, 4.5],
  ])
  assert.deepEqual([await downlinksOf(1), await downlinksOf(2)], [0, 1])
  await exchange([
    [1, 7],
    [2, 4.5],
  ])
  assert.deepEqual([await downlinksOf(1), await downlinksOf(2)], [1, 1])
})

test('counts none at an own gateway where that of another owner is preferred', async () => {
  const before = [await downlinksOf(1), await downlinksOf(2)]
  await exchange([
    [1, -3],
    [9, 4.5],
  ])
  await exchange([])
  assert.deepEqual([await downlinksOf(1), await downlinksOf(2)], before)
})

test('shows the downlinks of a gateway in what the cluster sends', async () => {
  const before = (await downlinksOf(1)) + (await downlinksOf(2))
  for (let minutes = 1; minutes < 6; minutes += 1) {
    await stack.sendUplink(euiOf(1), '100301')
    await queue(bench, euiOf(1), minutes)
    await stack.sendUplink(euiOf(1), '110300')
  }
  const counted = (await downlinksOf(1)) + (await downlinksOf(2)) - before
  assert.ok(counted > 0, 'the cluster prefers an own gateway in some of five')
})
