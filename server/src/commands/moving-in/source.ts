import type { SourceDevice } from './source-device.ts'
import type { SourceGateway } from './source-gateway.ts'

/** Everything that is read from a source. */
export interface Source {
  /** For people: where the devices come from. */
  name: string
  devices: readonly SourceDevice[]
  gateways: readonly SourceGateway[]
  /** Why the source does not tell its gateways; undefined where it does. */
  gatewaysLeftOut?: string | undefined
  /** Codecs of the profiles that have one, by the profile's name. */
  codecs: ReadonlyMap<string, SourceCodec>
  /** Why a profile has no codec, or not all of it, by the profile's name. */
  lacking?: ReadonlyMap<string, string>
}

/** As POST /device-types takes it: JavaScript by TS013, or Cayenne LPP, which needs none. */
export interface SourceCodec {
  format: 'ts013' | 'cayenne_lpp'
  script?: string
}
