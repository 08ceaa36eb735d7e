import { requestNames } from '../../features/fleet/gateways/gateway-fields.ts'
import {
  deviceColumns,
  guessColumns,
  leftOutColumns,
  type Mapping,
  plainHeader,
} from '../../lora/device-file/columns.ts'
import { cellOf, readDeviceRow, readHex, readTags } from '../../lora/device-file/device-row.ts'
import { readPlace } from '../../lora/device-file/place.ts'
import { readTable, type Table, type TableRow } from '../../lora/device-file/read-table.ts'
import { command, readInput } from '../command.ts'
import { bringIn, importHelp, importOptions, openService } from './import-options.ts'
import type { Source } from './source.ts'
import { makeDevice, type SourceDevice } from './source-device.ts'
import { makeGateway, type SourceGateway } from './source-gateway.ts'

/** What a file has, and its columns that nothing is made of. */
interface FileContent<Item> {
  items: Item[]
  leftOut: string[]
}

/** @throws Error where no column is the DevEUI. */
function readDeviceRows(path: string, { headers, rows }: Table): FileContent<SourceDevice> {
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
    tags: row.tags,
    position: row.place,
    fault: faults.deviceId ?? faults.tags ?? faults.place,
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

/** Columns of a file of gateways that are no fields of POST /gateways. */
const columns = [
  { name: 'eui', headers: ['gatewayeui', 'gatewayid', 'eui'] },
  { name: 'name', headers: ['gatewayname', 'name'] },
  { name: 'description', headers: ['description', 'notes'] },
  { name: 'latitude', headers: ['latitude', 'lat'] },
  { name: 'longitude', headers: ['longitude', 'lng', 'lon', 'long'] },
  { name: 'altitude', headers: ['altitude', 'alt'] },
  { name: 'network', headers: ['network', 'gatewaybridge'] },
  { name: 'accountName', headers: ['accountname', 'account'] },
  { name: 'tags', headers: ['tags'] },
] as const

/** The other fields of POST /gateways, by their names in a header. */
const fieldNames = new Map(
  Object.entries(requestNames).flatMap(([field, names]) =>
    ['gatewayName', 'gatewayEui', 'description'].includes(field)
      ? []
      : names.map((name) => [plainHeader(name), name] as const),
  ),
)

/** Whether the first line of a file names gateways, and no devices. */
function namesGateways(headers: readonly string[]): boolean {
  const names = headers.map(plainHeader)
  const hasDevices = ['deviceid', 'deveui', 'deviceeui'].some((name) => names.includes(name))
  return names.includes('gatewayeui') && !hasDevices
}

/** @throws Error where no column is the EUI. */
function readGatewayRows(path: string, { headers, rows }: Table): FileContent<SourceGateway> {
  const mapping = guessColumns(headers, columns)
  if (mapping.eui === undefined) {
    throw new Error(
      `${path} has no column for the EUI of gateways: its first line must name the columns, such as gateway_eui, gateway_name, latitude, longitude, network.`,
    )
  }
  const fields = headers.flatMap((header, at) => {
    const field = fieldNames.get(plainHeader(header))
    return field === undefined ? [] : [[field, at] as const]
  })
  const items = rows.map(({ number, cells }) => {
    const cell = (name: (typeof columns)[number]['name']) => cellOf(cells, mapping[name])
    const eui = readHex(cell('eui'), 16, 'gateway EUI')
    const { tags, fault } = readTags(cells, mapping)
    const { place: position, fault: placeFault } = readPlace({
      latitude: cell('latitude'),
      longitude: cell('longitude'),
      altitude: cell('altitude'),
    })
    const rowFault = eui.fault ?? fault ?? placeFault
    const [network, accountName] = [cell('network'), cell('accountName')]
    const values = fields.map(([field, at]) => [field, cellOf(cells, at)] as const)
    return makeGateway(eui.value, {
      row: number,
      name: cell('name'),
      description: cell('description'),
      position,
      ...(rowFault !== undefined && { fault: rowFault }),
      tags,
      place: { ...(network && { network }), ...(accountName && { accountName }) },
      fields: Object.fromEntries(values.filter(([, value]) => value !== '')),
    })
  })
  const used = { ...mapping, ...Object.fromEntries(fields) }
  return { items, leftOut: leftOutColumns(headers, used) }
}

export const importCsv = command({
  name: 'import csv',
  parameters: ['FILE'],
  summary: 'registers the devices or gateways of a CSV file, or adopts or records them',
  help: `The first line names the columns, in any order: device_id (or DevEUI), device_name, device_key (AppKey),
join_eui (AppEUI), device_type (or model), group_path (Building A / Floor 2), notes, network,
account_name, app_region, frequency_plan, latitude, longitude, and tags as tag:floor. Headers of The Things Stack, ChirpStack, LORIOT and ThingPark,
and names in other languages, are known too; columns left out are listed. Without --as the devices are
registered at their network. Rows are numbered as a spreadsheet shows them.

A file of gateways has a column gateway_eui: gateway_name, description, latitude, longitude, network,
account_name, gateway_ip, region, frequency_plan, zone_id, tags as tag:floor, and what else the form of the network asks
for.

  --gateways         the file has gateways, whatever its column of EUIs is called
${importHelp}`,
  options: { ...importOptions, gateways: { type: 'boolean' } },
  async run(context, [path = ''], values) {
    const service = openService(context, values)
    const table = readTable(await readInput(path))
    const hasGateways = values.gateways ?? namesGateways(table.headers)
    const devices = hasGateways ? undefined : readDeviceRows(path, table)
    const gateways = hasGateways ? readGatewayRows(path, table) : undefined
    const { leftOut = [] } = devices ?? gateways ?? {}
    if (leftOut.length > 0) context.say(`Columns left out: ${leftOut.join(', ')}.`)
    const source: Source = {
      name: path,
      devices: devices?.items ?? [],
      gateways: gateways?.items ?? [],
      codecs: new Map(),
    }
    const usual = { way: 'register', network: undefined } as const
    const result = await bringIn(context, service, values, { source, usual })
    return { ...result, columns_left_out: leftOut }
  },
})
