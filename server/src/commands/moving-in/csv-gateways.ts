import { requestNames } from '../../features/gateways/gateway-fields.ts'
import { cellsOf, findColumns, toPlain } from './csv-source.ts'
import { makeGateway, type SourceGateway, toPosition } from './source-gateway.ts'

/** Columns of a file of gateways that are no fields of POST /gateways. */
const columns = {
  eui: ['gateway eui', 'gateway id', 'eui'],
  name: ['gateway name', 'name'],
  description: ['description', 'notes'],
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lng', 'lon', 'long'],
  network: ['network', 'gateway bridge'],
  accountName: ['account name', 'account'],
} as const

/** The other fields of POST /gateways, by their names in a header. */
const fieldNames = new Map(
  Object.entries(requestNames).flatMap(([field, names]) =>
    ['gatewayName', 'gatewayEui', 'description'].includes(field)
      ? []
      : names.map((name) => [toPlain(name), name] as const),
  ),
)

/** Whether the first line of a file names gateways, and no devices. */
export function namesGateways(header: readonly string[]): boolean {
  const names = header.map(toPlain)
  const hasDevices = ['deviceid', 'deveui', 'deviceeui'].some((name) => names.includes(name))
  return names.includes('gatewayeui') && !hasDevices
}

/** @throws Error where no column is the EUI. */
export function readGatewayRows(
  path: string,
  [header = [], ...rows]: readonly string[][],
): SourceGateway[] {
  const places = findColumns(header, columns)
  if (!places.has('eui')) {
    throw new Error(
      `${path} has no column for the EUI of gateways: its first line must name the columns, such as gateway_eui, gateway_name, latitude, longitude, network.`,
    )
  }
  const fields = header.flatMap((name, at) => {
    const field = fieldNames.get(toPlain(name))
    return field === undefined ? [] : [[field, at] as const]
  })
  return rows.map((cells) => {
    const { cell, cellAt } = cellsOf(cells, places)
    const values = fields.map(([field, at]) => [field, cellAt(at)] as const)
    const place = readPlace(cell('latitude'), cell('longitude'))
    const [network, accountName] = [cell('network'), cell('accountName')]
    return makeGateway(cell('eui'), {
      name: cell('name'),
      description: cell('description'),
      ...place,
      place: { ...(network && { network }), ...(accountName && { accountName }) },
      fields: Object.fromEntries(values.filter(([, value]) => value !== '')),
    })
  })
}

/** Degrees with a point or, as spreadsheets of many countries write them, a comma. */
function readPlace(latitude: string, longitude: string): Pick<SourceGateway, 'position' | 'fault'> {
  const [lat, lng] = [latitude, longitude].map((text) =>
    text === '' ? Number.NaN : Number(text.replace(',', '.')),
  )
  const position = toPosition(lat, lng)
  const isNone = (latitude === '' && longitude === '') || (lat === 0 && lng === 0)
  const fault = 'The latitude must be from -90 to 90, and the longitude from -180 to 180 degrees.'
  return { position, fault: position || isNone ? undefined : fault }
}
