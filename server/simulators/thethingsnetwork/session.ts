// The session of a device without a join (ABP) at the network server and the application server,
// pkg/networkserver/grpc_deviceregistry.go and pkg/applicationserver/grpc_deviceregistry.go.
import type { JsonObject } from '../../src/networks/message-fields.ts'
import { objectIn, textOf } from './store.ts'

const ownKey = 'f_nwk_s_int_key'
/** LoRaWAN 1.1 has them in addition to the first. In 1.0.x they are the same key. */
const laterKeys = ['nwk_s_enc_key', 's_nwk_s_int_key']

/** Returns the field of the network server's part that it refuses. */
export function findRefusedField(
  record: JsonObject,
  before: JsonObject | undefined,
): string | undefined {
  const joins = record.supports_join === true
  if (before && (before.supports_join === true) !== joins) return 'supports_join'
  const session = objectIn(record, 'session')
  if (joins) return record.session === undefined ? undefined : 'session.keys.session_key_id'
  if (!isHexadecimal(session.dev_addr, 8)) return 'session.dev_addr'
  const key = keyIn(session, ownKey)
  if (!isHexadecimal(key, 32)) return `session.keys.${ownKey}.key`
  const is11 = record.lorawan_version === 'MAC_V1_1'
  const wrong = laterKeys.find((name) => {
    const other = keyIn(session, name)
    return is11 ? !isHexadecimal(other, 32) : other !== '' && other !== key
  })
  return wrong && `session.keys.${wrong}.key`
}

/** In LoRaWAN 1.0.x the server copies the one network session key into all three fields. */
export function completeSession(record: JsonObject): void {
  if (record.supports_join === true || record.lorawan_version === 'MAC_V1_1') return
  const session = objectIn(record, 'session')
  const key = objectIn(objectIn(session, 'keys'), ownKey)
  const keys = Object.fromEntries([ownKey, ...laterKeys].map((name) => [name, { ...key }]))
  record.session = { ...session, keys }
}

/** Returns the field of the application server's part that it refuses. */
export function findRefusedApplicationField(
  sent: JsonObject,
  paths: readonly string[],
): string | undefined {
  const session = objectIn(sent, 'session')
  if (paths.includes('session.dev_addr') && !isHexadecimal(session.dev_addr, 8)) {
    return 'session.dev_addr'
  }
  const keyPath = 'session.keys.app_s_key.key'
  const isWrong = paths.includes(keyPath) && !isHexadecimal(keyIn(session, 'app_s_key'), 32)
  return isWrong ? keyPath : undefined
}

function keyIn(session: JsonObject, name: string): string {
  return textOf(objectIn(objectIn(session, 'keys'), name).key)
}

/** Zeros count as absent. */
function isHexadecimal(value: unknown, length: number): boolean {
  const text = textOf(value)
  return text.length === length && /^[0-9A-F]+$/i.test(text) && /[^0]/.test(text)
}
