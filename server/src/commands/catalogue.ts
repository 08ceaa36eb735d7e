import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { command, countOf, describeFault, WrongUse } from './command.ts'
import { openServiceApi, serviceOptions, tokenOf } from './service-api.ts'

const asks = `Asks the service, which runs. API_TOKEN is an API key, or the token of a member`
const places = `  --url URL          the service (http://127.0.0.1:8080)
  --organization ID  with the token of a member: the organization (1)`

interface Model {
  id: string
  vendor: string
  model: string
  part_number: string
  regions: string[]
  device_type: number | null
}

export const searchCatalogueCommand = command({
  name: 'catalogue search',
  parameters: ['WORDS'],
  summary: 'finds models of devices in the catalogue, by any part of their names',
  help: `${asks}. Several words are one text: "acme probe".
Prints the id of each model, its names, its regions, and the device type if there is one already.

${places}`,
  options: serviceOptions,
  async run({ secret, say, signal }, [words = ''], { url, organization }) {
    const service = openServiceApi({ url, organization, token: tokenOf(secret), signal })
    const path = `/device-catalogue?limit=200&q=${encodeURIComponent(words)}`
    const found: { data: Model[]; total: number } = await service.call('GET', path)
    for (const { id, vendor, model, part_number, regions, device_type } of found.data) {
      const names = [vendor, model, part_number].filter(Boolean).join(' ')
      say([id, names, regions.join(',') || '-', device_type ?? '-'].join('\t'))
    }
    say(`${countOf(found.total, 'model')}.`)
    return { models: found.data, total: found.total }
  },
})

export const takeCatalogueModel = command({
  name: 'catalogue take',
  parameters: ['MODEL'],
  summary: 'makes a device type of a model of the catalogue',
  help: `${asks}, with manage_devices.
MODEL is the id that "catalogue search" prints.

  --firmware VERSION the version of the firmware (the newest)
  --region REGION    such as EU868
  --name NAME        of the type (vendor and model)
${places}`,
  options: {
    ...serviceOptions,
    firmware: { type: 'string' },
    region: { type: 'string' },
    name: { type: 'string' },
  },
  async run({ secret, say, signal }, [model = ''], values) {
    const { url, organization, firmware, region, name } = values
    const service = openServiceApi({ url, organization, token: tokenOf(secret), signal })
    const path = `/device-catalogue/${encodeURIComponent(model)}/types`
    const body = { firmware_version: firmware, region, type_name: name }
    const { data } = await service.call('POST', path, { body })
    const results: { passed: boolean }[] = data.example_results
    const passed = results.filter((result) => result.passed).length
    say(
      `Device type ${data.id}: ${data.full_name}. ${passed} of ${results.length} test cases pass.`,
    )
    return { id: data.id, passed, examples: results.length }
  },
})

export const addCatalogue = command({
  name: 'catalogue add',
  parameters: ['SOURCE'],
  summary: 'adds a catalogue: a zip, or the address of a git repository',
  help: `${asks}, with manage_account. The token of a repository that is not public is read from
CATALOGUE_TOKEN. Mind the licences: lorawan-devices of The Things Network allows to take single devices, and
no substantial part of it.

  --name NAME        of the catalogue (that of the file or the repository)
  --ref REF          a branch, a tag or a commit
  --folder FOLDER    only what is in this folder
${places}`,
  options: {
    ...serviceOptions,
    name: { type: 'string' },
    ref: { type: 'string' },
    folder: { type: 'string' },
  },
  async run({ secret, say, signal }, [source = ''], values) {
    const { url, organization, ref, folder } = values
    const service = openServiceApi({ url, organization, token: tokenOf(secret), signal })
    const isAddress = /^https?:\/\//.test(source)
    const name = values.name ?? basename(source).replace(/\.(zip|git)$/, '')
    const body = isAddress
      ? { name, url: source, ref, folder, token: secret('CATALOGUE_TOKEN') }
      : { name, archive: await readArchive(source), folder }
    const { data } = await service.call('POST', '/device-catalogue/sources', { body })
    say(
      `Catalogue ${data.id}: ${countOf(data.models, 'model')} of ${countOf(data.vendors, 'vendor')}.`,
    )
    for (const problem of data.problems) say(problem)
    return { id: data.id, models: data.models, vendors: data.vendors, problems: data.problems }
  },
})

async function readArchive(path: string): Promise<string> {
  try {
    return (await readFile(path)).toString('base64')
  } catch (error) {
    throw new WrongUse(`${path} cannot be read: ${describeFault(error as NodeJS.ErrnoException)}.`)
  }
}
