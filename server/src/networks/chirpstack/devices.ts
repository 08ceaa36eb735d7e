// Devices at ChirpStack v4, api/proto/api/device.proto.
import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb from '@chirpstack/chirpstack-api/api/application_pb.js'
import deviceGrpc from '@chirpstack/chirpstack-api/api/device_grpc_pb.js'
import devicePb, { type Device } from '@chirpstack/chirpstack-api/api/device_pb.js'
import { toListed } from '../answer-fields.ts'
import { isJoining, type KnownRadio, refuseMismatch, refuseOtherProfile } from '../device-radio.ts'
import { anyJoinEui } from '../forms.ts'
import type { DeviceDetails, ListedThing, NetworkDevice } from '../network.ts'
import { isFinal, NetworkError, undo } from '../network-error.ts'
import { readPages } from '../pages.ts'
import { isDenied, isDuplicate, isMissing } from './call-error.ts'
import { readOwner } from './check-access.ts'
import type { Session } from './client.ts'
import { createKeys, readKeys, toDetails, writeKeys } from './device-keys.ts'
import { modelProfile } from './model-profiles.ts'
import { activate, findProfileFault, profileOf, readActivation, readProfile } from './radio.ts'

const service = deviceGrpc.DeviceServiceService
const pageSize = 500

/**
 * Creates the device and then its keys: two calls. Repeated after a crash between the two, it finds
 * the device and completes it. Tells why the device does not get a profile of its model.
 */
export async function addDevice(
  session: Session,
  asked: NetworkDevice,
  tell?: (sentence: string) => void,
): Promise<void> {
  const { device, reason } = await withProfileOfModel(session, asked)
  const fault = await findProfileFault(session, device)
  if (!fault) await createOrAdopt(session, device)
  // A device that is there has a profile of its own.
  else if (await findOwnDevice(session, device.devEui)) await adoptDevice(session, device)
  else throw reason ? new NetworkError('refused', `${fault.message} ${reason}`) : fault
  if (reason) tell?.(`${reason} The device has the profile of the account.`)
}

/** The device with the profile of its model, unless another one is chosen for it. */
async function withProfileOfModel(
  session: Session,
  device: NetworkDevice,
): Promise<{ device: NetworkDevice; reason?: string }> {
  const { model, profile, devEui } = device
  if (!model || profile !== undefined) return { device }
  const isThere = async () => (await findDevice(session, devEui)) !== undefined
  const made = await modelProfile(session, model, isThere)
  if (!made) return { device }
  if ('reason' in made) return { device, reason: made.reason }
  return { device: { ...device, profile: made.id, isProfileOfType: true } }
}

async function createOrAdopt(session: Session, device: NetworkDevice): Promise<void> {
  try {
    await createDevice(session, device)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return adoptDevice(session, device)
  }
  try {
    await createSecrets(session, device)
  } catch (error) {
    // After an outage the keys may be there: the next attempt adopts the device and completes it.
    if (!isFinal(error)) throw error
    return undo(error, () => deleteDevice(session, device.devEui))
  }
}

/** Changes the name and leaves everything else as the owner set it at ChirpStack. */
export async function renameDevice(session: Session, devEui: string, name: string) {
  const device = await findOwnDevice(session, devEui)
  if (!device) throw missingDevice(devEui)
  device.setName(name)
  await updateDevice(session, device)
}

/** Does not touch a device in another application: it was never ours. */
export async function removeDevice(session: Session, devEui: string): Promise<void> {
  if (!(await findOwnDevice(session, devEui))) return
  try {
    await deleteDevice(session, devEui)
  } catch (error) {
    // The device may be gone already. A key that may only read is still denied.
    if (isMissing(error)) return
    if (isDenied(error) && !(await findDevice(session, devEui))) return
    throw error
  }
}

export async function* listDevices(session: Session): AsyncGenerator<ListedThing[]> {
  for (const application of session.account.applicationIds) {
    const name = await readApplicationName(session, application)
    yield* listApplication(session, application, name)
  }
}

async function readApplicationName({ client }: Session, id: string): Promise<string> {
  const request = new applicationPb.GetApplicationRequest()
  request.setId(id)
  const answer = await client.call(applicationGrpc.ApplicationServiceService.get, request)
  return answer.getApplication()?.getName() ?? ''
}

function listApplication(
  session: Session,
  id: string,
  application: string,
): AsyncGenerator<ListedThing[]> {
  const radios = new Map<string, KnownRadio>()
  return readPages('ChirpStack', async (page) => {
    const request = new devicePb.ListDevicesRequest()
    request.setApplicationId(id)
    request.setLimit(pageSize)
    request.setOffset((page - 1) * pageSize)
    const found = (await session.client.call(service.list, request)).getResultList()
    for (const item of found) {
      const profile = item.getDeviceProfileId()
      if (!radios.has(profile)) radios.set(profile, (await readProfile(session, profile)).radio)
    }
    const items = found.flatMap((item) =>
      toListed(item.getDevEui(), item.getName(), {
        tags: Object.fromEntries(item.getTagsMap().getEntryList()),
      }).map((listed) => ({
        ...listed,
        radio: radios.get(item.getDeviceProfileId()) ?? {},
        application,
        profile: { id: item.getDeviceProfileId(), name: item.getDeviceProfileName() },
      })),
    )
    return { items, isLast: found.length < pageSize }
  })
}

export async function readLastSeen(session: Session, devEui: string): Promise<Date | undefined> {
  const request = new devicePb.GetDeviceRequest()
  request.setDevEui(devEui)
  const { client } = session
  const answer = await callAboutDevice(session, devEui, () => client.call(service.get, request))
  return answer.getLastSeenAt()?.toDate()
}

/**
 * Makes a call about one device, and says that ChirpStack does not have the device if that,
 * and not the API key, is the reason for a denial.
 */
export async function callAboutDevice<Result>(
  session: Session,
  devEui: string,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (isMissing(error)) throw missingDevice(devEui)
    if (isDenied(error) && !(await findDevice(session, devEui))) throw missingDevice(devEui)
    throw error
  }
}

async function adoptDevice(session: Session, device: NetworkDevice) {
  const { devEui, joinEui, name } = device
  const found = await findOwnDevice(session, devEui)
  if (!found) {
    throw new NetworkError(
      'refused',
      `The DevEUI ${devEui} is in use in another application of ChirpStack.`,
    )
  }
  const profile = found.getDeviceProfileId()
  refuseMismatch('ChirpStack', (await readProfile(session, profile)).radio, device)
  refuseOtherProfile('ChirpStack', profile, device)
  await writeSecrets(session, device)
  found.setName(name)
  if (joinEui !== anyJoinEui) found.setJoinEui(joinEui.toLowerCase())
  await updateDevice(session, found)
}

async function findOwnDevice(session: Session, devEui: string): Promise<Device | undefined> {
  const device = await findDevice(session, devEui)
  const application = device?.getApplicationId().toLowerCase() ?? ''
  return session.account.applicationIds.includes(application) ? device : undefined
}

/** Undefined when there is none that the API key may see; throws when the key itself is wrong. */
export async function findDevice(session: Session, devEui: string): Promise<Device | undefined> {
  const request = new devicePb.GetDeviceRequest()
  request.setDevEui(devEui.toLowerCase())
  try {
    return (await session.client.call(service.get, request)).getDevice()
  } catch (error) {
    if (isMissing(error)) return undefined
    if (!isDenied(error)) throw error
    await readOwner(session)
    return undefined
  }
}

async function createDevice(session: Session, added: NetworkDevice) {
  const { client, account } = session
  const device = new devicePb.Device()
  device.setDevEui(added.devEui.toLowerCase())
  device.setJoinEui(added.joinEui.toLowerCase())
  device.setName(added.name)
  device.setApplicationId(account.applicationId)
  device.setDeviceProfileId(profileOf(session, added))
  const request = new devicePb.CreateDeviceRequest()
  request.setDevice(device)
  await client.call(service.create, request)
}

async function updateDevice({ client }: Session, device: Device) {
  const request = new devicePb.UpdateDeviceRequest()
  request.setDevice(device)
  await client.call(service.update, request)
}

async function deleteDevice({ client }: Session, devEui: string) {
  const request = new devicePb.DeleteDeviceRequest()
  request.setDevEui(devEui.toLowerCase())
  await client.call(service.delete, request)
}

async function createSecrets(session: Session, device: NetworkDevice) {
  await (isJoining(device) ? createKeys(session, device) : activate(session, device))
}

async function writeSecrets(session: Session, device: NetworkDevice) {
  await (isJoining(device) ? writeKeys(session, device) : activate(session, device))
}

export function missingDevice(devEui: string): NetworkError {
  return new NetworkError(
    'refused',
    `ChirpStack has no device with DevEUI ${devEui} in the account's application.`,
  )
}

/** A key that may read a device may read its keys (chirpstack/src/api/device.rs, get_keys). */
export async function readDevice(
  session: Session,
  devEui: string,
  wanted: { key: boolean; radio?: KnownRadio | undefined },
): Promise<DeviceDetails> {
  const radio = wanted.radio ?? (await readRadio(session, devEui))
  try {
    if (radio.activation === 'abp') return await readSession(session, devEui, radio)
    if (!wanted.key) return { radio }
    const keys = await readKeys(session, devEui)
    if (!keys && !(await findDevice(session, devEui))) throw missingDevice(devEui)
    return toDetails(keys, radio)
  } catch (error) {
    if (isDenied(error) && !(await findDevice(session, devEui))) throw missingDevice(devEui)
    throw error
  }
}

async function readRadio(session: Session, devEui: string): Promise<KnownRadio> {
  const device = await findDevice(session, devEui)
  if (!device) throw missingDevice(devEui)
  return (await readProfile(session, device.getDeviceProfileId())).radio
}

/** The address of a device without a join. Its keys are not compared. */
async function readSession(
  session: Session,
  devEui: string,
  radio: KnownRadio,
): Promise<DeviceDetails> {
  const devAddr = (await readActivation(session, devEui))?.getDevAddr().toUpperCase()
  return { radio: { ...radio, devAddr } }
}
