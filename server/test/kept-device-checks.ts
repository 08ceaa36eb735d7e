import assert from 'node:assert/strict'
import { ownerRadio, type RadioKind } from '../simulators/owner-radio.ts'
import {
  type ContractBench,
  connect,
  eventually,
  idle,
  nextEui,
  readDevice,
  registerAs,
} from './network-contract.ts'

/** Checks that nothing is taken from devices which the owner of a network has set up in another way. */

const foreignKey = 'D0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
const newKey = 'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEF'

/** What the network's device is, and what a registration without `lorawan` is. */
const sides: Record<RadioKind, [there: RegExp, here: RegExp]> = {
  '1.1': [/of LoRaWAN 1\.1/, /of LoRaWAN 1\.0\.x/],
  abp: [/without a join \(ABP\)/, /with a join \(OTAA\)/],
  class_c: [/another AppKey|active/, /here|active/],
}

const secretsOf: Record<RadioKind, string[]> = {
  '1.1': [ownerRadio.networkKey],
  abp: [ownerRadio.networkKey, ownerRadio.devAddr],
  class_c: [],
}

export async function checkKeptDevices(bench: ContractBench): Promise<void> {
  await connect(bench)
  for (const kind of bench.simulator.kinds) {
    await checkRegistered(bench, kind)
    if (bench.can.lists?.includes('devices')) await checkAdopted(bench, kind)
  }
}

/** A registration without `lorawan` is refused, or leaves the device as it is. Nor is it removed. */
async function checkRegistered(bench: ContractBench, kind: RadioKind): Promise<void> {
  const { service, simulator } = bench
  const eui = nextEui()
  simulator.addDevice(eui, 'Valve', kind)
  await simulator.settle()
  const before = factsOf(bench, eui)
  const answer = await registerAs(bench, eui, 'Valve', { deviceKey: foreignKey })
  assert.equal(answer.status, 200, answer.text)
  const { device_register_status: status, api_error_json: words } = await readDevice(bench, eui)
  const [there, here] = sides[kind]
  assert.match(words || status, there)
  assert.match(words || status, here)
  if (status === 'active') {
    checkSecrets(bench, eui, { kind, before })
    return
  }
  assert.equal(factsOf(bench, eui), before, 'the network has it as before')
  // Neither a new name nor a deletion reaches what is not ours.
  await service.call('PATCH', `/v1/devices/${eui}`, { body: { device_name: 'Tap' } })
  await idle(bench)
  assert.equal(factsOf(bench, eui), before)
  assert.equal((await service.call('DELETE', `/v1/devices/${eui}`)).status, 204)
  await idle(bench)
  assert.equal(factsOf(bench, eui), before)
}

/** An adoption records it as it is there; a new key later replaces only that key. */
async function checkAdopted(bench: ContractBench, kind: RadioKind): Promise<void> {
  const { service, simulator, accountPath, can } = bench
  const eui = nextEui()
  simulator.addDevice(eui, 'Valve', kind)
  await simulator.settle()
  const before = factsOf(bench, eui)
  const reconcile = async (body: object) => {
    const compared = await service.call('POST', `${accountPath}/reconcile`, { body })
    assert.equal(compared.status, 200, compared.text)
    return compared.body.data.rows.find((row: { eui: string }) => row.eui === eui)
  }
  const row = { kind: 'device', eui, action: 'adopt', device_type: 16 }
  const adopted = await reconcile({ rows: [row] })
  assert.equal(adopted.result.message, 'Device adopted.')
  assert.equal(factsOf(bench, eui), before)
  const { body } = await service.call('GET', `/v1/fleet/devices/${eui}`)
  if (!isUntold(bench, kind)) {
    const { version, activation, device_class, dev_addr } = body.data.lorawan ?? {}
    const found = { '1.1': version, abp: `${activation} ${dev_addr}`, class_c: device_class }
    const told = simulator.network === 'machineq' ? null : ownerRadio.devAddr
    const wanted = { '1.1': '1.1', abp: `abp ${told}`, class_c: 'C' }
    assert.equal(found[kind], wanted[kind])
  }
  assert.equal(await reconcile({}), undefined)
  if (!can.rekeys) return
  const change = { device_name: 'Valve', deviceKey: newKey }
  const changed = await service.call('PATCH', `/v1/devices/${eui}`, { body: change })
  assert.equal(changed.status, 200, changed.text)
  const hasKey = async () => factsOf(bench, eui).includes(newKey)
  await eventually(bench, hasKey, 'the new key')
  checkSecrets(bench, eui, { kind, before })
  assert.equal(await reconcile({}), undefined)
}

/** Kerlink has no second key of LoRaWAN 1.1. */
function checkSecrets(
  bench: ContractBench,
  eui: string,
  { kind, before }: { kind: RadioKind; before: string },
): void {
  for (const secret of secretsOf[kind].filter((each) => before.includes(each))) {
    assert.ok(factsOf(bench, eui).includes(secret), secret)
  }
}

/** The list of ThingPark leaves the class out. */
function isUntold({ simulator }: ContractBench, kind: RadioKind): boolean {
  return kind === 'class_c' && ['actility', 'aws_iot_core_lora'].includes(simulator.network)
}

function factsOf({ simulator }: ContractBench, eui: string): string {
  const { name, facts } = simulator.findDevice(eui) ?? {}
  return `${name} ${facts?.toUpperCase()}`
}
