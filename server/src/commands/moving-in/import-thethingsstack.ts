import { readFile } from 'node:fs/promises'
import { type CommandContext, command, WrongUse } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import { connectApplication } from './connect-thethingsstack.ts'
import {
  bringIn,
  importHelp,
  importOptions,
  openService,
  readSourceAccount,
  sourceKeyOf,
} from './import-options.ts'
import { readAccount } from './known-accounts.ts'
import type { DevicePlace, Source } from './source-device.ts'
import { readDeviceStream, toSourceDevice } from './thethingsstack-file.ts'
import { readTheThingsStack, type StackPlace } from './thethingsstack-source.ts'

export const importTheThingsStack = command({
  name: 'import thethingsstack',
  parameters: [],
  summary: 'takes devices over from The Things Stack, grouped by application',
  help: `Reads the devices of applications with their keys, and changes nothing there. SOURCE_API_KEY is an API
key with the rights to read devices and their keys. With --file it reads an export instead, as
ttn-lw-cli, ttn-lw-migrate and the console write it; those devices are registered at --network.

  --file FILE        JSON of end devices
  --server CLUSTER   as eu1, or https://host; that of the organization's account if left out
  --identity URL     the identity server, where it is another one
  --application ID   an application; may be repeated; that of the account if left out
  --connect          first connects the organization with the application: the service enters its
                     webhook there. With --account it connects a further account, for a second
                     application or cluster
${importHelp}`,
  options: {
    ...importOptions,
    file: { type: 'string' },
    server: { type: 'string' },
    identity: { type: 'string' },
    application: { type: 'string', multiple: true, default: [] as string[] },
    connect: { type: 'boolean' },
  },
  async run(context, _parameters, values) {
    const service = openService(context, values)
    const { file, connect = false } = values
    const usual = { network: 'thethingsnetwork' }
    if (file !== undefined) {
      const source = await readExport(file)
      return bringIn(context, service, values, { source, usual: { ...usual, way: 'register' } })
    }
    const isDryRun = values['dry-run'] ?? false
    const accountName = readSourceAccount(values)
    const place = await findPlace(context, service, values, { ...usual, ...accountName })
    if (connect && place.applications.length > 1) throw new WrongUse(oneByOne)
    const source = await readTheThingsStack(place)
    if (connect) await connectApplication(service, place, { ...accountName, isDryRun })
    return bringIn(context, service, values, {
      source,
      usual: { ...usual, way: 'adopt' },
      isConnected: !(connect && isDryRun),
    })
  },
})

const oneByOne =
  'An account at The Things Stack is one application: --connect takes them one by one, each with an --account of its own.'

interface Named {
  server?: string | undefined
  identity?: string | undefined
  application: string[]
}

/** What is typed, or what the account at `of` has. */
async function findPlace(
  context: CommandContext,
  service: ServiceApi,
  { server, identity, application }: Named,
  of: DevicePlace,
): Promise<StackPlace> {
  const isNamed = server !== undefined && application.length > 0
  const account = isNamed ? {} : await readAccount(service, of)
  const cluster = server ?? account.cluster
  const applications = application.length > 0 ? application : [account.application_id ?? '']
  if (!cluster) throw new WrongUse('--server must be a cluster such as eu1, or its address.')
  return {
    cluster,
    identityServer: identity ?? account.identity_server,
    apiKey: sourceKeyOf(context, 'The Things Stack'),
    applications,
    signal: context.signal,
    tell: context.say,
  }
}

async function readExport(path: string): Promise<Source> {
  const devices = readDeviceStream(await readFile(path, 'utf8'))
  if (devices.length === 0) throw new Error(`${path} has no end devices.`)
  return { name: path, devices: devices.map((each) => toSourceDevice(each)), codecs: new Map() }
}
