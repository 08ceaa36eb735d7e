import {
  deviceColumns,
  guessColumns,
  leftOutColumns,
  type Mapping,
} from '../../lora/device-file/columns.ts'
import { readDeviceRow } from '../../lora/device-file/device-row.ts'
import type { Table, TableRow } from '../../lora/device-file/read-table.ts'
import { makeDevice, type SourceDevice } from './source-device.ts'

/** What a file has, and its columns that nothing is made of. */
export interface FileContent<Item> {
  items: Item[]
  leftOut: string[]
}

/** @throws Error where no column is the DevEUI. */
export function readDeviceRows(path: string, { headers, rows }: Table): FileContent<SourceDevice> {
  const mapping = guessColumns(headers, deviceColumns)
  if (mapping.deviceId === undefined) {
    throw new Error(
      `${path} has no column for the DevEUI: its first line must name the columns, such as device_id, device_name, device_key, join_eui, device_type, group_path, notes.`,
    )
  }
  return {
    items: rows.map((row) => readRow(row, mapping)),
    leftOut: leftOutColumns(headers, mapping),
  }
}

function readRow({ number, cells }: TableRow, mapping: Mapping): SourceDevice {
  const { faults, ...row } = readDeviceRow(cells, mapping)
  const { network, registerMethod, accountName, deviceProfile, appRegion, frequencyPlan } = row
  return makeDevice(row.deviceId, {
    row: number,
    name: row.deviceName,
    joinEui: row.joinEui,
    key: row.deviceKey,
    group: row.groupPath.split('/').flatMap((name) => name.trim() || []),
    profile: row.deviceType,
    notes: row.notes,
    fault: faults.deviceId,
    isOnlyAdopted: faults.radio ?? faults.deviceKey ?? faults.joinEui,
    place: {
      ...(network && { network }),
      ...(registerMethod && { registerMethod }),
      ...(accountName && { accountName }),
      ...(deviceProfile && { deviceProfile }),
      ...(appRegion && { appRegion }),
      ...(frequencyPlan && { frequencyPlan }),
      ...(/^\d{1,9}$/.test(row.gatewayId) && { gatewayId: Number(row.gatewayId) }),
      ...(row.isConsoleOnly && { consoleOnly: true }),
    },
  })
}
