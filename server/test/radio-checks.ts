import assert from 'node:assert/strict'
import {
  type ContractBench,
  connect,
  eventually,
  listUplinks,
  nextEui,
  readDevice,
  registerAs,
} from './network-contract.ts'

type Wanted = '1.1' | 'abp' | 'class_c'

const networkKey = 'AABBCCDDEEFF00112233445566778899'
const devAddr = '26011AB1'
const settings: Record<Wanted, object> = {
  '1.1': { version: '1.1', networkKey },
  abp: { activation: 'abp', devAddr, networkKey },
  class_c: { deviceClass: 'C' },
}

/** Device profiles of the simulators, where a profile must say the same as the registration. */
const profiles: Record<string, Partial<Record<Wanted, string>>> = {
  actility: { '1.1': 'LORA/GenericC.1.1_ETSI', class_c: 'LORA/GenericC.1.0.3a_ETSI' },
  aws_iot_core_lora: {
    '1.1': '2b0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10',
    abp: '2c0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10',
    class_c: '2a0a6b6e-0b2f-4f8e-9d55-6d8f3c1f7a10',
  },
}

/**
 * Registers a device for each part of `lorawan` that the network takes, and is refused the others. A
 * test of ChirpStack makes the profiles that it needs (set-account-profiles.test.ts).
 */
export async function checkRadio(bench: ContractBench): Promise<void> {
  const { network, can } = bench
  await connect(bench)
  for (const wanted of ['1.1', 'abp', 'class_c'] as const) {
    if (can.radio?.includes(wanted)) {
      if (network.key !== 'chirpstack') await checkTaken(bench, wanted)
      continue
    }
    const answer = await registerAs(bench, nextEui(), 'Valve', { lorawan: settings[wanted] })
    assert.equal(answer.status, 422, answer.text)
    assert.match(answer.body.errors.lorawan[0], /takes no .+ from here\.$/)
    assert.ok(answer.body.errors.lorawan[0].startsWith(network.name))
  }
}

async function checkTaken(bench: ContractBench, wanted: Wanted): Promise<void> {
  const { service, simulator, network, can, accountPath } = bench
  const eui = nextEui()
  const deviceProfile = profiles[network.key]?.[wanted]
  const more = { lorawan: settings[wanted], ...(deviceProfile && { deviceProfile }) }
  const answer = await registerAs(bench, eui, 'Valve', more)
  assert.equal(answer.status, 200, answer.text)
  const device = await readDevice(bench, eui)
  assert.deepEqual([device.device_register_status, device.api_error_json], ['active', ''], wanted)
  const facts = simulator.findDevice(eui)?.facts.toUpperCase() ?? ''
  if (wanted !== 'class_c') assert.ok(facts.includes(networkKey), 'the second key is there')
  if (wanted === 'abp') assert.ok(facts.includes(devAddr), 'the address is there')
  if (can.lists?.includes('devices')) {
    const compared = await service.call('POST', `${accountPath}/reconcile`)
    const rows = compared.body.data.rows as { eui: string }[]
    assert.ok(!rows.some((row) => row.eui === eui), compared.text)
  }
  await simulator.sendUplink(eui)
  const isHeard = async () => (await listUplinks(bench, eui)).length > 0
  await eventually(bench, isHeard, `an uplink of the device with ${wanted}`)
  assert.equal((await service.call('DELETE', `/v1/devices/${eui}`)).status, 204)
  await eventually(bench, async () => !simulator.findDevice(eui), 'the removal')
}
