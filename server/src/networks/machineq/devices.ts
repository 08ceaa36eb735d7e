import { randomUUID } from 'node:crypto'
import { toEui } from '../../lora/eui.ts'
import { objectOf, textOf, toListed } from '../answer-fields.ts'
import type { NetworkDownlink } from '../device-queue.ts'
import {
  isJoining,
  type KnownRadio,
  refuseMismatch,
  refuseOtherKeys,
  refuseOtherProfile,
} from '../device-radio.ts'
import type { JsonObject } from '../message-fields.ts'
import type { ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { allowMissing, isRefusal, RefusedCall } from '../rest.ts'
import { findOutputProfile } from './callback.ts'
import { find, isMissing, listIn, type Session } from './client.ts'

// POST /devices/{DevEUI}/message (OlegZv/machineq, core/device: DeviceMessage).

/** Returns our own id: machineQ gives none and reports nothing about the downlink. */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const { devEui, fPort, payload, confirmed } = downlink
  try {
    await session.call({
      method: 'POST',
      path: `/devices/${devEui}/message`,
      body: {
        Payload: Buffer.from(payload).toString('hex'),
        // A text here; the API takes numbers elsewhere.
        TargetPort: String(fPort),
        Confirm: confirmed,
        FlushQueue: false,
      },
    })
  } catch (error) {
    throw isNotReady(error) ? later(error) : error
  }
  return randomUUID()
}

/**
 * For some minutes after its registration machineQ does not know a device here, and cannot reach it
 * until a gateway has heard it (OlegZv/machineq, tests/test_device.py).
 */
function isNotReady(error: unknown): error is RefusedCall {
  return (
    error instanceof RefusedCall && /invalid deveui|no base station available/i.test(error.message)
  )
}

function later(error: RefusedCall): NetworkError {
  const message = `${error.message} The device may be too new: this is tried again.`
  return new NetworkError('not_yet', message)
}

// Devices of a machineQ subscriber: /devices and /devices/{DevEUI} (OlegZv/machineq, core/device).

/** Adopts a device that the subscriber has already. */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const { serviceProfile, deviceProfile } = session.account
  const outputProfile = await findOutputProfile(session)
  try {
    await session.call({
      method: 'POST',
      path: '/devices',
      body: {
        Name: device.name,
        DevEUI: device.devEui,
        ...activationOf(device),
        ServiceProfile: serviceProfile,
        DeviceProfile: device.profile ?? deviceProfile,
        OutputProfile: outputProfile,
        PrivateData: false,
      },
    })
  } catch (error) {
    const found = isRefusal(error) ? await find(session, pathOf(device.devEui)) : undefined
    if (!found) throw error
    checkDevice(objectOf(found), device)
    // Keys and address stay: machineQ has no call that changes them.
    await patch(session, device.devEui, { Name: device.name, OutputProfile: outputProfile })
  }
}

/** Refuses a device that machineQ has otherwise: it works as it is, and cannot be changed there. */
function checkDevice(found: JsonObject, device: NetworkDevice): void {
  refuseMismatch('machineQ', radioOf(found), device)
  refuseOtherProfile('machineQ', textOf(found.DeviceProfile), device)
  const { appKey, radio } = device
  const [ofJoin, ofSession] = isJoining(device) ? [appKey, undefined] : [undefined, appKey]
  refuseOtherKeys('machineQ', device, {
    AppKey: [textOf(found.ApplicationKey), ofJoin],
    'device address': [textOf(found.DevAddr), radio?.devAddr],
    NwkSKey: [textOf(found.NetworkSKey), radio?.networkKey],
    AppSKey: [textOf(found.ApplicationSKey), ofSession],
  })
}

function radioOf({ ActivationType }: JsonObject): KnownRadio {
  if (ActivationType === undefined) return {}
  return { activation: ActivationType === 'ABP' ? 'abp' : 'otaa' }
}

/** A device without a join has its session in place of the keys of a join (DeviceCreate). */
function activationOf(device: NetworkDevice) {
  const { joinEui, appKey, radio } = device
  if (isJoining(device)) {
    return { ActivationType: 'OTAA', ApplicationEUI: joinEui, ApplicationKey: appKey }
  }
  const { devAddr: DevAddr, networkKey: NetworkSKey } = radio ?? {}
  return { ActivationType: 'ABP', DevAddr, NetworkSKey, ApplicationSKey: appKey }
}

export async function renameDevice(session: Session, devEui: string, name: string) {
  await patch(session, devEui, { Name: name }).catch((error) => {
    throw isMissing(error) ? missingDevice(devEui) : error
  })
}

/** A device of another subscriber is not found and stays. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  await allowMissing(session.call({ method: 'DELETE', path: pathOf(devEui) }), isMissing)
}

/** Lists all at once: the API has no pages for devices. */
export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  const body = await session.call({ method: 'GET', path: '/devices' })
  yield listIn(body, 'Devices').flatMap((device) =>
    toListed(device.DevEUI, textOf(device.Name) || toEui(device.DevEUI)).map((listed) => ({
      ...listed,
      radio: radioOf(device),
    })),
  )
}

async function patch(session: Session, devEui: string, body: Record<string, string>) {
  await session.call({ method: 'PATCH', path: pathOf(devEui), body })
}

function missingDevice(devEui: string): NetworkError {
  return new NetworkError('refused', `machineQ has no device ${devEui} of this account.`)
}

function pathOf(devEui: string): string {
  return `/devices/${devEui}`
}
