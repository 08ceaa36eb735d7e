import { z } from 'zod'
import { hexadecimal, optionalText, requiredInteger, wordOf } from '../../../http/fields.ts'
import { readLater } from '../../../http/unknown-members.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { findDeviceType, firstCustomTypeId } from '../../../sensors/index.ts'
import { isObject, messagesOf } from '../../fleet/batches/batches.ts'
import { typeUnknown } from '../../fleet/devices/registration.ts'
import { type Kind, kinds } from './difference.ts'

/** The actions on a difference. */
export const actions = ['adopt', 'repair', 'ignore', 'unignore'] as const

export type Action = (typeof actions)[number]

/** What a row says of an adopted device, beyond what its network lists. */
export interface DeviceFacts {
  typeId: number | undefined
  key: string | undefined
  joinEui: string | undefined
  /** NwkKey of LoRaWAN 1.1, or NwkSKey of a device without a join. */
  networkKey: string | undefined
}

/** One parsed row of a request; its EUI is normalized. */
export interface RequestedRow {
  kind: Kind
  eui: string
  action: Action
  /** Replaces the name at the network. */
  name: string | undefined
  device: DeviceFacts
}

/** A row with a fault, and as much as could be read of it. */
export interface UnreadableRow {
  kind: Kind | null
  eui: string | null
  message: string
}

/** Custom types are looked up when the device is adopted. */
const deviceTypeField = requiredInteger('device type').refine(
  (id) => id >= firstCustomTypeId || findDeviceType(id) !== undefined,
  typeUnknown,
)

const row = z.object({
  kind: wordOf('kind', kinds),
  eui: hexadecimal('EUI', 16),
  action: wordOf('action', actions),
  device_type: deviceTypeField.nullish(),
  device_name: optionalText('device name'),
  gateway_name: optionalText('gateway name'),
  device_key: hexadecimal('device key', 32).nullish(),
  join_eui: hexadecimal('join EUI', 16).nullish(),
  network_key: hexadecimal('network key', 32).nullish(),
})

export function readRow(sent: unknown): RequestedRow | UnreadableRow {
  const { data, error } = row.safeParse(sent)
  if (!data) {
    const known = isObject(sent) ? sent : {}
    const [message = ''] = isObject(sent) ? messagesOf(error) : ['The row must be an object.']
    const { kind, eui } = row.shape
    const readable = eui.safeParse(known.eui).data
    return {
      kind: kind.safeParse(known.kind).data ?? null,
      eui: readable === undefined ? null : normalizeEui(readable),
      message,
    }
  }
  const name = data.kind === 'device' ? data.device_name : data.gateway_name
  return {
    kind: data.kind,
    eui: normalizeEui(data.eui),
    action: data.action,
    name: name?.trim() ? name : undefined,
    device: {
      typeId: data.device_type ?? undefined,
      key: data.device_key ?? undefined,
      joinEui: data.join_eui ?? undefined,
      networkKey: data.network_key ?? undefined,
    },
  }
}

const mostRows = 1000

/** The body of POST /network-accounts/{network}/reconcile without the register method. */
export const requestShape = {
  rows: z
    .array(readLater(row.meta({ id: 'ReconciliationItem' })), {
      error: 'The rows must be an array.',
    })
    .max(mostRows, `The rows may not have more than ${mostRows} items.`)
    .nullish(),
  adopt_all: z
    .object(
      { device_type: deviceTypeField },
      { error: 'The adopt_all must be an object with a device_type.' },
    )
    .nullish(),
}
