// Devices of a LORIOT application: /1/nwk/app/{APPID}/devices and /device/{DEVEUI}.

import { toEui } from '../../lora/eui.ts'
import { toListed } from '../answer-fields.ts'
import { anyJoinEui } from '../forms.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
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
    await change(session, {
      method: 'POST',
      path: applicationPath(session, 'devices/otaa'),
      body: {
        title: device.name,
        devclass: 'A',
        deveui: device.devEui,
        appeui: device.joinEui,
        appkey: device.appKey,
      },
    })
  } catch (error) {
    const isKnown = isAboutMissing(error) || isConflict(error)
    const found = isKnown ? await findDevice(session, device.devEui) : undefined
    if (!found) throw error
    await adoptDevice(session, device, found)
  }
}

export async function renameDevice(session: Session, devEui: string, name: string) {
  if (!(await findDevice(session, devEui))) throw missingDevice(devEui)
  await updateTitle(session, devEui, name)
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
    yield page.flatMap(({ _id, title, appeui }) =>
      toListed(_id, typeof title === 'string' ? title : toEui(_id), { joinEui: appeui }),
    )
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

/** Gives it our name and key. LORIOT has no call that changes the JoinEUI. */
async function adoptDevice(session: Session, device: NetworkDevice, found: JsonObject) {
  const { devEui, joinEui, name, appKey } = device
  const known = typeof found.appeui === 'string' ? found.appeui.toUpperCase() : ''
  if (joinEui !== anyJoinEui && known !== '' && known !== joinEui.toUpperCase()) {
    throw new NetworkError(
      'refused',
      `LORIOT has the device ${devEui} already, with the JoinEUI ${known}, which cannot be changed there.`,
    )
  }
  await updateTitle(session, devEui, name)
  await change(session, {
    method: 'POST',
    path: `${devicePath(session, devEui)}/appkey`,
    body: { appkey: appKey },
  })
}

async function updateTitle(session: Session, devEui: string, title: string) {
  await change(session, { method: 'POST', path: devicePath(session, devEui), body: { title } })
}

function isConflict(error: unknown): boolean {
  return error instanceof NetworkError && 'status' in error && error.status === 409
}
