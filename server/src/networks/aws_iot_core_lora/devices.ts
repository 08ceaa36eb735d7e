// Devices at AWS IoT Core for LoRaWAN: AWS IoT Wireless API reference, CreateWirelessDevice,
// GetWirelessDevice, UpdateWirelessDevice.
import {
  CreateWirelessDeviceCommand,
  DeleteWirelessDeviceCommand,
  GetDeviceProfileCommand,
  GetWirelessDeviceCommand,
  type GetWirelessDeviceResponse,
  paginateListWirelessDevices,
  UpdateWirelessDeviceCommand,
} from '@aws-sdk/client-iot-wireless'
import { toListed } from '../answer-fields.ts'
import { isConflict } from '../aws/errors.ts'
import type { DeviceDetails, ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { limitPages } from '../pages.ts'
import { allowMissing } from '../rest.ts'
import type { Session } from './client.ts'

/** Creates the device, or adopts it where it exists, for example after a crash. */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  await checkRegion(session, device)
  try {
    await createDevice(session, device)
  } catch (error) {
    if (!isConflict(error)) throw error
    await adoptDevice(session, device, error)
  }
}

export async function renameDevice(session: Session, devEui: string, name: string): Promise<void> {
  const found = await findOwnDevice(session, devEui)
  if (!found) throw missingDevice(devEui)
  await session.wireless.send(new UpdateWirelessDeviceCommand({ Id: found.Id, Name: name }))
}

/** Leaves alone a device that sends to another destination: it was never ours. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  const found = await findOwnDevice(session, devEui)
  if (found) await deleteDevice(session, found.Id)
}

export async function* listDevices({ wireless, account }: Session): AsyncGenerator<ListedThing[]> {
  const query = {
    DestinationName: account.destination,
    WirelessDeviceType: 'LoRaWAN',
    MaxResults: 100,
  } as const
  const pages = paginateListWirelessDevices({ client: wireless }, query)
  for await (const page of limitPages('AWS', pages)) {
    yield (page.WirelessDeviceList ?? []).flatMap(({ Name, LoRaWAN }) =>
      toListed(LoRaWAN?.DevEui, Name),
    )
  }
}

/** Undefined where the account has no such device. */
export async function findDevice(
  { wireless }: Session,
  devEui: string,
): Promise<GetWirelessDeviceResponse | undefined> {
  const query = { Identifier: devEui.toLowerCase(), IdentifierType: 'DevEui' } as const
  return allowMissing(wireless.send(new GetWirelessDeviceCommand(query)))
}

/**
 * GetWirelessDevice tells key and JoinEUI. A device of LoRaWAN 1.1 has two keys and is not ours.
 */
export async function readDevice(session: Session, devEui: string): Promise<DeviceDetails> {
  const found = await findDevice(session, devEui)
  if (!found) throw missingDevice(devEui)
  const { AppKey, AppEui, JoinEui } = found.LoRaWAN?.OtaaV1_0_x ?? {}
  const joinEui = AppEui ?? JoinEui
  return { ...(AppKey && { appKey: AppKey }), ...(joinEui && { joinEui: joinEui.toUpperCase() }) }
}

export function missingDevice(devEui: string): NetworkError {
  return new NetworkError('refused', `AWS has no device with the DevEUI ${devEui}.`)
}

/** A device would never join in a band that its profile does not have. */
async function checkRegion({ wireless, account }: Session, device: NetworkDevice) {
  const wanted = device.frequencyPlan ?? device.region
  if (wanted === undefined) return
  const profile = profileOf(account, device)
  const query = new GetDeviceProfileCommand({ Id: profile })
  const band = (await wireless.send(query)).LoRaWAN?.RfRegion
  // AWS has four groups of AS923.
  if (band === undefined || band === wanted || band.startsWith(`${wanted}-`)) return
  throw new NetworkError(
    'refused',
    `The device profile (device_profile_id ${profile}) is one for ${band}, and the device was registered for ${wanted}.`,
  )
}

function profileOf(account: Session['account'], { profile }: NetworkDevice): string {
  return profile ?? account.deviceProfileId
}

async function createDevice({ wireless, account }: Session, device: NetworkDevice) {
  const { destination, serviceProfileId } = account
  await wireless.send(
    new CreateWirelessDeviceCommand({
      Type: 'LoRaWAN',
      Name: device.name,
      DestinationName: destination,
      LoRaWAN: {
        DevEui: device.devEui.toLowerCase(),
        DeviceProfileId: profileOf(account, device),
        ServiceProfileId: serviceProfileId,
        OtaaV1_0_x: {
          AppKey: device.appKey.toLowerCase(),
          AppEui: device.joinEui.toLowerCase(),
        },
      },
    }),
  )
}

/**
 * A device is ours when it sends to the account's destination. AWS cannot change keys: with other
 * keys the device is created again.
 */
async function adoptDevice(session: Session, device: NetworkDevice, conflict: unknown) {
  const found = await findDevice(session, device.devEui)
  // It is in another account, or the conflict is another one: AWS's own words tell.
  if (!found) throw conflict
  const { account, wireless } = session
  if (found.DestinationName !== account.destination) {
    throw inUse(device, `sends to the destination ${found.DestinationName}`)
  }
  const keys = found.LoRaWAN?.OtaaV1_0_x
  if (!keys) throw inUse(device, 'is not activated over the air by LoRaWAN 1.0.x')
  const joinEui = keys.AppEui ?? keys.JoinEui
  if (!isSame(keys.AppKey, device.appKey) || !isSame(joinEui, device.joinEui)) {
    await deleteDevice(session, found.Id)
    return createDevice(session, device)
  }
  const LoRaWAN = {
    DeviceProfileId: account.deviceProfileId,
    ServiceProfileId: account.serviceProfileId,
  }
  await wireless.send(new UpdateWirelessDeviceCommand({ Id: found.Id, Name: device.name, LoRaWAN }))
}

function inUse({ devEui }: NetworkDevice, reason: string): NetworkError {
  return new NetworkError(
    'refused',
    `The DevEUI ${devEui} is in use in this AWS account by a device that ${reason}.`,
  )
}

function isSame(known: string | undefined, wanted: string): boolean {
  return known?.toLowerCase() === wanted.toLowerCase()
}

async function findOwnDevice(session: Session, devEui: string) {
  const found = await findDevice(session, devEui)
  return found?.DestinationName === session.account.destination ? found : undefined
}

async function deleteDevice({ wireless }: Session, id: string | undefined): Promise<void> {
  await allowMissing(wireless.send(new DeleteWirelessDeviceCommand({ Id: id })))
}
