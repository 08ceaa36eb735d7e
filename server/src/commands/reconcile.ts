import { command, WrongUse } from './command.ts'
import { openServiceApi, serviceOptions, tokenOf } from './service-api.ts'

interface Report {
  totals: Record<string, Record<string, number>>
  rows: { kind: string; eui: string; difference: string; result?: { status: boolean } }[]
  more: boolean
}

export const reconcile = command({
  name: 'reconcile',
  parameters: ['NETWORK'],
  summary: 'compares an account with its network, and adopts devices that only the network knows',
  help: `Asks the service, which runs. API_TOKEN is an API key, or the token of a member, with
manage_account, and with manage_devices to adopt. Without --adopt-as it changes nothing.

  --url URL          the service (http://127.0.0.1:8080)
  --organization ID  whose account, with the token of a member (1)
  --account NAME     a further account of the organization at the network
  --vendor           the operator's account instead of the organization's own
  --adopt-as TYPE    registers every device that only the network knows, as this device type (its id)`,
  options: {
    ...serviceOptions,
    account: { type: 'string' },
    vendor: { type: 'boolean' },
    'adopt-as': { type: 'string' },
  },
  async run({ secret, say, signal }, [network = ''], values) {
    const { url, organization } = values
    const service = openServiceApi({ url, organization, token: tokenOf(secret), signal })
    const adoptAs = readType(values['adopt-as'])
    const body = {
      ...(values.account ? { account_name: values.account } : {}),
      ...(values.vendor ? { register_method: 'vendor' } : {}),
      ...(adoptAs === undefined ? {} : { adopt_all: { device_type: adoptAs } }),
    }
    const path = `/network-accounts/${encodeURIComponent(network)}/reconcile`
    const { data: report }: { data: Report } = await service.call('POST', path, { body })
    for (const line of describe(report, adoptAs !== undefined)) say(line)
    return { ...report }
  },
})

function readType(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? text : Number(text)
  throw new WrongUse(
    '--adopt-as must be the id of a device type: GET /v1/get-device-types lists them.',
  )
}

function describe({ totals, rows, more }: Report, adopts: boolean): string[] {
  const counts = Object.entries(totals).flatMap(([kind, each]) =>
    Object.entries(each).flatMap(([what, count]) =>
      count > 0 ? [`${kind} ${what}: ${count}`] : [],
    ),
  )
  const lines = rows.map(({ kind, eui, difference, result }) =>
    [kind, eui, difference, ...(adopts ? [result?.status ? 'adopted' : 'not adopted'] : [])].join(
      '\t',
    ),
  )
  const end = counts.length > 0 ? `Differences: ${counts.join(', ')}.` : 'There is no difference.'
  return [...lines, ...(more ? ['There are more.'] : []), end]
}
