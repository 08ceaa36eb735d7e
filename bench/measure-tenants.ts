import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, AttackRequest, AttackResult } from './attacker.ts'
import type { Bench } from './bench.ts'
import { type Figure, format, type Proof } from './figures.ts'
import { type Helper, startProcess } from './process.ts'
import {
  makeTenant,
  prepareTenantAttacks,
  type Tenant,
  type TenantAttack,
} from './tenant-attacks.ts'

/** Seconds for which an attack runs before the neighbour is measured, and of rest after it. */
const lead = 2
const rest = 2
/** Milliseconds after which a request of the neighbour counts as refused. */
const patience = 10_000

/** The longest answer of each kind of request, in milliseconds, and how many were refused. */
interface Seen {
  longest: Map<string, number>
  refused: number
  sent: number
}

/**
 * What a tenant gets while another tenant of the same operator attacks: uplinks that its own codec
 * decodes, large batches, exports and streams of events, one after the other, against no attack.
 */
export async function measureTenants(
  bench: Bench,
): Promise<{ figures: Figure[]; proofs: Proof[] }> {
  await using helpers = new AsyncDisposableStack()
  const attacker = startProcess(new URL('./attacker.ts', import.meta.url))
  helpers.defer(() => attacker.stop())
  const tenant = await makeTenant(bench, '00aa00be')
  const figures: Figure[] = []
  for (const attack of await prepareTenantAttacks(bench)) {
    figures.push(await measureAttack(bench, attack, attacker, tenant))
  }
  return { figures, proofs: [await proveDecoded(bench, tenant)] }
}

async function measureAttack(
  bench: Bench,
  { name, ...named }: TenantAttack,
  attacker: Helper,
  tenant: Tenant,
): Promise<Figure> {
  const { service, settings, progress } = bench
  const attack: Attack = { ...named, target: service.target, seconds: settings.seconds + lead }
  await probe(bench, tenant, 1)
  const alone = await probe(bench, tenant, settings.seconds)
  const attacking = attacker.ask<AttackResult>({ attack })
  await sleep(lead * 1000)
  const attacked = await probe(bench, tenant, settings.seconds)
  const answers = await attacking
  await sleep(rest * 1000)
  progress(`${name}: ${describe(attacked)}; alone ${describe(alone)}; ${JSON.stringify(answers)}`)
  return {
    name: `tenants: ${name}`,
    ours: describe(attacked),
    baseline: `${describe(alone)} alone`,
    ratios: [attacked.refused / attacked.sent],
    target: { word: 'at most', value: 0 },
    notes: `the share refused; the attacker was answered ${JSON.stringify(answers)}`,
  }
}

function describe({ longest, refused, sent }: Seen): string {
  const each = [...longest].map(([kind, milliseconds]) => `${kind} ${format(milliseconds)} ms`)
  return `${each.join(', ')} at most; ${refused} of ${sent} refused`
}

/** Sends the requests of the tenant in turn, for so many seconds. */
async function probe(bench: Bench, tenant: Tenant, seconds: number): Promise<Seen> {
  const seen: Seen = { longest: new Map(), refused: 0, sent: 0 }
  const json = { 'content-type': 'application/json', ...tenant.headers }
  const batch = JSON.stringify({ devices: [], padding: 'x'.repeat(100_000) })
  const end = performance.now() + seconds * 1000
  for (let turn = 0; performance.now() < end; turn += 1) {
    const requests: Record<string, AttackRequest> = {
      uplink: tenant.uplinkOf(turn % 50),
      batch: { method: 'POST', path: '/v1/batch-device-requests', headers: json, body: batch },
      export: { method: 'POST', path: '/v1/devices/all/uplink', headers: tenant.headers },
      stream: { method: 'GET', path: '/v1/events', headers: tenant.headers },
    }
    for (const [kind, request] of Object.entries(requests)) await ask(bench, seen, kind, request)
  }
  return seen
}

async function ask(
  { service: { target } }: Bench,
  seen: Seen,
  kind: string,
  { method, path, headers, body }: AttackRequest,
): Promise<void> {
  const before = performance.now()
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(patience)])
  const url = `http://${target.host}:${target.port}${path}`
  const sent = { method, headers, signal, ...(body === undefined ? {} : { body }) }
  const status = await fetch(url, sent)
    .then(async (answer) => {
      if (kind !== 'stream') await answer.arrayBuffer()
      return answer.status
    })
    .catch(() => 0)
  over.abort()
  seen.sent += 1
  // A batch without devices is a 422, after its body was read.
  if (status !== 200 && !(kind === 'batch' && status === 422)) seen.refused += 1
  const took = performance.now() - before
  seen.longest.set(kind, Math.max(took, seen.longest.get(kind) ?? 0))
}

async function proveDecoded({ db }: Bench, { organizationId }: Tenant): Promise<Proof> {
  const [found] = await db.query<{ stored: number; unknown: number }>(
    `select count(*) as stored, count(*) filter (where event_type = 'UNKNOWN') as unknown
     from uplinks where organization_id = $1`,
    [organizationId],
  )
  const { stored = 0, unknown = 0 } = found ?? {}
  return {
    claim:
      'The frames of a tenant are decoded by its own codec, whatever codecs another tenant has.',
    isTrue: stored > 0 && unknown === 0,
    details: `${stored} frames stored, ${unknown} of them UNKNOWN`,
  }
}
