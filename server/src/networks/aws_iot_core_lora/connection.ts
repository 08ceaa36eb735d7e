import { createHash } from 'node:crypto'
import {
  GetDestinationCommand,
  GetDeviceProfileCommand,
  GetServiceProfileCommand,
} from '@aws-sdk/client-iot-wireless'
import {
  confirmDestination,
  enterDestination,
  readDestination,
  withdrawDestination,
} from '../aws/rule-destination.ts'
import { enterAction, readAction, withdrawAction } from '../aws/topic-rule.ts'
import { bindCalls } from '../bind-calls.ts'
import type { Callback, CallbackState } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { isMissing } from '../rest.ts'
import { listChoices } from './choices.ts'
import { openSession, type Session } from './client.ts'
import { addDevice, listDevices, readDevice, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

// The callback as an action of a destination's rule: AWS IoT Wireless API reference,
// CreateDestination, and developer guide, "Create rules to process LoRaWAN device messages".

/**
 * Adds the callback to the actions of the destination's rule. Creates the rule if the
 * destination names one that does not exist yet.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const rule = await readRule(session, callback)
  const iot = await session.openRules()
  await enterDestination(iot, callback.url)
  await enterAction(iot, rule, callback)
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const rule = await readRule(session, callback)
  const iot = await session.openRules()
  const action = await readAction(iot, rule, callback)
  if (action.state !== 'set') return action
  return (await readDestination(iot, callback.url)) ?? action
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const { ruleName } = await readRule(session, callback)
  const iot = await session.openRules()
  await withdrawAction(iot, ruleName, callback)
  await withdrawDestination(iot, callback.url)
}

async function readRule({ wireless, account }: Session, { url }: Callback) {
  const query = new GetDestinationCommand({ Name: account.destination })
  const { ExpressionType, Expression = '' } = await wireless.send(query)
  // The rule of a destination needs no FROM: its messages do not pass the broker.
  if (ExpressionType === 'RuleName') return { ruleName: Expression, sql: 'SELECT *' }
  if (Expression.includes("'")) {
    throw new NetworkError('refused', 'The topic of the destination has a quotation mark in it.')
  }
  const ours = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return { ruleName: `fleet_console_${ours}`, sql: `SELECT * FROM '${Expression}'` }
}

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  listChoices,
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  readDevice,
  gateways: { add: addGateway, update: updateGateway, remove: removeGateway, list: listGateways },
  queueDownlink,
  cancelDownlink,
  setCallback,
  readCallback,
  removeCallback,
  confirmCallback: async ({ openRules, account, outside }, details) =>
    confirmDestination(await openRules(), account, outside, details),
})

/** Checks the access key and the three ids; the error says which account field is wrong. */
async function checkAccess({ wireless, account }: Session): Promise<void> {
  const { destination, deviceProfileId, serviceProfileId } = account
  await explain('destination', destination, () =>
    wireless.send(new GetDestinationCommand({ Name: destination })),
  )
  await explain('device_profile_id', deviceProfileId, () =>
    wireless.send(new GetDeviceProfileCommand({ Id: deviceProfileId })),
  )
  await explain('service_profile_id', serviceProfileId, () =>
    wireless.send(new GetServiceProfileCommand({ Id: serviceProfileId })),
  )
}

async function explain(field: string, value: string, read: () => Promise<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!isMissing(error)) throw error
    const words = field.replace(' id', '').replaceAll('_', ' ').replace(/ id$/, '')
    throw new NetworkError(
      'refused',
      `AWS has no ${words} with ${field} ${value} in this account and region.`,
    )
  }
}
