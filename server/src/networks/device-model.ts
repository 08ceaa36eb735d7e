import type { DeviceRadio } from './device-radio.ts'

/** A model of devices, and how its maker says that it speaks LoRaWAN in a region. */
export interface DeviceModel {
  vendor: string
  model: string
  firmware: string | null
  /** As it is called on labels: EU868, US915, AS923-2. */
  region: string
  /** `1.0.3`. */
  macVersion: string
  /** The revision of the regional parameters: `A`, `RP002-1.0.3`, `RP001-1.0.2-RevB`. */
  regionalParameters: string | null
  activation: 'otaa' | 'abp'
  deviceClass: 'A' | 'C'
  supportsClassB: boolean
  /** By the names of ChirpStack's profiles, in their units: `class_c.timeout_secs`. */
  details: Readonly<Record<string, number>>
}

type ModelRadio = Pick<DeviceRadio, 'version' | 'activation' | 'deviceClass'>

export function radioOfModel({
  macVersion,
  activation,
  deviceClass,
}: Pick<DeviceModel, 'macVersion' | 'activation' | 'deviceClass'>): ModelRadio {
  return { version: macVersion.startsWith('1.1') ? '1.1' : '1.0', activation, deviceClass }
}

/** Whether a device is registered as its model speaks, in the model's region. */
export function speaksAsModel(
  model: DeviceModel,
  { radio, region }: { radio?: ModelRadio | null | undefined; region?: string | null | undefined },
): boolean {
  const { version, activation, deviceClass } = radioOfModel(model)
  return (
    (radio?.version ?? '1.0') === version &&
    (radio?.activation ?? 'otaa') === activation &&
    (radio?.deviceClass ?? 'A') === deviceClass &&
    // A registration knows the groups of AS923 as one region.
    (!region || region === model.region.replace(/-\d$/, ''))
  )
}

/** The version of LoRaWAN in its three numbers: `1.1` is 1.1.0. Undefined if it is none. */
export function wholeVersion({ macVersion }: DeviceModel): string | undefined {
  const [, version, patch = '0'] = /^(1\.[01])(?:\.(\d))?$/.exec(macVersion) ?? []
  return version && `${version}.${patch}`
}

/** The revision of the regional parameters: `RP002-1.0.3`, or the revision A or B of its LoRaWAN version. */
export function revisionOfModel({ macVersion, regionalParameters }: DeviceModel): string {
  const said = regionalParameters?.toUpperCase() ?? ''
  const later = /^RP002-1\.0\.\d$/.test(said)
  if (later) return said
  if (macVersion === '1.0.4') return 'RP002-1.0.3'
  return /(^|REV[-_ ]?)B$/.test(said) ? 'B' : 'A'
}
