import assert from 'node:assert/strict'
import {
  type ContractBench,
  checkConnected,
  connect,
  connectDevice,
  eventually,
  listUplinks,
  nextEui,
  readDevice,
} from './network-contract.ts'

/** Checks of all networks: comparisons with the devices at the network. */

async function reconcile({ service, accountPath }: ContractBench, body = {}) {
  const answer = await service.call('POST', `${accountPath}/reconcile`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const otherKey = 'F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'

/**
 * For networks that return keys. The service's key is sent there, or the network's key is stored
 * here.
 */
export async function checkChangedKey(bench: ContractBench, devEui: string) {
  const { simulator } = bench
  await connectDevice(bench, devEui)
  const change = () => simulator.changeKey?.(devEui, otherKey)
  const findRow = async (body = {}) => {
    const report = await reconcile(bench, body)
    assert.ok(!JSON.stringify(report).toUpperCase().includes(otherKey))
    return report.rows.find(({ eui }: { eui: string }) => eui === devEui)
  }
  const row = { kind: 'device', eui: devEui }
  assert.equal(await findRow(), undefined)

  change()
  const found = await findRow()
  assert.deepEqual(
    [found?.difference, found?.actions],
    ['key_differs', ['adopt', 'repair', 'ignore']],
  )
  const sent = await findRow({ rows: [{ ...row, action: 'repair' }] })
  assert.equal(sent.result.message, 'The network is told the key of the device.')
  const isMended = async () =>
    !simulator.findDevice(devEui)?.facts.toUpperCase().includes(otherKey) &&
    (await findRow()) === undefined
  await eventually(bench, isMended, 'our key at the network')

  change()
  const taken = await findRow({ rows: [{ ...row, action: 'adopt' }] })
  assert.equal(taken.result.message, "The network's key is known here now.")
  assert.equal(await findRow(), undefined)
  assert.ok(simulator.findDevice(devEui)?.facts.toUpperCase().includes(otherKey))
}

export async function checkReconciliation(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath } = bench
  await connectDevice(bench, devEui)
  const foreignEui = nextEui()
  simulator.addDevice(foreignEui, 'Cellar')
  const reconcile = async (body: Record<string, unknown>) => {
    const answer = await service.call('POST', `${accountPath}/reconcile`, { body })
    assert.equal(answer.status, 200, answer.text)
    const rows = answer.body.data.rows as Record<string, unknown>[]
    return rows.filter(({ eui }) => eui === devEui || eui === foreignEui)
  }
  const found = await reconcile({})
  assert.deepEqual(
    found.map((row) => [row.eui, row.difference, row.name_there]),
    [[foreignEui, 'only_at_network', 'Cellar']],
  )
  const row = { kind: 'device', eui: foreignEui, action: 'adopt', device_type: 16 }
  const [adopted] = await reconcile({ rows: [row] })
  assert.deepEqual(adopted?.result, { status: true, message: 'Device adopted.' })
  const device = await readDevice(bench, foreignEui)
  assert.deepEqual([device.device_name, device.device_register_status], ['Cellar', 'active'])
  await simulator.sendUplink(foreignEui, '100301')
  assert.equal((await listUplinks(bench, foreignEui)).length, 1)
  assert.deepEqual(await reconcile({}), [])
}

export async function checkNoListing(bench: ContractBench) {
  await connect(bench)
  const answer = await bench.service.call('POST', `${bench.accountPath}/reconcile`)
  assert.equal(answer.status, 422, answer.text)
  assert.match(answer.body.message, /does not tell what devices it has/)
}

/** A comparison leaves out what the account can't read, and compares the rest. */
export async function checkComparisonRights(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath } = bench
  await connect(bench)
  simulator.addDevice(devEui, 'Cellar')
  simulator.deny?.(['read_gateways'])
  const { status, body, text } = await service.call('POST', `${accountPath}/reconcile`, {
    body: {},
  })
  assert.equal(status, 200, text)
  const [leftOut, ...others] = body.data.left_out
  assert.deepEqual([leftOut.kind, others], ['gateway', []])
  assert.match(leftOut.reason, simulator.rights.read_gateways ?? /never/)
  const rows = body.data.rows as Record<string, unknown>[]
  const found = rows.find(({ eui }) => eui === devEui)
  assert.deepEqual([found?.difference, found?.name_there], ['only_at_network', 'Cellar'])
  await checkConnected(bench)
}
