// Devices of a LORIOT application: /1/nwk/app/{APPID}/devices and /device/{DEVEUI}.

import { toEui } from '../../lora/eui.ts'
import { objectOf, textOf, toListed } from '../answer-fields.ts'
import { isJoining, type KnownRadio, refuseMismatch } from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { isFinal, NetworkError, undo } from '../network-error.ts'
import {
  applicationPath,
  change,
  isAboutMissing,
  listPages,
  readApplication,
  type Session,
} from './client.ts'

/** Adopts a device that LORIOT refuses because the application has it already. */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  try {
    await createDevice(session, device)
  } catch (error) {
    const isKnown = isAboutMissing(error) || isConflict(error)
    const found = isKnown ? await findDevice(session, device.devEui) : undefined
    if (!found) throw error
    return adoptDevice(session, device, found)
  }
  if (isJoining(device)) return
  try {
    await completeDevice(session, device)
  } catch (error) {
    // After an outage the calls may have arrived: the next attempt completes the device.
    if (!isFinal(error)) throw error
    return undo(error, () => removeDevice(session, device.devEui))
  }
}

/** A device without a join is created without its class and its AppSKey. */
async function createDevice(session: Session, device: NetworkDevice): Promise<void> {
  const { devEui: deveui, joinEui: appeui, name: title, appKey: appkey, radio } = device
  const ofJoin = { title, devclass: radio?.deviceClass ?? 'A', deveui, appeui, appkey }
  const { networkKey: nwkskey, devAddr: devaddr } = radio ?? {}
  const ofSession = { title, deveui, nwkskey, devaddr, seqno: 0, seqdn: 0 }
  const [path, body] = isJoining(device) ? ['devices/otaa', ofJoin] : ['devices/abp', ofSession]
  await change(session, { method: 'POST', path: applicationPath(session, path), body })
}

export async function renameDevice(session: Session, devEui: string, name: string) {
  if (!(await findDevice(session, devEui))) throw missingDevice(devEui)
  await update(session, devEui, { title: name })
}

/** A device of another application is not found and stays. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  if (!(await findDevice(session, devEui))) return
  try {
    await change(session, { method: 'DELETE', path: devicePath(session, devEui) })
  } catch (error) {
    // The device may be gone already.
    if (isAboutMissing(error) && !(await findDevice(session, devEui))) return
    throw error
  }
}

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  const pages = listPages(session, applicationPath(session, 'devices'), 'devices')
  for await (const page of pages) {
    yield page.flatMap((device) => {
      const { _id, title, appeui } = device
      const name = typeof title === 'string' ? title : toEui(_id)
      const radio = radioOf(device)
      return toListed(_id, name, { joinEui: appeui }).map((listed) => ({ ...listed, radio }))
    })
  }
}

/** As LORIOT describes it; undefined when the account's application has no such device. */
export async function findDevice(
  session: Session,
  devEui: string,
): Promise<JsonObject | undefined> {
  const call = { method: 'GET', path: devicePath(session, devEui) } as const
  try {
    const { body } = await session.client.call(call)
    return isObject(body) ? body : undefined
  } catch (error) {
    if (!isAboutMissing(error)) throw error
    // Either there is no such device or the key may not see it: the list shows which.
    if (error.status === 403 && (await isListed(session, devEui))) throw error
    await readApplication(session)
    return undefined
  }
}

async function isListed(session: Session, devEui: string): Promise<boolean> {
  for await (const page of listDevices(session)) {
    if (page.some(({ eui }) => eui === devEui.toUpperCase())) return true
  }
  return false
}

export function devicePath(session: Session, devEui: string): string {
  return applicationPath(session, `device/${devEui}`)
}

export function missingDevice(devEui: string): NetworkError {
  return new NetworkError(
    'refused',
    `LORIOT has no device with DevEUI ${devEui} in the account's application.`,
  )
}

/**
 * Gives it our name and key, and the class of the registration. LORIOT has no call that changes the
 * JoinEUI, the device address or the NwkSKey.
 */
async function adoptDevice(session: Session, device: NetworkDevice, found: JsonObject) {
  refuseMismatch('LORIOT', { version: radioOf(found).version }, device)
  const { devEui, joinEui, radio } = device
  const known = textOf(found.appeui).toUpperCase()
  const address = textOf(found.devaddr).toUpperCase()
  const isOther = joinEui !== anyJoinEui && known !== '' && known !== joinEui.toUpperCase()
  if (isJoining(device) && isOther) {
    throw unchangeable(devEui, `the JoinEUI ${known} (${joinEui} here)`)
  }
  if (!isJoining(device) && address !== radio?.devAddr) {
    const here = radio?.devAddr ?? ''
    throw unchangeable(devEui, `the device address ${address} (${here} here)`)
  }
  await completeDevice(session, device)
}

/** LORIOT does not say whether a device joins. The service sets a class if one is registered. */
function radioOf({ lorawan, devclass }: JsonObject): KnownRadio {
  const { minor } = objectOf(lorawan)
  const deviceClass = textOf(devclass)
  return {
    ...(typeof minor === 'number' && { version: minor === 1 ? '1.1' : '1.0' }),
    ...(deviceClass !== '' && { deviceClass: deviceClass === 'C' ? 'C' : 'A' }),
  }
}

function unchangeable(devEui: string, what: string): NetworkError {
  return new NetworkError(
    'refused',
    `LORIOT has the device ${devEui} already, with ${what}, which cannot be changed there.`,
  )
}

async function completeDevice(session: Session, device: NetworkDevice) {
  const { devEui, name, appKey, radio } = device
  await update(session, devEui, { title: name, ...(radio && { devclass: radio.deviceClass }) })
  const key = isJoining(device) ? 'appkey' : 'appskey'
  const path = `${devicePath(session, devEui)}/${key}`
  await change(session, { method: 'POST', path, body: { [key]: appKey } })
}

async function update(session: Session, devEui: string, body: Record<string, string>) {
  await change(session, { method: 'POST', path: devicePath(session, devEui), body })
}

function isConflict(error: unknown): boolean {
  return error instanceof NetworkError && 'status' in error && error.status === 409
}
