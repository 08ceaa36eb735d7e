// Devices at AWS IoT Core for LoRaWAN: AWS IoT Wireless API reference, CreateWirelessDevice,
// GetWirelessDevice, UpdateWirelessDevice.
import {
  CreateWirelessDeviceCommand,
  DeleteWirelessDeviceCommand,
  GetWirelessDeviceCommand,
  type GetWirelessDeviceResponse,
  paginateListWirelessDevices,
  UpdateWirelessDeviceCommand,
} from '@aws-sdk/client-iot-wireless'
import { toListed } from '../answer-fields.ts'
import { isConflict } from '../aws/errors.ts'
import { refuseOtherProfile } from '../device-radio.ts'
import type { DeviceDetails, ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { limitPages } from '../pages.ts'
import { allowMissing } from '../rest.ts'
import type { Session } from './client.ts'
import {
  activationOf,
  checkDevice,
  completed,
  findProfileFault,
  isSameActivation,
  profileOf,
  radioOf,
} from './radio.ts'

/** Creates the device, or adopts it if it exists, for example after a crash. */
export async function addDevice(session: Session, device: NetworkDevice): Promise<void> {
  const fault = await findProfileFault(session, device)
  // A device that is there has a profile of its own.
  if (fault) return adoptDevice(session, device, fault)
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

/** Does not touch a device that sends to another destination: it was never ours. */
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

/** Undefined if the account has no such device. */
export async function findDevice(
  { wireless }: Session,
  devEui: string,
): Promise<GetWirelessDeviceResponse | undefined> {
  const query = { Identifier: devEui.toLowerCase(), IdentifierType: 'DevEui' } as const
  return allowMissing(wireless.send(new GetWirelessDeviceCommand(query)))
}

/** GetWirelessDevice returns AppKey and JoinEUI. A device without a join has neither. */
export async function readDevice(session: Session, devEui: string): Promise<DeviceDetails> {
  const found = await findDevice(session, devEui)
  if (!found) throw missingDevice(devEui)
  const { OtaaV1_0_x: join, OtaaV1_1: later } = found.LoRaWAN ?? {}
  const { AppKey, JoinEui } = later ?? join ?? {}
  const joinEui = join?.AppEui ?? JoinEui
  const radio = radioOf(found.LoRaWAN ?? {})
  return {
    ...(radio && { radio }),
    ...(AppKey && { appKey: AppKey }),
    ...(joinEui && { joinEui: joinEui.toUpperCase() }),
  }
}

export function missingDevice(devEui: string): NetworkError {
  return new NetworkError('refused', `AWS has no device with the DevEUI ${devEui}.`)
}

/** `kept` is what the owner has set in the device that it replaces. */
async function createDevice(
  session: Session,
  device: NetworkDevice,
  kept: GetWirelessDeviceResponse = {},
) {
  const { destination, serviceProfileId } = session.account
  const { DeviceProfileId, ServiceProfileId, FPorts } = kept.LoRaWAN ?? {}
  await session.wireless.send(
    new CreateWirelessDeviceCommand({
      Type: 'LoRaWAN',
      Name: device.name,
      DestinationName: destination,
      ...(kept.Description && { Description: kept.Description }),
      ...(kept.Positioning && { Positioning: kept.Positioning }),
      LoRaWAN: {
        DevEui: device.devEui.toLowerCase(),
        DeviceProfileId: DeviceProfileId ?? profileOf(session, device),
        ServiceProfileId: ServiceProfileId ?? serviceProfileId,
        ...(FPorts && { FPorts }),
        ...activationOf(device),
      },
    }),
  )
}

/**
 * A device is ours when it sends to the account's destination. AWS cannot change keys and sessions:
 * with others the device is created again.
 */
async function adoptDevice(session: Session, device: NetworkDevice, conflict: unknown) {
  const found = await findDevice(session, device.devEui)
  // It is in another account, or the conflict is another one. AWS's own message says which.
  if (!found) throw conflict
  const { account, wireless } = session
  if (found.DestinationName !== account.destination) {
    throw inUse(device, `sends to the destination ${found.DestinationName}`)
  }
  const known = found.LoRaWAN ?? {}
  checkDevice(known, device)
  refuseOtherProfile('AWS', known.DeviceProfileId ?? '', device)
  const wanted = completed(known, device)
  if (!isSameActivation(known, wanted)) {
    await deleteDevice(session, found.Id)
    return createDevice(session, wanted, found)
  }
  await wireless.send(new UpdateWirelessDeviceCommand({ Id: found.Id, Name: device.name }))
}

function inUse({ devEui }: NetworkDevice, reason: string): NetworkError {
  return new NetworkError(
    'refused',
    `The DevEUI ${devEui} is in use in this AWS account by a device that ${reason}.`,
  )
}

async function findOwnDevice(session: Session, devEui: string) {
  const found = await findDevice(session, devEui)
  return found?.DestinationName === session.account.destination ? found : undefined
}

async function deleteDevice({ wireless }: Session, id: string | undefined): Promise<void> {
  await allowMissing(wireless.send(new DeleteWirelessDeviceCommand({ Id: id })))
}
