import {
  addHead,
  type PublishedDevice,
  readTomlDevice,
  readYamlDevice,
} from '../../../../../server/src/lora/published-device.ts'
import { t } from '../../../languages/text.ts'
import type { FoundType, GivenFile } from './published-types.ts'

/** The files that describe the devices of a codec. */

/** The description of a device gives the name. Without its codec it says what is missing. */
export function findMissingCodec(
  { name: from }: GivenFile,
  device: Record<string, unknown>,
  files: readonly GivenFile[],
): FoundType[] {
  const isDevice = typeof device.name === 'string' || device.firmwareVersions !== undefined
  if (!isDevice) return []
  const id = from.replace(/\.ya?ml$/, '')
  const named = readYamlDevice(id, device).codecs
  const codecs = named.length > 0 ? named : [`${id}-codec`]
  const isThere = codecs.some((codec) =>
    files.some(({ name }) => name !== from && name.replace(/\.ya?ml$/, '') === codec),
  )
  if (isThere) return []
  const wanted = codecs.map((codec) => `${codec}.yaml`).join(t(' or '))
  const problem = t(
    'It describes a device. Its codec is missing: add {wanted}, and the .js file that it names.',
    { wanted },
  )
  return [{ from, problem }]
}

/** The description of a device gives the name. Profiles and vendors are said with their devices. */
export function readToml(
  { name: from, text }: GivenFile,
  files: readonly GivenFile[],
): FoundType[] {
  if (!isDevice(text)) return []
  const { codecs } = readTomlDevice(withoutEnding(from), text)
  if (codecs.length === 0) return [{ from, problem: t('It describes a device without a codec.') }]
  const missing = codecs.filter((codec) => !files.some(({ name }) => name === `${codec}.js`))
  if (missing.length === 0) return []
  const wanted = missing.map((codec) => `${codec}.js`).join(t(' and '))
  return [
    { from, problem: t('It describes a device. Its codec is missing: add {wanted}.', { wanted }) },
  ]
}

/** The devices that name a file of JavaScript. */
export function devicesOfSource(id: string, files: readonly GivenFile[]): PublishedDevice[] {
  return files
    .filter(({ name, text }) => name.endsWith('.toml') && isDevice(text))
    .map(({ name, text }) => readTomlDevice(withoutEnding(name), text))
    .filter(({ codecs }) => codecs.includes(id))
}

function isDevice(toml: string): boolean {
  return /^\s*\[device\]/m.test(toml)
}

export function withHead(
  codec: string,
  devices: readonly PublishedDevice[],
  files: readonly GivenFile[],
): string {
  return addHead(
    codec,
    devices,
    (profile) => files.find(({ name }) => withoutEnding(name) === profile)?.text,
  )
}

export function withoutEnding(name: string): string {
  return name.replace(/\.\w+$/, '')
}
