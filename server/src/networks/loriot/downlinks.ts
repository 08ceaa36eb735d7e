// Downlinks: POST /1/rest with the application's token (docs.loriot.io, HTTP PUSH and Downlink Data
// Message); the rest is of the Public NWK REST API.
import { randomUUID } from 'node:crypto'
import type { DeviceSession, NetworkDownlink } from '../device-queue.ts'
import { isObject } from '../message-fields.ts'
import { NetworkError } from '../network-error.ts'
import { RefusedCall, redact } from '../rest.ts'
import { applicationPath, change, find, readApplication, type Session } from './client.ts'
import { devicePath, findDevice, missingDevice } from './devices.ts'

/**
 * Returns our own id: LORIOT names a downlink by its frame counter (`seqdn`), which starts again
 * with every join, so that two downlinks could have the same one.
 */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const token = session.account.applicationToken ?? (await readToken(session))
  try {
    await transmit(session, downlink, token)
  } catch (error) {
    const isTurnedAway = error instanceof RefusedCall && [401, 403].includes(error.status)
    if (!isTurnedAway) throw error
    if (session.account.applicationToken) throw wrongToken(error)
    // The token was revoked: there may be another one.
    delete session.token
    await transmit(session, downlink, await readToken(session))
  }
  return randomUUID()
}

export async function flushDownlinks(session: Session, devEui: string): Promise<void> {
  await change(session, {
    method: 'POST',
    path: `${devicePath(session, devEui)}/flushqueue`,
    body: {},
  })
}

/**
 * `seqno` and `seqdn` are the counters of uplinks and of the next downlink (loriot-migration-tool,
 * src/kerlink). Both are present before the device has joined.
 */
export async function readSession(session: Session, devEui: string): Promise<DeviceSession> {
  const device = await findDevice(session, devEui)
  if (!device) throw missingDevice(devEui)
  const countOf = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    uplinks: countOf(device.seqno),
    downlinks: countOf(device.seqdn),
    isListening: device.devclass === 'B' || device.devclass === 'C',
  }
}

async function transmit(
  { client, account, secrets }: Session,
  { devEui, fPort, payload, confirmed }: NetworkDownlink,
  token: string,
): Promise<void> {
  const { body } = await client.call({
    method: 'POST',
    path: '/1/rest',
    headers: { authorization: `Bearer ${token}` },
    body: {
      cmd: 'tx',
      EUI: devEui,
      port: fPort,
      confirmed,
      data: Buffer.from(payload).toString('hex'),
      appid: account.applicationId,
    },
  })
  // The answer repeats the message, with `success` or `error`.
  const fault = isObject(body) ? body.error : undefined
  if (fault === undefined || fault === null || fault === '') return
  const words = typeof fault === 'string' ? fault : JSON.stringify(fault)
  throw new NetworkError('refused', `LORIOT refused: ${redact(words, secrets)}.`)
}

/** The first token of the application, or a new one if it has none. */
async function readToken(session: Session): Promise<string> {
  if (session.token) return session.token
  const path = applicationPath(session, 'token')
  const listed = await find(session, path)
  const known = Array.isArray(listed) ? listed.find(isToken) : undefined
  const token = known ?? (await createToken(session, path))
  session.secrets.push(token)
  session.token = token
  return token
}

async function createToken(session: Session, path: string): Promise<string> {
  const created = await change(session, { method: 'POST', path, body: {} }).catch((error) => {
    const isDenied = error instanceof RefusedCall && error.status === 403
    throw isDenied ? new NetworkError('unauthorized', `${error.message} ${enterToken}`) : error
  })
  const token = isObject(created) ? created.token : undefined
  if (isToken(token)) return token
  await readApplication(session)
  throw new NetworkError('refused', `LORIOT gives the API key no token. ${enterToken}`)
}

const enterToken = 'Enter a token of the application (application_token).'

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function wrongToken(error: RefusedCall): NetworkError {
  return new NetworkError('unauthorized', `${error.message} Look at application_token.`)
}
