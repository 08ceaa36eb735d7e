import { command, type Result, WrongUse } from './command.ts'

/** As long as the service compares, and acts on what it finds. */
const patience = 300_000

interface Report {
  totals: Record<string, Record<string, number>>
  rows: { kind: string; eui: string; difference: string; result?: { status: boolean } }[]
  more: boolean
}

export const reconcile = command({
  name: 'reconcile',
  parameters: ['NETWORK'],
  summary: 'compares an account with its network, and adopts devices that only the network knows',
  help: `Asks the service, which runs. API_TOKEN is the token of a member with manage_account, and with
manage_devices to adopt. Without --adopt-as it changes nothing.

  --url URL          the service (http://127.0.0.1:8080)
  --organization ID  whose account (1)
  --vendor           the operator's account instead of the organization's own
  --adopt-as TYPE    registers every device that only the network knows, as this device type (its id)`,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    organization: { type: 'string', default: '1' },
    vendor: { type: 'boolean' },
    'adopt-as': { type: 'string' },
  },
  async run({ apiToken, say, signal }, [network = ''], values) {
    const headers = {
      authorization: `Bearer ${tokenOf(apiToken)}`,
      organization: values.organization,
    }
    const adoptAs = readType(values['adopt-as'])
    const body = {
      ...(values.vendor ? { register_method: 'vendor' } : {}),
      ...(adoptAs === undefined ? {} : { adopt_all: { device_type: adoptAs } }),
    }
    const url = `${values.url}/v1/network-accounts/${encodeURIComponent(network)}/reconcile`
    const report = await post(url, { headers, body, signal })
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

function tokenOf(apiToken: string | undefined): string {
  if (apiToken) return apiToken
  throw new Error(
    'API_TOKEN is not set: it is the token of a member, from POST /v1/auth/login of the service.',
  )
}

interface Request {
  headers: Record<string, string>
  body: object
  signal: AbortSignal
}

/** @throws Error for a person to read, with the service's own message. */
async function post(url: string, { headers, body, signal }: Request): Promise<Report> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new Error(`The service does not answer at ${url}: ${reasonOf(error)}.`)
  })
  const answer = (await response.json().catch(() => ({}))) as Result
  if (response.ok) return answer.data as Report
  throw new Error(`The service answered ${response.status}: ${answer.message ?? 'without words'}`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
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
