import { test } from 'node:test'
import {
  checkCancel,
  checkCancelInWindow,
  checkDownlink,
  checkEmptiedQueue,
  checkForeignItems,
  checkRawDownlink,
  checkUplinks,
} from './downlink-checks.ts'
import { type Check, describeNetworks } from './network-contract.ts'
import {
  checkChangedKey,
  checkComparisonRights,
  checkNoListing,
  checkReconciliation,
} from './reconciliation-checks.ts'
import { checkSubscription } from './subscription-checks.ts'

/** Features that every network must support: uplinks, downlinks and the list of its devices. */
describeNetworks((network, run) => {
  const { capabilities } = network
  const check = (what: string, how: Check) => test(what, () => run(how))
  // First, while there are few devices: a network may limit requests about them to a few per
  // second.
  if (capabilities.lists?.includes('devices')) {
    // shows 11.7.5
    test('reports what was added at its side, and adopts it', () => run(checkReconciliation))
  } else {
    // shows 11.7.21
    test('says that it cannot be compared with', () => run(checkNoListing))
  }
  if (capabilities.tellsKeys) {
    check('tells of a key that was changed at its side', checkChangedKey)
  }
  if (capabilities.rights?.includes('read_gateways')) {
    check('compares what the account may see', checkComparisonRights)
  }
  check('receives uplinks, once each', checkUplinks)
  check('sends a downlink, and the sensor answers it', checkDownlink)
  check('sends given bytes, confirmed if it can', checkRawDownlink)
  check('cancels one downlink of several', checkCancel)
  const { downlinks, reports = [], holdsUntilReport } = capabilities
  if (downlinks === 'pushed' && reports.includes('sent')) {
    check('ends what was removed from its queue', checkEmptiedQueue)
    if (holdsUntilReport) check('cancels nothing that a gateway has', checkCancelInWindow)
  }
  if (downlinks === 'pushed') {
    check('leaves the downlinks of other programs alone', checkForeignItems)
  }
  if (network.readBroker) {
    test('is followed at its broker, whose refusals are told', (t) => checkSubscription(t, network))
  }
})
