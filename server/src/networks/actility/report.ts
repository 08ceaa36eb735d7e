import { isObject, type JsonObject } from '../message-fields.ts'

/** A report of the core network (LRC), out of its wrapper. */
export interface Report {
  name: string
  /** IoT Flow sends uplinks without. */
  isWrapped: boolean
  report: JsonObject
}

const names = [
  'DevEUI_uplink',
  'DevEUI_downlink_Sent',
  'DevEUI_downlink_Rejected',
  'DevEUI_notification',
  'DevEUI_location',
]

/** A name that is not known is that of the only member, if it is like the others. */
export function readReport(body: JsonObject): Report {
  const known = names.find((name) => isObject(body[name]))
  const name = known ?? Object.keys(body).find((key) => key.startsWith('DevEUI_'))
  const report = name === undefined ? undefined : body[name]
  if (name !== undefined && isObject(report)) return { name, isWrapped: true, report }
  return { name: 'DevEUI_uplink', isWrapped: false, report: body }
}
