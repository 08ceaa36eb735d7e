import assert from 'node:assert/strict'
import { type ContractBench, connectDevice, eventually } from './network-contract.ts'

/** For the contract test of the networks: what a comparison finds, and what it cannot. */

async function reconcile({ service, accountPath }: ContractBench, body = {}) {
  const answer = await service.call('POST', `${accountPath}/reconcile`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const otherKey = 'F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'

/** Where the network tells keys: ours goes there, or the network's comes here. */
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
