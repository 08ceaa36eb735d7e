import assert from 'node:assert/strict'
import { careForCallbacks } from '../src/features/accounts/network-accounts/callback-care.ts'
import { foundOrganization } from './members.ts'
import type { ContractBench } from './network-contract.ts'
import { connect, listUplinks, nextEui, register } from './network-contract.ts'

/** Checks of all networks: the callback that is set up at the network. */

let organizations = 0
/**
 * Makes another organization. The returned bench makes its calls as the owner of that organization.
 */
async function withNeighbour(bench: ContractBench): Promise<ContractBench> {
  const { service } = bench
  organizations += 1
  const email = `neighbour${organizations}@${bench.network.key.replaceAll('_', '-')}.example.test`
  const neighbour = await foundOrganization(service, email)
  const call: typeof service.call = (method, url, options = {}) =>
    service.call(method, url, { as: neighbour, ...options })
  return { ...bench, service: { ...service, call, owner: neighbour } }
}

/**
 * Two organizations connect the same application. Each gets the uplinks of its own device, unless
 * the network has only one callback.
 */
export async function checkNeighbours(bench: ContractBench, devEui: string) {
  const { simulator, can, accountPath } = bench
  await connect(bench)
  await register(bench, devEui)
  const neighbour = await withNeighbour(bench)
  const account = await connect(neighbour)
  const foreignEui = nextEui()
  await register(neighbour, foreignEui)
  const { failed } = simulator.counts
  for (const eui of [devEui, foreignEui]) await simulator.sendUplink(eui, '100301')
  assert.equal(simulator.counts.failed, failed, 'a callback refused a message')
  assert.equal((await listUplinks(bench, devEui)).length, 1)
  if (can.callbacks === 'one') assert.match(account.message, /to somebody else already/)
  else assert.equal((await listUplinks(neighbour, foreignEui)).length, 1, account.message)

  // The first organization still receives uplinks after the second leaves.
  assert.equal((await neighbour.service.call('DELETE', accountPath)).status, 204)
  await simulator.settle()
  await simulator.sendUplink(devEui, '110300')
  assert.equal((await listUplinks(bench, devEui)).length, 2)
  assert.equal((await bench.service.call('DELETE', accountPath)).status, 204)
}

/** The service reports and repairs the owner's changes of the callback at the network. */
export async function checkCare(bench: ContractBench, devEui: string) {
  const { simulator, service, accountPath } = bench
  await connect(bench)
  await register(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const readMessage = async () => (await service.call('GET', accountPath)).body.data.message
  let count = 1
  for (const fault of ['delete', 'change'] as const) {
    simulator.spoilCallbacks(fault)
    await simulator.sendUplink(devEui, '110300')
    assert.equal((await listUplinks(bench, devEui)).length, count, `not spoilt: ${fault}`)
    await passDay(bench)
    const message = await readMessage()
    assert.match(message, /The service has set it again\./)
    assert.doesNotMatch(message, /could not be/)
    await simulator.settle()
    await simulator.sendUplink(devEui, '120301')
    count += 1
    assert.equal((await listUplinks(bench, devEui)).length, count, `not fixed: ${fault}`)
  }
  await passDay(bench)
  await passDay(bench)
  assert.doesNotMatch(await readMessage(), /set it again/)
  assert.equal((await service.call('DELETE', accountPath)).status, 204)
}

/** Moves the clock by a day, so that all callbacks are due for a check. */
async function passDay({ service }: ContractBench) {
  service.setClock(new Date(service.services.now().getTime() + 86_400_000))
  await careForCallbacks(service.services)
}
