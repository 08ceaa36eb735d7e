import { readFile } from 'node:fs/promises'
import { type CommandContext, command, WrongUse } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import {
  bringIn,
  importHelp,
  importOptions,
  openService,
  readAccount,
  sourceKeyOf,
} from './import-options.ts'
import type { Source } from './source-device.ts'
import { readDeviceStream, toSourceDevice } from './thethingsstack-file.ts'
import { readTheThingsStack } from './thethingsstack-source.ts'

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
${importHelp}`,
  options: {
    ...importOptions,
    file: { type: 'string' },
    server: { type: 'string' },
    identity: { type: 'string' },
    application: { type: 'string', multiple: true, default: [] as string[] },
  },
  async run(context, _parameters, values) {
    const service = openService(context, values)
    const { file } = values
    const source =
      file === undefined ? await readStack(context, service, values) : await readExport(file)
    const way = file === undefined ? 'adopt' : 'register'
    return bringIn(context, service, values, {
      source,
      usual: { way, network: 'thethingsnetwork' },
    })
  },
})

interface Place {
  server?: string | undefined
  identity?: string | undefined
  application: string[]
}

async function readStack(context: CommandContext, service: ServiceApi, values: Place) {
  const { server, application } = values
  const isNamed = server !== undefined && application.length > 0
  const account = isNamed ? {} : await readAccount(service, 'thethingsnetwork')
  const cluster = server ?? account.cluster
  const applications = application.length > 0 ? application : [account.application_id ?? '']
  if (!cluster) throw new WrongUse('--server must be a cluster such as eu1, or its address.')
  return readTheThingsStack({
    cluster,
    identityServer: values.identity ?? account.identity_server,
    apiKey: sourceKeyOf(context, 'The Things Stack'),
    applications,
    signal: context.signal,
    tell: context.say,
  })
}

async function readExport(path: string): Promise<Source> {
  const devices = readDeviceStream(await readFile(path, 'utf8'))
  if (devices.length === 0) throw new Error(`${path} has no end devices.`)
  return { name: path, devices: devices.map((each) => toSourceDevice(each)), codecs: new Map() }
}
