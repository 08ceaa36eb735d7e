import { createHash, randomUUID } from 'node:crypto'
import { ListThingsCommand } from '@aws-sdk/client-iot'
import { PublishCommand } from '@aws-sdk/client-iot-data-plane'
import {
  confirmDestination,
  enterDestination,
  readDestination,
  withdrawDestination,
} from '../aws/rule-destination.ts'
import { enterAction, readAction, withdrawAction } from '../aws/topic-rule.ts'
import { bindCalls } from '../bind-calls.ts'
import type { NetworkDownlink } from '../device-queue.ts'
import type { Callback, CallbackState } from '../network.ts'
import { findDataAddress, openSession, type Session } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'

/**
 * Makes a rule that posts what devices publish, with the topic and the time. An account that
 * fetches its messages from the broker has no rule: each message would be stored twice.
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const { iot, account } = session
  if (account.isSubscribed) return removeCallback(session, callback)
  await enterDestination(iot, callback.url)
  await enterAction(iot, ruleOf(session, callback), callback)
}

export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const { iot, account } = session
  if (account.isSubscribed) return { state: 'unused', words: '' }
  const action = await readAction(iot, ruleOf(session, callback), callback)
  if (action.state !== 'set') return action
  return (await readDestination(iot, callback.url)) ?? action
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  await withdrawAction(session.iot, ruleOf(session, callback).ruleName, callback)
  await withdrawDestination(session.iot, callback.url)
}

/** Each prefix has a rule of its own. */
function ruleOf({ account: { topicPrefix } }: Session, { url }: Callback) {
  const hash = createHash('sha256').update(`${url} ${topicPrefix}`).digest('hex')
  const sql = `SELECT *, topic() AS topic, timestamp() AS timestamp FROM '${topicPrefix}/+/up'`
  return { ruleName: `fleet_console_${hash.slice(0, 16)}`, sql }
}

/**
 * Publishes to the device's topic, with our own id. A subscriber gets it at once; for one that is
 * away the broker keeps it in its session, for an hour by default (AWS IoT Core quotas).
 */
export async function queueDownlink(
  { account, openData }: Session,
  { devEui, fPort, payload, confirmed }: NetworkDownlink,
): Promise<string> {
  const id = randomUUID()
  const message = {
    id,
    deviceId: devEui,
    fPort,
    confirmed,
    payload: Buffer.from(payload).toString('hex'),
  }
  const data = await openData()
  await data.send(
    new PublishCommand({
      topic: `${account.topicPrefix}/${devEui}/down`,
      qos: 1,
      contentType: 'application/json',
      payload: Buffer.from(JSON.stringify(message)),
    }),
  )
  return id
}

export const openConnection = bindCalls(openSession, {
  async check({ iot }) {
    await findDataAddress(iot)
    await iot.send(new ListThingsCommand({ maxResults: 1 }))
  },
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  queueDownlink,
  setCallback,
  readCallback,
  removeCallback,
  confirmCallback: ({ iot, account, outside }, details) =>
    confirmDestination(iot, account, outside, details),
})
