import type { Sealer } from '../../db/seal.ts'
import {
  type Arrival,
  eventPause,
  makeTicket,
  selfTestPath,
  ticketHeader,
} from '../../http/self-test.ts'
import { isLocal } from '../../networks/outside.ts'
import { type CallAnswer, callOnce, outsideOf } from './call.ts'
import { checkCertificate } from './check-certificate.ts'
import {
  type DoctorSettings,
  type Finding,
  ok,
  problem,
  reasonOf,
  skipped,
  warning,
} from './finding.ts'

/** From the block for documentation (RFC 5737): no client has it. */
const inventedClient = '192.0.2.77'
/** Apart by less, the two events came together. */
const buffered = eventPause / 2
const drifts = { small: 5000, large: 30_000 }

/** Calls the service at PUBLIC_URL, as a network would, and sees what is in between. */
export async function checkAddress(
  settings: DoctorSettings,
  sealer: Sealer | undefined,
  isRunning: boolean,
): Promise<Finding[]> {
  const outside = outsideOf(settings.outbound)
  const certificate = await checkCertificate(settings.publicUrl, outside)
  const all = [checkKind(settings), certificate]
  if (!isRunning) return [...all, skipped('address.reach', 'The service does not run.')]
  if (!sealer) return [...all, skipped('address.reach', 'It takes the key of the service.')]
  return [...all, ...(await callItself(settings, sealer))]
}

function checkKind({ publicUrl, host }: DoctorSettings): Finding {
  const check = 'address.kind'
  const url = new URL(publicUrl)
  if (url.protocol === 'https:') return ok(check, `PUBLIC_URL is ${publicUrl}.`)
  if (isLocal(url)) {
    const isOpen = host === '0.0.0.0' || host === '::'
    const reach = isOpen ? 'networks in the same local network' : 'networks on this machine'
    return ok(check, `PUBLIC_URL is ${publicUrl}: only ${reach} reach the service.`)
  }
  return warning(
    check,
    `PUBLIC_URL is ${publicUrl}, a public address without TLS: passwords and readings can be read on the way.`,
    'Put a reverse proxy with a certificate in front, and let PUBLIC_URL begin with https://.',
  )
}

async function callItself(settings: DoctorSettings, sealer: Sealer): Promise<Finding[]> {
  const { publicUrl, outbound } = settings
  const url = `${publicUrl}/v1${selfTestPath}`
  const headers = {
    [ticketHeader]: makeTicket(sealer, new Date()),
    'x-forwarded-for': inventedClient,
    accept: 'text/event-stream',
  }
  let answer: CallAnswer
  try {
    answer = await callOnce(url, outsideOf(outbound), { method: 'GET', headers })
  } catch (error) {
    return [
      problem(
        'address.reach',
        `The service is not reached at ${publicUrl}: ${reasonOf(error)}.`,
        'See that the name leads to this machine or its proxy, that ports are open, and that the proxy passes on to HOST and PORT.',
      ),
    ]
  }
  const arrival = readArrival(answer)
  if (!arrival) return [tellStranger(answer, publicUrl)]
  return [
    ok('address.reach', `The service answers at ${publicUrl}, version ${arrival.version}.`),
    checkForwarding(settings, arrival),
    checkBuffering(answer),
    checkDate(answer, publicUrl),
  ]
}

function readArrival({ status, text }: CallAnswer): Arrival | undefined {
  if (status !== 200) return undefined
  try {
    return JSON.parse(/^data: (\{.*"client".*\})$/m.exec(text)?.[1] ?? 'none')
  } catch {
    return undefined
  }
}

/** Something answers, and does not know this installation's key. */
function tellStranger({ status, headers }: CallAnswer, publicUrl: string): Finding {
  const check = 'address.reach'
  if (status >= 300 && status < 400) {
    const to = String(headers.location ?? '').slice(0, 200)
    return problem(
      check,
      `${publicUrl} redirects to ${to}, which networks do not follow.`,
      'Let PUBLIC_URL be the address that answers by itself, with https:// and the right name.',
    )
  }
  if (status === 502 || status === 503 || status === 504) {
    return problem(
      check,
      `A proxy answers ${status} at ${publicUrl}: it does not reach the service.`,
      'Let the proxy pass on to HOST and PORT of the service.',
    )
  }
  return problem(
    check,
    `What answers at ${publicUrl} (${status}) is not this service, or has another key or an older version.`,
    'See where the name leads, that the proxy passes on /v1/callbacks/, and that doctor has the settings of the service.',
  )
}

/** Whose address counts in limits and logs. */
function checkForwarding(settings: DoctorSettings, arrival: Arrival): Finding {
  const check = 'address.proxy'
  const { client, peer, forwarded_for } = arrival
  if (isDirect(settings)) {
    if (client !== inventedClient) return ok(check, 'No proxy is in between.')
    return warning(
      check,
      `No proxy is in between, and TRUSTED_PROXIES trusts ${peer}: its programs can claim any address.`,
      'Leave TRUSTED_PROXIES empty, or let PUBLIC_URL be the address of the proxy.',
    )
  }
  if (client === inventedClient) {
    return problem(
      check,
      'The proxy passes on X-Forwarded-For of the client: everybody can claim any address.',
      'Let the proxy set it itself (nginx: proxy_set_header X-Forwarded-For $remote_addr;).',
    )
  }
  if (forwarded_for === null) {
    return warning(
      check,
      'The proxy tells no client address: all clients count as one in the limits on logins.',
      'Let the proxy set X-Forwarded-For, and name the proxy in TRUSTED_PROXIES.',
    )
  }
  if (client === plainAddress(peer)) {
    return problem(
      check,
      `TRUSTED_PROXIES does not name the proxy (${client}): all clients count as one in the limits on logins.`,
      `Set TRUSTED_PROXIES=${[...settings.trustedProxies, client].join(',')} if this is your proxy.`,
    )
  }
  return ok(check, `The proxy ${plainAddress(peer)} is trusted; this call came from ${client}.`)
}

/** Whether PUBLIC_URL is the service's own port. */
function isDirect({ publicUrl, port }: DoctorSettings): boolean {
  const url = new URL(publicUrl)
  return url.protocol === 'http:' && Number(url.port || 80) === port
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:/i, '')
}

function checkBuffering({ pieces }: CallAnswer): Finding {
  const check = 'address.stream'
  const last = pieces.findLast(({ text }) => text.includes('"end"'))
  if (last && last.after >= buffered) {
    return ok(check, 'Live events pass through at once.')
  }
  return warning(
    check,
    'The proxy keeps answers until they end: the console does not see live events.',
    'Turn buffering off for this service (nginx: proxy_buffering off; and no gzip of text/event-stream).',
  )
}

/** The clock of the proxy, which is another machine's as a rule. */
function checkDate(answer: CallAnswer, publicUrl: string): Finding {
  return judgeDate('clock.address', answer, new URL(publicUrl).host)
}

/** Compares the Date header with this machine's clock. It has whole seconds. */
export function judgeDate(check: string, { headers, at, took }: CallAnswer, host: string): Finding {
  const sent = Date.parse(String(headers.date ?? ''))
  if (Number.isNaN(sent)) return skipped(check, `${host} sends no Date.`)
  const drift = at - took / 2 - (sent + 500)
  const seconds = Math.round(Math.abs(drift) / 1000)
  if (Math.abs(drift) < drifts.small) return ok(check, `The clock agrees with that of ${host}.`)
  const says = `The clock of this machine is ${seconds} s ${drift > 0 ? 'ahead of' : 'behind'} ${host}.`
  const advice = 'Let this machine take the time from NTP, as by chrony or systemd-timesyncd.'
  return Math.abs(drift) < drifts.large
    ? warning(check, says, advice)
    : problem(check, says, advice)
}
