// Join, version and class of a device, by the registries that have them
// (pkg/{network,join,application}server/grpc_deviceregistry.go). A device without a join has a
// session at the network server and the application server, and no part at the join server.
import { objectOf, textOf } from '../answer-fields.ts'
import { isJoining, type KnownRadio } from '../device-radio.ts'
import type { JsonObject } from '../message-fields.ts'
import type { NetworkDevice } from '../network.ts'
import type { Session } from './client.ts'
import { readPart } from './device-ids.ts'
import { versionsOf } from './frequency-plans.ts'

/** The members of a device in a registry, and the paths of those that are written. */
interface PartOfDevice {
  values: Record<string, unknown>
  paths: string[]
}

/** Undefined if the network server does not have the device. */
export async function readRadio(session: Session, id: string): Promise<KnownRadio | undefined> {
  const device = await readPart(session, 'network', id, radioMask)
  return device && toKnownRadio(device)
}

/** The members of `toKnownRadio`, by which the network server has them. */
export const radioMask = 'lorawan_version,supports_join,supports_class_c,session.dev_addr'

/** How the network server has a device; the address is that of its session, and upper case. */
export function toKnownRadio(device: JsonObject): KnownRadio {
  return {
    version: device.lorawan_version === 'MAC_V1_1' ? '1.1' : '1.0',
    activation: device.supports_join === true ? 'otaa' : 'abp',
    deviceClass: device.supports_class_c === true ? 'C' : 'A',
    devAddr: textOf(objectOf(device.session).dev_addr).toUpperCase(),
  }
}

/** The AppKey of LoRaWAN 1.0.x; 1.1 also has a NwkKey. */
export function joinPart({ appKey, radio }: NetworkDevice): PartOfDevice {
  const networkKey = radio?.version === '1.1' ? radio.networkKey : undefined
  const keys = { app_key: { key: appKey }, ...(networkKey && { nwk_key: { key: networkKey } }) }
  return {
    values: { root_keys: keys },
    paths: Object.keys(keys).map((name) => `root_keys.${name}.key`),
  }
}

/**
 * A device that the network server has keeps its LoRaWAN version, and its counters unless it gets
 * another device address.
 */
export function networkPart(device: NetworkDevice, known: KnownRadio | undefined): PartOfDevice {
  const { frequencyPlan = '', radio, model } = device
  // What is not known here stays: the plan of a device that was adopted.
  const isPlanKept = known !== undefined && frequencyPlan === ''
  const settings = {
    supports_join: isJoining(device),
    ...(isPlanKept ? {} : { frequency_plan_id: frequencyPlan }),
    ...(known ? {} : versionsOf(frequencyPlan, radio?.version, model)),
    ...(radio && { supports_class_c: radio.deviceClass === 'C' }),
  }
  const paths = Object.keys(settings)
  if (isJoining(device)) return { values: settings, paths }
  // LoRaWAN 1.0.x has one network session key. The server copies it into the fields of 1.1.
  const networkKey = radio?.networkKey
  const session = sessionOf(device, known, {
    key: networkKey === undefined ? {} : { f_nwk_s_int_key: { key: networkKey } },
    counters: ['last_f_cnt_up', 'last_n_f_cnt_down'],
  })
  return {
    values: { ...settings, session: session.values },
    paths: [...paths, ...session.paths],
  }
}

export function applicationPart(
  device: NetworkDevice,
  known: KnownRadio | undefined,
): PartOfDevice {
  if (isJoining(device)) return { values: {}, paths: [] }
  const { values, paths } = sessionOf(device, known, {
    key: { app_s_key: { key: device.appKey } },
    counters: ['last_a_f_cnt_down'],
  })
  return { values: { session: values }, paths }
}

/** With another device address the counters start again. */
function sessionOf(
  { radio }: NetworkDevice,
  known: KnownRadio | undefined,
  { key, counters }: { key: Record<string, { key: string }>; counters: readonly string[] },
): PartOfDevice {
  const devAddr = radio?.devAddr ?? ''
  const reset = known?.devAddr === devAddr ? [] : counters
  const zeros = Object.fromEntries(reset.map((name) => [name, 0]))
  return {
    values: { dev_addr: devAddr, keys: key, ...zeros },
    paths: [
      'session.dev_addr',
      ...Object.keys(key).map((name) => `session.keys.${name}.key`),
      ...reset.map((name) => `session.${name}`),
    ],
  }
}
