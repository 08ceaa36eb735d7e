import { type CommandContext, type Result, WrongUse } from '../command.ts'
import { openServiceApi, type ServiceApi, serviceOptions, tokenOf } from '../service-api.ts'
import { readTypeChoice } from './choose-types.ts'
import { readAccountName } from './known-accounts.ts'
import { type Way, ways } from './plan.ts'
import { createProgress } from './progress.ts'
import {
  describeRows,
  describeTotals,
  sumUp,
  toReported,
  toReportedGateway,
  writeReport,
} from './report.ts'
import type { Source } from './source.ts'
import type { DevicePlace } from './source-device.ts'
import { takeOver } from './take-over.ts'

/** Options of every `import`. */
export const importOptions = {
  ...serviceOptions,
  as: { type: 'string' },
  network: { type: 'string' },
  account: { type: 'string' },
  vendor: { type: 'boolean' },
  region: { type: 'string' },
  'frequency-plan': { type: 'string' },
  zone: { type: 'string' },
  type: { type: 'string', multiple: true, default: [] as string[] },
  types: { type: 'string' },
  'make-types': { type: 'boolean' },
  below: { type: 'string' },
  'dry-run': { type: 'boolean' },
  report: { type: 'string' },
} as const

export const importHelp = `  --dry-run          says what would become of each device and gateway, and changes nothing
  --as WAY           adopt: the devices stay at their network, which the organization's account
                     names too; no call is made about them. register: the service creates them at
                     --network. record: the service keeps them, and tells no network
  --type TYPE        the device type of all devices, by its id or name; --type PROFILE=TYPE that of
                     a profile; may be repeated
  --types FILE       the same from a JSON file: {"PROFILE": TYPE}
  --make-types       makes a device type of your own for each other profile that has a codec
  --below GROUP      puts the groups of the source below this one, as "Building A / Floor 2"
  --network KEY      where devices are registered; for networks that need it, --region REGION and
                     --frequency-plan PLAN; --vendor for the operator's account
  --zone ZONE        of gateways at The Things Stack, as eu1; that of the account if left out
  --account NAME     a further account of the organization at the network, such as that of a second
                     server: where the devices stay, or are registered
  --report FILE      writes the result of each device and gateway as CSV
  --url URL          the service (http://127.0.0.1:8080)
  --organization ID  where the devices go, with the token of a member (1)

API_TOKEN is an API key of the organization, or the token of a member, with manage_devices and
manage_groups, manage_gateways for gateways, and manage_account to adopt or connect. A run that was
stopped is repeated: it does only what is missing. The exit code is 1 if a row failed.`

export interface ImportValues {
  url: string
  organization?: string | undefined
  as?: string | undefined
  network?: string | undefined
  account?: string | undefined
  vendor?: boolean | undefined
  region?: string | undefined
  'frequency-plan'?: string | undefined
  zone?: string | undefined
  type: string[]
  types?: string | undefined
  'make-types'?: boolean | undefined
  below?: string | undefined
  'dry-run'?: boolean | undefined
  report?: string | undefined
}

/** How a kind of source comes in unless the options say otherwise. */
export interface Usual {
  way: Way
  network: string | undefined
}

export function openService({ secret, signal }: CommandContext, values: ImportValues): ServiceApi {
  const { url, organization } = values
  return openServiceApi({ url, organization, token: tokenOf(secret), signal })
}

/**
 * Fails at once where the service is away or refuses the token: to read a source may take minutes.
 */
export async function reachService(service: ServiceApi): Promise<void> {
  await service.call('GET', '/user/get-org-user/me')
}

interface Incoming {
  source: Source
  usual: Usual
  /** False in a dry run that would connect the account first: it cannot be asked what it lists. */
  isConnected?: boolean
}

/** Brings a source in as the options say, and tells the result. */
export async function bringIn(
  context: CommandContext,
  service: ServiceApi,
  values: ImportValues,
  { source, usual, isConnected = true }: Incoming,
): Promise<Result> {
  const { say, signal } = context
  const below = readPath(values.below)
  const devices = source.devices.map((device) => ({
    ...device,
    group: device.group.length > 0 || below.length > 0 ? [...below, ...device.group] : [],
  }))
  const isDryRun = values['dry-run'] ?? false
  const rows = await takeOver(
    service,
    { ...source, devices },
    {
      isConnected,
      isDryRun,
      signal,
      progress: createProgress(say),
      makesTypes: values['make-types'] ?? false,
      way: readWay(values.as) ?? usual.way,
      place: readPlace(values, usual),
      fields: readGatewayFields(values),
      choice: readTypeChoice(values.type, values.types),
    },
  )
  const reported = [...rows.devices.map(toReported), ...rows.gateways.map(toReportedGateway)]
  if (values.report !== undefined) await writeReport(values.report, reported)
  for (const line of describeRows(reported)) say(line)
  const totals = { devices: sumUp(rows.devices), gateways: sumUp(rows.gateways) }
  if (totals.devices.rows > 0 || totals.gateways.rows === 0) {
    say(describeTotals('device', totals.devices))
  }
  if (totals.gateways.rows > 0) say(describeTotals('gateway', totals.gateways))
  if (isDryRun) say('This was a dry run: nothing was changed.')
  return {
    source: source.name,
    dry_run: isDryRun,
    failed: totals.devices.failed + totals.gateways.failed,
    totals: totals.devices,
    gateway_totals: totals.gateways,
    gateways_left_out: source.gatewaysLeftOut ?? null,
    rows: reported,
  }
}

/** Members of POST /gateways that options say for all gateways. */
function readGatewayFields({ region, zone, ...values }: ImportValues) {
  const frequencyPlan = values['frequency-plan']
  return {
    ...(region !== undefined && { region }),
    ...(frequencyPlan !== undefined && { frequency_plan: frequencyPlan }),
    ...(zone !== undefined && { zone_id: zone }),
  }
}

function readWay(word: string | undefined): Way | undefined {
  const way = ways.find((each) => each === word)
  if (word === undefined || way) return way
  throw new WrongUse(`--as must be one of: ${ways.join(', ')}.`)
}

/**
 * The account of the source itself, as `--account` names it. If devices are registered again, they
 * go to that account.
 */
export function readSourceAccount({ as, account, vendor }: ImportValues) {
  return (readWay(as) ?? 'adopt') === 'adopt' ? readAccountName(account, vendor) : {}
}

function readPlace(values: ImportValues, usual: Usual): DevicePlace {
  const network = values.network ?? usual.network
  return {
    ...(network !== undefined && { network }),
    ...(values.vendor && { registerMethod: 'vendor' }),
    ...readAccountName(values.account, values.vendor),
    ...(values.region !== undefined && { appRegion: values.region }),
    ...(values['frequency-plan'] !== undefined && { frequencyPlan: values['frequency-plan'] }),
  }
}

/** `Building A / Floor 2`, as in jobs. */
export function readPath(path: string | undefined): string[] {
  return (path ?? '')
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** @throws Error that says where the key comes from. */
export function sourceKeyOf({ secret }: CommandContext, network: string): string {
  const key = secret('SOURCE_API_KEY')
  if (key && /^[\x21-\x7e]+$/.test(key)) return key
  if (key) throw new Error('SOURCE_API_KEY has characters that no API key has.')
  throw new Error(
    `SOURCE_API_KEY is not set: it is an API key of ${network}. SOURCE_API_KEY_FILE may name a file with it.`,
  )
}
