import { parse } from 'smol-toml'
import { record } from '../../../../lora/published-device.ts'
import {
  type CatalogueEntry,
  descriptionOf,
  distinct,
  type EntryCodec,
  type EntryProfile,
  type EntryVersion,
  type FileTree,
  keyOfModel,
  linkOf,
  textOf,
  toProfileId,
  toRegion,
} from './catalogue-entry.ts'
import { readExamples, readTests } from './published-examples.ts'

/*
 * The layout of github.com/chirpstack/chirpstack-device-profiles:
 *
 *   vendors/<vendor>/vendor.toml             [vendor] name, vendor_id
 *   vendors/<vendor>/devices/<device>.toml   [device], [[device.firmware]] with profiles and codec
 *   vendors/<vendor>/profiles/<profile>.toml [profile] region, mac_version, supports_class_c, ...
 *   vendors/<vendor>/codecs/<codec>.js       and test_decode_<codec>.json, test_encode_<codec>.json
 */

/** The folders of vendors, each with a slash at its end. */
export function listVendorFolders({ paths }: FileTree): string[] {
  return paths.flatMap((path) => /^((?:.*\/)?)vendor\.toml$/.exec(path)?.[1] ?? [])
}

/** The devices of a vendor, each read when it is asked for. */
export async function listDevices(tree: FileTree, folder: string) {
  const vendor = record((await readToml(tree, `${folder}vendor.toml`)).vendor)
  const vendorKey = folder.split('/').at(-2) ?? 'vendor'
  const profiles = keep((name) => readProfile(tree, `${folder}profiles/${name}`, vendor.vendor_id))
  const codecs = keep((name) => readCodec(tree, `${folder}codecs/`, name))
  return tree.paths
    .filter((path) => path.startsWith(`${folder}devices/`) && path.endsWith('.toml'))
    .map((path) => ({
      path,
      read: () => readDevice(tree, path, { vendor, vendorKey, profiles, codecs }),
    }))
}

interface Vendor {
  vendor: Record<string, unknown>
  vendorKey: string
  profiles(name: string): Promise<EntryProfile>
  codecs(name: string): Promise<EntryCodec>
}

async function readDevice(
  tree: FileTree,
  path: string,
  { vendor, vendorKey, profiles, codecs }: Vendor,
): Promise<CatalogueEntry> {
  const device = record((await readToml(tree, path)).device)
  const id =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.toml$/, '') ?? ''
  const metadata = record(device.metadata)
  const versions: EntryVersion[] = []
  const found: Record<string, EntryCodec> = Object.create(null)
  for (const firmware of listOf(device.firmware).map(record)) {
    const codec = fileName(firmware.codec)
    if (codec) found[codec] ??= await codecs(codec)
    const names = listOf(firmware.profiles).flatMap((name) => fileName(name) ?? [])
    versions.push({
      firmware: textOf(firmware.version),
      hardware: distinct(listOf(firmware.hardware_versions)),
      profiles: await Promise.all(names.map(profiles)),
      codec: codec ?? null,
    })
  }
  return {
    key: keyOfModel(vendorKey, id),
    vendor: textOf(vendor.name) ?? vendorKey,
    model: textOf(device.name) ?? id,
    partNumbers: distinct([device.part_number]),
    description: descriptionOf(device.description),
    picture: linkOf(metadata.picture_url) ?? linkOf(metadata.image_url),
    dataSheet: linkOf(metadata.documentation_url),
    productPage: linkOf(metadata.product_url),
    versions,
    codecs: found,
  }
}

async function readProfile(tree: FileTree, path: string, vendorId: unknown): Promise<EntryProfile> {
  const profile = record((await readToml(tree, path)).profile)
  const region = textOf(profile.region)
  const macVersion = textOf(profile.mac_version)
  if (!region || !macVersion) throw new Error(`${path} has no region or no mac_version.`)
  const groups = ['abp', 'class_b', 'class_c']
  const details = groups.flatMap((group) =>
    Object.entries(record(profile[group])).flatMap(([name, value]) =>
      typeof value === 'number' ? [[`${group}.${name}`, value] as const] : [],
    ),
  )
  return {
    region: toRegion(region),
    macVersion,
    regionalParameters: textOf(profile.reg_params_revision),
    activation: profile.supports_otaa === false ? 'abp' : 'otaa',
    deviceClass: profile.supports_class_c === true ? 'C' : 'A',
    supportsClassB: profile.supports_class_b === true,
    maxEirp: typeof profile.max_eirp === 'number' ? profile.max_eirp : null,
    profileId: toProfileId(vendorId, profile.vendor_profile_id),
    details: Object.fromEntries(details),
  }
}

async function readCodec(tree: FileTree, folder: string, name: string): Promise<EntryCodec> {
  const source = await needed(tree, folder + name)
  const id = name.replace(/\.js$/, '')
  const kinds = [
    ['decode', 'decodeUplink'],
    ['encode', 'encodeDownlink'],
  ] as const
  const examples = kinds.map(async ([kind, codecFunction]) => {
    const path = `${folder}test_${kind}_${id}.json`
    const text = await tree.read(path)
    return text === undefined
      ? []
      : readExamples(
          explain(path, () => readTests(text)),
          codecFunction,
        )
  })
  return { source, examples: (await Promise.all(examples)).flat() }
}

async function readToml(tree: FileTree, path: string): Promise<Record<string, unknown>> {
  const text = await needed(tree, path)
  return explain(path, () => parse(text))
}

export async function needed(tree: FileTree, path: string): Promise<string> {
  const text = await tree.read(path)
  if (text === undefined) throw new Error(`${path} is missing, or is too large.`)
  return text
}

/** @throws Error that names the file and the place in it. */
export function explain<Read>(path: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    const [words] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Error(`${path} cannot be read: ${words?.replace(/[.:]$/, '')}.`)
  }
}

/** The name of a file in a folder of the vendor: no path leads out of it. */
function fileName(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w .()+-]{1,120}$/.test(value) ? value : undefined
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reads each thing once, though many devices name it. */
export function keep<Thing>(read: (name: string) => Promise<Thing>) {
  const known = new Map<string, Promise<Thing>>()
  return (name: string): Promise<Thing> => {
    const thing = known.get(name) ?? read(name)
    known.set(name, thing)
    return thing
  }
}
