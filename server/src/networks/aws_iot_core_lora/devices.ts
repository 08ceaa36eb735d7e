import {
  CreateWirelessDeviceCommand,
  DeleteWirelessDeviceCommand,
  GetDeviceProfileCommand,
  GetWirelessDeviceCommand,
  type GetWirelessDeviceResponse,
  type LoRaWANDevice,
  paginateListWirelessDevices,
  UpdateWirelessDeviceCommand,
} from '@aws-sdk/client-iot-wireless'
import { toListed } from '../answer-fields.ts'
import { isConflict } from '../aws/errors.ts'
import {
  asOther,
  findMismatch,
  isJoining,
  type KnownRadio,
  refuseMismatch,
  refuseOtherKeys,
  refuseOtherProfile,
} from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import type { DeviceDetails, ListedThing, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { limitPages } from '../pages.ts'
import { allowMissing } from '../rest.ts'
import type { Session } from './client.ts'

// Activation of a device at AWS IoT Core for LoRaWAN: one of four members of its LoRaWANDevice. Band,
// version, join and class are those of its device profile (LoRaWANDeviceProfile). AWS IoT Wireless
// API reference

function profileOf({ account }: Session, { profile }: NetworkDevice): string {
  return profile ?? account.deviceProfileId
}

/** The keys of a join, or the session of a device without one. AWS cannot change them. */
function activationOf(device: NetworkDevice): Partial<LoRaWANDevice> {
  const { appKey, joinEui, radio } = device
  const [key, eui] = [appKey.toLowerCase(), joinEui.toLowerCase()]
  const networkKey = radio?.networkKey?.toLowerCase()
  if (!isJoining(device)) {
    const SessionKeys = { NwkSKey: networkKey, AppSKey: key }
    return { AbpV1_0_x: { DevAddr: radio?.devAddr?.toLowerCase(), SessionKeys } }
  }
  return radio?.version === '1.1'
    ? { OtaaV1_1: { AppKey: key, NwkKey: networkKey, JoinEui: eui } }
    : { OtaaV1_0_x: { AppKey: key, AppEui: eui } }
}

const kinds = {
  OtaaV1_0_x: { version: '1.0', activation: 'otaa' },
  OtaaV1_1: { version: '1.1', activation: 'otaa' },
  AbpV1_0_x: { version: '1.0', activation: 'abp' },
  AbpV1_1: { version: '1.1', activation: 'abp' },
} as const satisfies Record<string, KnownRadio>

/** How AWS has a device, with its keys; undefined if it has no activation. */
function radioOf(found: LoRaWANDevice): KnownRadio | undefined {
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find((each) => found[each])
  if (!kind) return undefined
  const { DevAddr } = found.AbpV1_0_x ?? found.AbpV1_1 ?? {}
  const networkKey = found.OtaaV1_1?.NwkKey ?? found.AbpV1_0_x?.SessionKeys?.NwkSKey
  const devAddr = DevAddr?.toUpperCase()
  return { ...kinds[kind], ...(devAddr && { devAddr }), ...(networkKey && { networkKey }) }
}

/** Refuses a device that AWS has otherwise, or a new registration with other keys. */
function checkDevice(found: LoRaWANDevice, device: NetworkDevice): void {
  const known = radioOf(found)
  if (!known) {
    const mismatch = { there: 'without an activation', here: 'with one' }
    throw asOther('AWS', device.devEui, mismatch)
  }
  refuseMismatch('AWS', known, device)
  const { appKey, radio } = device
  const [AppKey, AppSKey] = isJoining(device) ? [appKey, undefined] : [undefined, appKey]
  const ofJoin = found.OtaaV1_1?.AppKey ?? found.OtaaV1_0_x?.AppKey
  refuseOtherKeys('AWS', device, {
    AppKey: [ofJoin, AppKey],
    'device address': [known.devAddr, radio?.devAddr],
    [isJoining(device) ? 'NwkKey' : 'NwkSKey']: [known.networkKey, radio?.networkKey],
    AppSKey: [found.AbpV1_0_x?.SessionKeys?.AppSKey, AppSKey],
  })
}

/** The device, completed with values that only AWS knows. */
function completed(found: LoRaWANDevice, device: NetworkDevice): NetworkDevice {
  const { radio, joinEui } = device
  const ofJoin = found.OtaaV1_0_x
  const knownEui = (found.OtaaV1_1?.JoinEui ?? ofJoin?.AppEui ?? ofJoin?.JoinEui)?.toUpperCase()
  return {
    ...device,
    joinEui: joinEui === anyJoinEui ? (knownEui ?? joinEui) : joinEui,
    ...(radio && { radio: { ...dropUnknown(radioOf(found)), ...radio } }),
  }
}

/** Keeps the keys and the address. */
function dropUnknown({ devAddr, networkKey }: KnownRadio = {}) {
  return { ...(devAddr && { devAddr }), ...(networkKey && { networkKey }) }
}

/** Whether AWS has the keys, the JoinEUI, and the session of a device without a join. */
function isSameActivation(found: LoRaWANDevice, device: NetworkDevice): boolean {
  return JSON.stringify(valuesOf(found)) === JSON.stringify(valuesOf(activationOf(device)))
}

function valuesOf({ OtaaV1_0_x: join, OtaaV1_1: later, AbpV1_0_x: fixed }: LoRaWANDevice) {
  const { NwkSKey, AppSKey } = fixed?.SessionKeys ?? {}
  const ofJoin = [join?.AppKey, join?.AppEui ?? join?.JoinEui]
  const ofLater = [later?.AppKey, later?.NwkKey, later?.JoinEui]
  return [...ofJoin, ...ofLater, fixed?.DevAddr, NwkSKey, AppSKey].map((value) =>
    value?.toLowerCase(),
  )
}

/** What is wrong with the profile that a new device would get; undefined if nothing is. */
async function findProfileFault(
  session: Session,
  device: NetworkDevice,
): Promise<NetworkError | undefined> {
  const { radio } = device
  const wanted = device.frequencyPlan ?? device.region
  if (wanted === undefined && !radio) return undefined
  const Id = profileOf(session, device)
  const profile = (await session.wireless.send(new GetDeviceProfileCommand({ Id }))).LoRaWAN ?? {}
  const { RfRegion: band, MacVersion: version, SupportsJoin: isOfJoin, SupportsClassC } = profile
  // AWS has four groups of AS923.
  if (wanted !== undefined && band !== undefined && !`${band}-`.startsWith(`${wanted}-`)) {
    const words = `is one for ${band}, and the device was registered for ${wanted}`
    return refused(`The device profile (device_profile_id ${Id}) ${words}.`)
  }
  const known: KnownRadio = {
    ...(version !== undefined && { version: version.startsWith('1.1') ? '1.1' : '1.0' }),
    ...(isOfJoin !== undefined && { activation: isOfJoin ? 'otaa' : 'abp' }),
    deviceClass: SupportsClassC ? 'C' : 'A',
  }
  const mismatch = findMismatch(known, device)
  if (!mismatch) return undefined
  const words = `is one ${mismatch.there}, and the device is registered ${mismatch.here}: choose another one`
  return refused(`The device profile (device_profile_id ${Id}) of AWS ${words}.`)
}

function refused(words: string): NetworkError {
  return new NetworkError('refused', words)
}

// Devices at AWS IoT Core for LoRaWAN: AWS IoT Wireless API reference, CreateWirelessDevice,
// GetWirelessDevice, UpdateWirelessDevice.

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
