import { test } from 'node:test'
import { checkCare, checkNeighbours } from './callback-checks.ts'
import { checkKeptDevices } from './kept-device-checks.ts'
import {
  checkAccount,
  checkCapabilities,
  checkChoices,
  checkDevice,
  checkGateway,
  checkOutage,
  checkRefusal,
} from './network-checks.ts'
import { type Check, describeNetworks } from './network-contract.ts'
import { checkRadio } from './radio-checks.ts'
import {
  checkCallbackRights,
  checkDeviceRights,
  checkDownlinkRights,
  checkGatewayRights,
} from './rights-checks.ts'
import {
  checkNames,
  checkOneBad,
  checkOneBadGateway,
  checkPace,
  checkRoom,
} from './strictness-checks.ts'

/** Features that every network must support: its account, devices, gateways and callback. */
describeNetworks(({ accountFields, capabilities }, run) => {
  const check = (what: string, how: Check) => test(what, () => run(how))
  if (accountFields.some(({ listed }) => listed)) {
    check('lists what the fields of an account may be', checkChoices)
  }
  check('connects an account, and tells wrong credentials from right ones', checkAccount)
  check('registers, renames and removes a device', checkDevice)
  check('catches up after the network was away', checkOutage)
  check('passes a refusal on in the words of the network', checkRefusal)
  if (capabilities.gateways) {
    check('creates, renames and removes a gateway', checkGateway)
    check('is told by one bad gateway nothing about the account', checkOneBadGateway)
  }
  check('takes of LoRaWAN what it says, and refuses the rest by its name', checkRadio)
  check('takes nothing from a device that its owner has set up otherwise', checkKeptDevices)
  check('is told by one bad device nothing about the account', checkOneBad)
  check('takes names as long as its documents say, and no longer', checkNames)
  check('slows down when it is asked to', checkPace)
  const { rights = [] } = capabilities
  if (rights.includes('write_devices')) check('tells which right a device needs', checkDeviceRights)
  if (rights.includes('send_downlinks')) {
    check('tells which right a downlink needs', checkDownlinkRights)
  }
  if (rights.includes('write_gateways')) {
    check('tells which right a gateway needs', checkGatewayRights)
  }
  if (rights.includes('set_callback')) {
    check('tells which right the callback needs', checkCallbackRights)
  }
  if (capabilities.hasQuota) check('tells when there is no room for a device', checkRoom)
  if (capabilities.callbacks) {
    check('sends to the callbacks of two organizations', checkNeighbours)
    // shows 11.1.15
    test('tells what was done to the callback there, and sets it again', () => run(checkCare))
  }
  check('has what its capabilities say, and nothing else', checkCapabilities)
})
