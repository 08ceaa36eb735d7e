import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { networks, optionalNetworks, switchOnNetworks } from '../src/networks/index.ts'
import { checkCare, checkNeighbours } from './callback-checks.ts'
import {
  checkCancel,
  checkCancelInWindow,
  checkDownlink,
  checkEmptiedQueue,
} from './downlink-checks.ts'
import {
  checkAccount,
  checkCapabilities,
  checkDevice,
  checkGateway,
  checkNoListing,
  checkOutage,
  checkReconciliation,
  checkRefusal,
  checkUplinks,
} from './network-checks.ts'
import { type ContractBench, clearFaults, nextEui, startContractBench } from './network-contract.ts'
import { checkChangedKey } from './reconciliation-checks.ts'
import {
  checkCallbackRights,
  checkComparisonRights,
  checkDeviceRights,
  checkDownlinkRights,
  checkGatewayRights,
} from './rights-checks.ts'
import {
  checkForeignItems,
  checkNames,
  checkOneBad,
  checkOneBadGateway,
  checkPace,
  checkRoom,
} from './strictness-checks.ts'
import { checkSubscription } from './subscription-checks.ts'

switchOnNetworks(optionalNetworks.map(({ key }) => key))

/** What every network must be able to do, each against its own far side. */
for (const network of networks) {
  const { capabilities: can } = network
  if (network.key === 'other') continue
  describe(`${network.name}`, () => {
    let shared: ContractBench | undefined
    const ends: (() => Promise<void>)[] = []
    before(async () => {
      shared = await startContractBench({ after: (end) => ends.push(end) }, network)
    })
    after(async () => {
      // A message under way would keep its connection, and the service waits for those.
      await shared?.simulator.settle()
      for (const end of ends.reverse()) await end()
    })
    const run = async (check: Check) => {
      assert.ok(shared, 'the service and the network are there')
      clearFaults(shared)
      await check(shared, nextEui())
    }
    const check = (what: string, check: Check) => test(what, () => run(check))

    check('connects an account, and tells wrong credentials from right ones', checkAccount)
    check('registers, renames and removes a device', checkDevice)
    check('receives uplinks, once each', checkUplinks)
    check('sends a downlink, and the sensor answers it', checkDownlink)
    check('cancels one downlink of several', checkCancel)
    const { downlinks, reports = [], holdsUntilReport } = can
    if (downlinks === 'pushed' && reports.includes('sent')) {
      check('ends what was removed from its queue', checkEmptiedQueue)
      if (holdsUntilReport) check('cancels nothing that a gateway has', checkCancelInWindow)
    }
    check('catches up after the network was away', checkOutage)
    check('passes a refusal on in the words of the network', checkRefusal)
    if (can.gateways) {
      check('creates, renames and removes a gateway', checkGateway)
      check('is told by one bad gateway nothing about the account', checkOneBadGateway)
    }
    if (can.lists?.includes('devices')) {
      // shows 11.7.5
      test('reports what was added at its side, and adopts it', () => run(checkReconciliation))
    } else {
      // shows 11.7.21
      test('says that it cannot be compared with', () => run(checkNoListing))
    }
    check('is told by one bad device nothing about the account', checkOneBad)
    if (can.tellsKeys) {
      check('tells of a key that was changed at its side', checkChangedKey)
    }
    check('takes names as long as its documents say, and no longer', checkNames)
    check('slows down when it is asked to', checkPace)
    if (can.downlinks === 'pushed') {
      check('leaves the downlinks of other programs alone', checkForeignItems)
    }
    const { rights = [], hasQuota } = can
    if (rights.includes('write_devices')) {
      check('tells which right a device needs', checkDeviceRights)
    }
    if (rights.includes('send_downlinks')) {
      check('tells which right a downlink needs', checkDownlinkRights)
    }
    if (rights.includes('write_gateways')) {
      check('tells which right a gateway needs', checkGatewayRights)
    }
    if (rights.includes('set_callback')) {
      check('tells which right the callback needs', checkCallbackRights)
    }
    if (rights.includes('read_gateways')) {
      check('compares what the account may see', checkComparisonRights)
    }
    if (hasQuota) check('tells when there is no room for a device', checkRoom)
    if (can.callbacks) {
      check('sends to the callbacks of two organizations', checkNeighbours)
      // shows 11.1.15
      test('tells what was done to the callback there, and sets it again', () => run(checkCare))
    }
    if (network.readBroker) {
      test('is followed at its broker, whose refusals are told', (t) =>
        checkSubscription(t, network))
    }
    check('has what its capabilities say, and nothing else', checkCapabilities)
  })
}

type Check = (bench: ContractBench, eui: string) => Promise<void>
