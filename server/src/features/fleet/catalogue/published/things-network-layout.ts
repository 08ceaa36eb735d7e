import { joinCodecFiles } from '../../../../lora/codec-files.ts'
import { record } from '../../../../lora/published-device.ts'
import type { CodecFunction } from '../../../../sensors/codecs/codec.ts'
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
import { explain, keep, listOf, needed } from './chirpstack-layout.ts'
import { readExamples, readYaml } from './published-examples.ts'

/*
 * The layout of github.com/TheThingsNetwork/lorawan-devices, whose README describes it:
 *
 *   vendor/index.yaml              vendors: id, name, vendorID
 *   vendor/<vendor>/index.yaml     endDevices, and profileIDs of QR codes
 *   vendor/<vendor>/<device>.yaml  name, hardwareVersions, firmwareVersions with a profile and a codec by region
 *   vendor/<vendor>/<profile>.yaml macVersion, supportsJoin, supportsClassC, ...
 *   vendor/<vendor>/<codec>.yaml   uplinkDecoder, downlinkEncoder, downlinkDecoder: fileName and examples
 */

/** The list of all vendors, read once for all their folders. */
const vendorLists = new WeakMap<FileTree, (path: string) => Promise<Record<string, unknown>[]>>()

/** The folders that may be of vendors, each with a slash at its end. */
export function listVendorFolders({ paths }: FileTree): string[] {
  return paths.flatMap((path) => /^((?:.*\/)?)index\.yaml$/.exec(path)?.[1] ?? [])
}

interface Vendor {
  tree: FileTree
  folder: string
  vendorKey: string
  name: string
  vendorId: unknown
  profileIds: Record<string, unknown>[]
  profiles(path: string): Promise<Record<string, unknown>>
  codecs(name: string): Promise<EntryCodec>
}

/** The devices of a vendor, each read when it is asked for; none in the folder of all vendors. */
export async function listDevices(tree: FileTree, folder: string) {
  const index = await readDocument(tree, `${folder}index.yaml`)
  const ids = distinct(listOf(index.endDevices)).filter((id) => /^[\w.-]{1,80}$/.test(id))
  if (ids.length === 0) return []
  const vendorKey = folder.split('/').at(-2) ?? 'vendor'
  const above = folder.replace(/[^/]*\/$/, '')
  const read = vendorLists.get(tree) ?? keep((path) => readVendors(tree, path))
  vendorLists.set(tree, read)
  const all = await read(`${above}index.yaml`)
  const known = all.find(({ id }) => id === vendorKey) ?? {}
  const profileIds = Object.entries(record(index.profileIDs))
  const vendor: Vendor = {
    tree,
    folder,
    vendorKey,
    name: textOf(known.name) ?? vendorKey,
    vendorId: known.vendorID,
    profileIds: profileIds.map(([id, names]) => ({ ...record(names), profileId: Number(id) })),
    profiles: keep((path) => readDocument(tree, path)),
    codecs: keep((name) => readCodec(tree, folder, name)),
  }
  return ids.map((id) => ({ path: `${folder}${id}.yaml`, read: () => readDevice(vendor, id) }))
}

async function readVendors(tree: FileTree, path: string): Promise<Record<string, unknown>[]> {
  const text = await tree.read(path)
  if (text === undefined) return []
  const { vendors } = record(explain(path, () => readYaml(text)))
  return listOf(vendors).map(record)
}

async function readDevice(vendor: Vendor, id: string): Promise<CatalogueEntry> {
  const device = await readDocument(vendor.tree, `${vendor.folder}${id}.yaml`)
  const hardware = listOf(device.hardwareVersions).map(record)
  const versions: EntryVersion[] = []
  const codecs: Record<string, EntryCodec> = Object.create(null)
  for (const firmware of listOf(device.firmwareVersions).map(record)) {
    const profiles = Object.entries(record(firmware.profiles)).map(
      ([region, named]) => [region, record(named)] as const,
    )
    // The codec stands with the region: regions that share one are one version here.
    for (const [codec, regions] of Map.groupBy(profiles, ([, named]) => nameOf(named.codec))) {
      if (codec) codecs[codec] ??= await vendor.codecs(codec)
      versions.push({
        firmware: textOf(firmware.version),
        hardware: distinct(listOf(firmware.hardwareVersions)),
        profiles: await Promise.all(
          regions.map(([region, named]) => readProfile(vendor, { id, firmware, region, named })),
        ),
        codec: codec ?? null,
      })
    }
  }
  return {
    key: keyOfModel(vendor.vendorKey, id),
    vendor: vendor.name,
    model: textOf(device.name) ?? id,
    partNumbers: distinct(hardware.map(({ partNumber }) => partNumber)),
    description: descriptionOf(device.description),
    picture: linkOf(record(device.photos).main),
    dataSheet: linkOf(device.dataSheetURL),
    productPage: linkOf(device.productURL),
    versions,
    codecs,
  }
}

interface Named {
  id: string
  firmware: Record<string, unknown>
  region: string
  named: Record<string, unknown>
}

async function readProfile(vendor: Vendor, place: Named): Promise<EntryProfile> {
  const { region, named } = place
  const name = nameOf(named.id)
  if (!name) throw new Error(`${vendor.folder}${place.id}.yaml names no profile for ${region}.`)
  const other = nameOf(named.vendorID)
  const folder = other ? `${vendor.folder.replace(/[^/]*\/$/, '')}${other}/` : vendor.folder
  const path = `${folder}${name}.yaml`
  const profile = await vendor.profiles(path)
  const macVersion = textOf(profile.macVersion)
  if (!macVersion) throw new Error(`${path} has no macVersion.`)
  return {
    region: toRegion(region),
    macVersion,
    regionalParameters: textOf(profile.regionalParametersVersion),
    activation: profile.supportsJoin === false ? 'abp' : 'otaa',
    deviceClass: profile.supportsClassC === true ? 'C' : 'A',
    supportsClassB: profile.supportsClassB === true,
    maxEirp: typeof profile.maxEIRP === 'number' ? profile.maxEIRP : null,
    profileId: toProfileId(
      vendor.vendorId,
      profileNumber(vendor, place) ?? profile.vendorProfileID,
    ),
    details: detailsOf(profile),
  }
}

/** The number under which a QR code names the profile. */
function profileNumber({ profileIds }: Vendor, { id, firmware, region, named }: Named): unknown {
  const found = profileIds.find((one) =>
    one.endDeviceID === undefined
      ? one.id === named.id && (one.codec === undefined || one.codec === named.codec)
      : one.endDeviceID === id &&
        (one.region === undefined || one.region === region) &&
        (one.firmwareVersion === undefined || one.firmwareVersion === firmware.version),
  )
  return found?.profileId
}

/** By ChirpStack's names, in its units: frequencies in Hz. */
const detailNames: [of: string, to: string, factor: number][] = [
  ['rx1Delay', 'abp.rx1_delay', 1],
  ['rx1DataRateOffset', 'abp.rx1_dr_offset', 1],
  ['rx2DataRateIndex', 'abp.rx2_dr', 1],
  ['rx2Frequency', 'abp.rx2_freq', 1_000_000],
  ['classBTimeout', 'class_b.timeout_secs', 1],
  ['pingSlotDataRateIndex', 'class_b.ping_slot_dr', 1],
  ['pingSlotFrequency', 'class_b.ping_slot_freq', 1_000_000],
  ['classCTimeout', 'class_c.timeout_secs', 1],
]

function detailsOf(profile: Record<string, unknown>): Record<string, number> {
  const found = detailNames.flatMap(([of, to, factor]) => {
    const value = profile[of]
    return typeof value === 'number' ? [[to, Math.round(value * factor)] as const] : []
  })
  return Object.fromEntries(found)
}

const sections: readonly (readonly [string, CodecFunction])[] = [
  ['uplinkDecoder', 'decodeUplink'],
  ['downlinkEncoder', 'encodeDownlink'],
  ['downlinkDecoder', 'decodeDownlink'],
]

async function readCodec(tree: FileTree, folder: string, name: string): Promise<EntryCodec> {
  const path = `${folder}${name}.yaml`
  const document = await readDocument(tree, path)
  const found = sections.flatMap(([section, codecFunction]) => {
    const { fileName, examples } = record(document[section])
    return typeof fileName === 'string' ? [{ fileName, examples, codecFunction }] : []
  })
  const files = [...new Set(found.map(({ fileName }) => fileName))]
  if (files.length === 0) throw new Error(`${path} names no file with a codec.`)
  const sources = await Promise.all(
    files.map(async (file) => {
      // A file names only files next to it and below.
      if (!/^[\w-][\w. -]*(\/[\w-][\w. -]*)*$/.test(file)) {
        throw new Error(`${path} names ${file.slice(0, 120)}, which is outside of its folder.`)
      }
      return {
        text: await needed(tree, folder + file),
        functions: found.flatMap((each) => (each.fileName === file ? each.codecFunction : [])),
      }
    }),
  )
  return {
    source: joinCodecFiles(sources),
    examples: found.flatMap(({ examples, codecFunction }) => readExamples(examples, codecFunction)),
  }
}

async function readDocument(tree: FileTree, path: string): Promise<Record<string, unknown>> {
  const text = await needed(tree, path)
  return record(explain(path, () => readYaml(text)))
}

/** The name of a file without its ending: no path leads out of the folder. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-][\w.-]{0,119}$/.test(value) ? value : undefined
}
