import type { JsonObject } from '../../networks/message-fields.ts'
import { toServer } from '../../networks/thethingsnetwork/account.ts'
import { type CommandContext, command, readInput, WrongUse } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import { type Connecting, connectAccount, findMissing } from './connect-source.ts'
import {
  bringIn,
  importHelp,
  importOptions,
  openService,
  reachService,
  readSourceAccount,
  sourceKeyOf,
} from './import-options.ts'
import { readAccount } from './known-accounts.ts'
import type { Source } from './source.ts'
import type { DevicePlace } from './source-device.ts'
import {
  type FoundFormatters,
  noteFormatters,
  readThingStream,
  toSourceDevice,
} from './thethingsstack-file.ts'
import type { StackPlace } from './thethingsstack-source.ts'

/**
 * Connects the organization with one application: the service enters its webhook there. An account
 * that has it already stays as it is.
 * @throws Error with the service's words where the account is not connected then.
 */
async function connectApplication(
  service: ServiceApi,
  { cluster, identityServer, applications, apiKey, tell }: StackPlace,
  { accountName, isDryRun }: Connecting,
): Promise<void> {
  const [id = ''] = applications
  const place = { network: 'thethingsnetwork', ...(accountName !== undefined && { accountName }) }
  const origin = toServer(cluster)?.origin
  const { known, missing } = await findMissing(service, {
    place,
    what: 'application or cluster of The Things Stack',
    isSamePlace: (fields) => toServer(fields.cluster ?? '')?.origin === origin,
    applicationsOf: (fields) => [fields.application_id ?? ''],
    applications: [{ id, name: id }],
    takesMore: false,
  })
  if (known && missing.length === 0) return
  if (isDryRun) return tell(`Would be connected: ${id}.`)
  const fields = {
    cluster,
    ...(identityServer && { identity_server: identityServer }),
    application_id: id,
    api_key: apiKey,
  }
  await connectAccount(service, place, { fields, names: id, tell })
}

export const importTheThingsStack = command({
  name: 'import thethingsstack',
  parameters: [],
  summary: 'takes devices, grouped by application, and gateways over from The Things Stack',
  help: `Reads the devices of applications with their keys, and the gateways of the user or the organization
that the key is of, and changes nothing there. SOURCE_API_KEY is an API key with the rights to read
devices and their keys; that of an application sees no gateways. With --file it reads an export instead, as
ttn-lw-cli, ttn-lw-migrate and the console write it, of devices or gateways; these are registered at
--network.

  --file FILE        JSON of end devices, or of gateways
  --server CLUSTER   as eu1, or https://host; that of the organization's account if left out
  --identity URL     the identity server, where it is another one
  --application ID   an application; may be repeated; that of the account if left out
  --connect          first connects the organization with the application: the service enters its
                     webhook there. With --account it connects a further account, for a second
                     application or cluster
  --no-gateways      leaves out the gateways
${importHelp}`,
  options: {
    ...importOptions,
    file: { type: 'string' },
    server: { type: 'string' },
    identity: { type: 'string' },
    application: { type: 'string', multiple: true, default: [] as string[] },
    connect: { type: 'boolean' },
    'no-gateways': { type: 'boolean' },
  },
  async run(context, _parameters, values) {
    const service = openService(context, values)
    const { file, connect = false } = values
    const withGateways = !values['no-gateways']
    const usual = { network: 'thethingsnetwork' }
    if (file !== undefined) {
      const source = await readExport(file, withGateways)
      return bringIn(context, service, values, { source, usual: { ...usual, way: 'register' } })
    }
    const isDryRun = values['dry-run'] ?? false
    const accountName = readSourceAccount(values)
    const place = {
      ...(await findPlace(context, service, values, { ...usual, ...accountName })),
      withGateways,
    }
    if (connect && place.applications.length > 1) throw new WrongUse(oneByOne)
    await reachService(service)
    // With an HTTP client, which most commands do not need.
    const { readTheThingsStack } = await import('./thethingsstack-source.ts')
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
): Promise<Omit<StackPlace, 'withGateways'>> {
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
    owner: { user_id: account.user_id, organization_id: account.organization_id },
    signal: context.signal,
    tell: context.say,
  }
}

async function readExport(path: string, withGateways: boolean): Promise<Source> {
  const { isGateway, toSourceGateway } = await import('./thethingsstack-gateways.ts')
  const things = readThingStream((await readInput(path)).toString())
  if (things.length === 0) throw new Error(`${path} has no end devices, and no gateways.`)
  const isDevice = (thing: JsonObject) => !isGateway(thing)
  const formatters: FoundFormatters = { codecs: new Map(), lacking: new Map() }
  const devices = things.filter(isDevice).map((each) => {
    const device = toSourceDevice(each)
    noteFormatters(formatters, device, { own: each.formatters })
    return device
  })
  return {
    name: path,
    devices,
    gateways: withGateways ? things.filter(isGateway).map(toSourceGateway) : [],
    ...formatters,
  }
}
