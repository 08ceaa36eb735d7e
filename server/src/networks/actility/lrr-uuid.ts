import { NetworkError, type NetworkGateway } from '../network.ts'

// A base station is known by its LRR-UUID, `<OUI of the maker>-<its own id>`. With the software of
// LoRa Basics Station the first part is 0016C0 and the second the gateway EUI; with Actility's own
// (LRR) it is up to the maker: often the EUI, Kerlink's is a board number. docs.thingpark.com,
// "Base station attributes".

const basicStationOui = '0016C0'

/** Network manager API 7.3, `lrrUUID`. */
export function isLrrUuid(text: string): boolean {
  return /^[0-9a-f]{6}-[0-9a-f]{2,48}$/i.test(text)
}

/**
 * The LRR-UUID of a new base station. One that does not follow from the gateway's EUI is given as
 * its serial number.
 */
export function toLrrUuid({ gatewayEui, settings }: NetworkGateway, softwareType: string): string {
  const serial = settings?.serial_number ?? ''
  if (isLrrUuid(serial)) return serial.toUpperCase()
  const [ofMaker, ofBasicStation] = uuidsOf(gatewayEui)
  if (!ofMaker || !ofBasicStation) throw new NetworkError('refused', 'The gateway has no EUI.')
  return softwareType.startsWith('BASIC_STATION') ? ofBasicStation : ofMaker
}

/** Those that follow from an EUI: by the maker's own software, and by Basics Station. */
export function uuidsOf(gatewayEui: string): string[] {
  const eui = gatewayEui.toUpperCase()
  return [`${eui.slice(0, 6)}-${eui}`, `${basicStationOui}-${eui}`]
}
