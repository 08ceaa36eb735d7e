/**
 * What a maker publishes about a device besides its codec: `<device>.yaml` of The Things Network, and
 * `devices/<device>.toml` of chirpstack-device-profiles.
 */
export interface PublishedDevice {
  /** The file without its ending. */
  id: string
  name: string | undefined
  /** The names of its codecs without their endings. */
  codecs: string[]
  /** Those of its profiles. */
  profiles: string[]
  regions: string[]
  firmware: string[]
  description: string | undefined
  dataSheet: string | undefined
}

export function readYamlDevice(id: string, document: Record<string, unknown>): PublishedDevice {
  const versions = Array.isArray(document.firmwareVersions)
    ? document.firmwareVersions.map(record)
    : []
  const profiles = versions.flatMap((one) => Object.values(record(one.profiles)).map(record))
  const { name, description, dataSheetURL, productURL } = document
  return {
    id,
    name: text(name),
    codecs: distinct(profiles.map(({ codec }) => codec)),
    profiles: distinct(profiles.map((profile) => profile.id)),
    regions: distinct(versions.flatMap((one) => Object.keys(record(one.profiles)))),
    firmware: distinct(versions.map(({ version }) => version)),
    description: text(description),
    dataSheet: text(dataSheetURL) ?? text(productURL),
  }
}

/** A few keys are all that is read of it, each a text or a list of texts, as TOML has them. */
export function readTomlDevice(id: string, toml: string): PublishedDevice {
  const textsOf = (key: string) =>
    [...toml.matchAll(new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*(\\[[^\\]]*\\]|.*)`, 'gm'))].flatMap(
      ([, value = '']) =>
        [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map((one) => one[1] ?? one[2]),
    )
  const [name] = textsOf('name')
  const profiles = distinct(textsOf('profiles')).map(withoutEnding)
  return {
    id,
    name: text(name),
    codecs: distinct(textsOf('codec')).map(withoutEnding),
    profiles,
    regions: distinct(profiles.map((profile) => /^[A-Z]{2}\d{3}/.exec(profile)?.[0])),
    firmware: distinct(textsOf('version')),
    description: text(textsOf('description')[0]),
    dataSheet: text(textsOf('documentation_url')[0]) ?? text(textsOf('product_url')[0]),
  }
}

/** The name of a type for these devices, which share a codec. Undefined where it would be too long. */
export function nameTogether(devices: readonly PublishedDevice[]): string | undefined {
  const names = distinct(devices.map(({ name }) => name)).join(', ')
  return names === '' || names.length > 100 ? undefined : names
}

/**
 * The codec with what is published of its devices as a comment in front: a device type has no other
 * place for it. `textOf` gives the text of a profile.
 */
export function addHead(
  codec: string,
  devices: readonly PublishedDevice[],
  textOf: (profile: string) => string | undefined,
): string {
  const lines = devices.flatMap((device) => {
    const profiles = device.profiles.flatMap((profile) => textOf(profile) ?? [])
    const facts: [string, string | undefined][] = [
      ['Firmware', device.firmware.join(', ')],
      ['Regions', device.regions.join(', ')],
      ['LoRaWAN', distinct(profiles.map(readVersion)).join(', ')],
      ['Class', distinct(profiles.map(readClass)).join(', ')],
      ['Data sheet', device.dataSheet],
    ]
    const told = facts.flatMap(([label, value]) => (value ? `${label}: ${value}` : []))
    const title = [device.name ?? device.id, device.description].filter(Boolean).join(': ')
    return told.length > 0 ? [title, ...told] : []
  })
  return [
    ...lines.map((line) => `// ${line.replace(/[\s\p{C}\u2028\u2029]+/gu, ' ')}`),
    codec,
  ].join('\n')
}

function readVersion(profile: string): string | undefined {
  return /^\s*(?:mac_version|macVersion)\s*[=:]\s*["']?([\w.]+)/m.exec(profile)?.[1]
}

function readClass(profile: string): string {
  return /^\s*(?:supports_class_c|supportsClassC)\s*[=:]\s*true/m.test(profile) ? 'C' : 'A'
}

function withoutEnding(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')
}

function distinct(values: readonly unknown[]): string[] {
  return [...new Set(values.flatMap((value) => text(value) ?? []))]
}

function text(value: unknown): string | undefined {
  return typeof value === 'number'
    ? String(value)
    : typeof value === 'string' && value
      ? value
      : undefined
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
