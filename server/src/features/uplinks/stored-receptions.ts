/*
 * The gateways that heard an uplink, as `uplinks.receptions` holds them: a line for each, best SNR
 * first, with EUI, RSSI, SNR, latitude and longitude between blanks; what is absent is empty, and
 * blanks at the end are left out. Where there is no EUI, the network's own name of the gateway is in
 * its place. No name of a gateway has a blank (`holdToRange`). As JSON with
 * names of members they took three times the bytes. Older rows have that, in `uplinks.gateways`.
 */

/** A gateway that heard an uplink. */
export interface GatewayOfUplink {
  /** Or the network's own name of it; empty where there is neither. */
  gateway_eui: string
  rssi: number | undefined
  snr: number | undefined
  lat: number | undefined
  lng: number | undefined
}

/** SQL: the columns of `StoredReceptions`. */
export const receptionColumns = 'uplinks.receptions, uplinks.gateways'

export interface StoredReceptions {
  receptions: string | null
  /** In older rows. */
  gateways: GatewayOfUplink[]
}

export function writeReceptions(gateways: readonly GatewayOfUplink[]): string {
  return gateways.map(writeLine).join('\n')
}

function writeLine({ gateway_eui, rssi, snr, lat, lng }: GatewayOfUplink): string {
  const line = `${gateway_eui} ${rssi ?? ''} ${snr ?? ''} ${lat ?? ''} ${lng ?? ''}`.trimEnd()
  // No line is empty: an empty text is an empty list.
  return line === '' ? ' ' : line
}

export function readReceptions({ receptions, gateways }: StoredReceptions): GatewayOfUplink[] {
  if (receptions === null) return gateways
  return receptions === '' ? [] : receptions.split('\n').map(readLine)
}

function readLine(line: string): GatewayOfUplink {
  const [gateway_eui = '', rssi, snr, lat, lng] = line.split(' ')
  return {
    gateway_eui,
    rssi: readNumber(rssi),
    snr: readNumber(snr),
    lat: readNumber(lat),
    lng: readNumber(lng),
  }
}

function readNumber(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text)
}

/** SQL: what a gateway is shown as: an EUI in its normal form, any other name as the network sent it. */
export const nameOfGateway = (column: string) => `(
    case when ${column} ~ '^[0-9A-Fa-f]{2}([-:]?[0-9A-Fa-f]{2}){7}$'
      then translate(upper(${column}), '-:', '') else ${column} end
  )`

/** SQL: a subquery with a row (`GatewayOfUplink`) for each gateway of the uplink in `row`. */
export const receptionsOf = (row: string) => `(
    select coalesce(parts[1], '') as gateway_eui, parts[2]::double precision as rssi,
      parts[3]::double precision as snr, parts[4]::double precision as lat,
      parts[5]::double precision as lng
    from (
      select string_to_array(line, ' ', '') as parts
      from string_to_table(${row}.receptions, E'\\n') as line
      offset 0
    ) as lines
    union all
    select older.gateway_eui, older.rssi, older.snr, older.lat, older.lng
    from jsonb_to_recordset(${row}.gateways) as older (
      gateway_eui text, rssi double precision, snr double precision, lat double precision,
      lng double precision
    )
  )`
