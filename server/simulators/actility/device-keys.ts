// Keys and address of a device, `DeviceLorawan` of the device manager API 7.3: what each activation
// requires and forbids.
import { textOf } from '../../src/networks/answer-fields.ts'
import type { FarAnswer } from '../far-call.ts'
import { type DeviceRecord, deviceModels, refuse } from './store.ts'

type Members = Record<string, unknown>

const appSKeys = /^<AppSKeys>(<AppSKey Port="[^"]+">[0-9A-F]{32}<\/AppSKey>)+<\/AppSKeys>$/i

/** By member: whether each activation takes it, and its form. */
const forms: Record<string, { of: string; form: RegExp }> = {
  appKey: { of: 'OTAA', form: /^[0-9A-F]{32}$/i },
  nwkKey: { of: 'OTAA', form: /^[0-9A-F]{32}$/i },
  nwKey: { of: 'ABP', form: /^[0-9A-F]{32}$/i },
  appKeys: { of: 'ABP', form: appSKeys },
}

/** Applies the keys of a creation or a change. Returns a refusal if one is wrong or forbidden. */
export function applyKeys(record: DeviceRecord, body: Members): FarAnswer | undefined {
  for (const [name, { of, form }] of Object.entries(forms)) {
    if (body[name] === undefined) continue
    if (record.activation !== of) return refuse(400, 30, `${name} is forbidden`)
    if (!form.test(textOf(body[name]))) return refuse(400, 28, `invalid ${name}`)
  }
  const { appKey, nwkKey, nwKey, appKeys } = body
  const isOf11 = deviceModels[record.modelId]?.macMinorVersion === 10
  if (nwkKey !== undefined && !isOf11) return refuse(400, 30, 'nwkKey is forbidden')
  if (appKey !== undefined) record.appKey = textOf(appKey)
  if (nwkKey !== undefined) record.nwkKey = textOf(nwkKey)
  if (nwKey !== undefined) record.nwKey = textOf(nwKey)
  if (appKeys !== undefined) record.appKeys = textOf(appKeys)
  const isMissing = record.activation === 'ABP' ? !record.nwKey : isOf11 && !record.nwkKey
  return isMissing ? refuse(400, 31, 'a key is mandatory') : undefined
}

/** The address of a device without a join. */
export function applyAddress(record: DeviceRecord, { nwAddress }: Members): FarAnswer | undefined {
  if (record.activation !== 'ABP') return undefined
  if (!/^[0-9A-F]{8}$/i.test(textOf(nwAddress))) return refuse(400, 31, 'nwAddress is mandatory')
  record.nwAddress = textOf(nwAddress).toUpperCase()
  return undefined
}

/** Members that a change may not have (`x-updateForbidden`). */
export function refuseFixed(body: Members): FarAnswer | undefined {
  const fixed = ['activation', 'nwAddress', 'EUI'].find((name) => body[name] !== undefined)
  return fixed === undefined ? undefined : refuse(400, 32, `${fixed} cannot be updated`)
}
