/*
 * The gateways that heard an uplink, as `uplinks.receptions` holds them: an array for each, best SNR
 * first, with EUI, RSSI, SNR, latitude and longitude; null for what is absent, and nothing at the
 * end. Where there is no EUI, the network's own name of the gateway is in its place.
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

type Reception = [gateway_eui: string, ...values: (number | null)[]]

export interface StoredReceptions {
  receptions: Reception[]
}

export function toReceptions(gateways: readonly GatewayOfUplink[]): Reception[] {
  return gateways.map(toReception)
}

function toReception({ gateway_eui, rssi, snr, lat, lng }: GatewayOfUplink): Reception {
  const values = [rssi, snr, lat, lng].map((value) => value ?? null)
  const count = values.findLastIndex((value) => value !== null) + 1
  return [gateway_eui, ...values.slice(0, count)]
}

export function readReceptions({ receptions }: StoredReceptions): GatewayOfUplink[] {
  return receptions.map(([gateway_eui, rssi, snr, lat, lng]) => ({
    gateway_eui,
    rssi: rssi ?? undefined,
    snr: snr ?? undefined,
    lat: lat ?? undefined,
    lng: lng ?? undefined,
  }))
}

/** SQL: the normal form of an EUI. */
export const euiOf = (column: string) => `translate(upper(${column}), '-:', '')`

/** SQL: what a gateway is shown as: an EUI in its normal form, any other name as the network sent it. */
export const nameOfGateway = (column: string) => `(
    case when ${column} ~ '^[0-9A-Fa-f]{2}([-:]?[0-9A-Fa-f]{2}){7}$'
      then ${euiOf(column)} else ${column} end
  )`

/** SQL: a subquery with a row (`GatewayOfUplink`) for each gateway of the uplink in `row`. */
export const receptionsOf = (row: string) => `(
    select reception ->> 0 as gateway_eui, (reception ->> 1)::double precision as rssi,
      (reception ->> 2)::double precision as snr, (reception ->> 3)::double precision as lat,
      (reception ->> 4)::double precision as lng
    from jsonb_array_elements(${row}.receptions) as reception
  )`
