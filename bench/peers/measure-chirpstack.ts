import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { batchSize, creations } from '../batches.ts'
import type { Bench } from '../bench.ts'
import { type Figure, format, type Proof, type Result } from '../figures.ts'
import { type Fleet, makeFleet, registerDevices } from '../fleet.ts'
import { type Call, timeRequest } from '../time-turns.ts'
import { type ChirpStackApi, openApi } from './chirpstack-api.ts'
import { type ChirpStack, startChirpStack } from './chirpstack-server.ts'
import { measureRadio } from './measure-radio.ts'

const callers = 16
const listed = 10_000
const lists = 300
const why = 'CHIRPSTACK_BIN names no ChirpStack binary'

export type Account = Fleet & { headers: Record<string, string> }

/** What the parts of the measure share. */
export interface Peers {
  bench: Bench
  chirpstack: ChirpStack
  api: ChirpStackApi
  /** ChirpStack's ids. */
  ids: { tenantId: string; applicationId: string; deviceProfileId: string }
  /** Our organization, with an account at this ChirpStack. */
  account: Account
}

/** The service next to a real ChirpStack, on the same PostgreSQL, in the same run. */
export async function measureChirpStack(bench: Bench): Promise<Result> {
  const binary = bench.settings.chirpstack
  if (binary === undefined) {
    bench.progress(`peers: skipped, since ${why} (bench/README.md)`)
    return { figures: [], proofs: [], skipped: [`peers: ${why}`] }
  }
  const { databaseUrl, settings } = bench
  const directory = await mkdtemp(join(settings.scratch, 'lora-fleet-peer-'))
  const chirpstack = await startChirpStack({ binary, directory, databaseUrl })
  const api = openApi(chirpstack.address, chirpstack.key)
  try {
    const ids = await api.makeAccount()
    const account = await makeFleet(bench, '00aa00c5')
    const peers = { bench, chirpstack, api, ids, account }
    await connectAccount(peers)
    const created = await compareCreations(peers)
    const figures = [...created.figures, await compareLists(peers), await compareQueues(peers)]
    const radio = await measureRadio(peers)
    return {
      figures: [...figures, ...radio.figures],
      proofs: [...created.proofs, ...radio.proofs],
    }
  } finally {
    api.close()
    await chirpstack.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function connectAccount({ bench, chirpstack, ids, account }: Peers): Promise<void> {
  const body = {
    server: `http://${chirpstack.address}`,
    api_key: chirpstack.key,
    tenant_id: ids.tenantId,
    application_id: ids.applicationId,
    device_profile_id: ids.deviceProfileId,
  }
  await bench.service.call('PUT', '/v1/network-accounts/chirpstack', body, account.headers)
}

/** 1,000 devices: ChirpStack's two calls for each, and our batch until ChirpStack has them all. */
async function compareCreations(peers: Peers): Promise<{ figures: Figure[]; proofs: Proof[] }> {
  const { bench, api, ids, account } = peers
  const own = await time(euis('00aa00c6', batchSize), (eui) => api.addDevice(ids, eui))
  const before = await api.listDevices(ids.applicationId, 1)
  const begin = performance.now()
  const batch = creations(account, 0, { consoleOnly: false }).replaceAll(
    '"vendor"',
    '"user_account"',
  )
  await bench.service.call('POST', '/v1/batch-device-requests', JSON.parse(batch), account.headers)
  const answered = performance.now() - begin
  const active = () => countActive(peers)
  const end = begin + 60_000
  while ((await active()) < batchSize && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const done = performance.now() - begin
  const after = await api.listDevices(ids.applicationId, 1)
  bench.progress(`1,000 devices: ChirpStack ${format(own)} ms, ours ${format(done)} ms`)
  return {
    figures: [
      figureOf('create 1,000 devices, durable', 'ms', answered, own),
      figureOf('create 1,000 devices, until all are at ChirpStack too', 'ms', done, own),
    ],
    proofs: [
      {
        claim: 'ChirpStack has every device of the batch',
        isTrue: after.total - before.total === batchSize && (await active()) === batchSize,
        details: `${after.total - before.total} of ${batchSize}`,
      },
    ],
  }
}

async function countActive({ bench, account }: Peers): Promise<number> {
  const [row] = await bench.db.query<{ count: number }>(
    `select count(*) as count from devices
     where organization_id = $1 and register_status = 'active' and not is_console_only`,
    [account.organizationId],
  )
  return row?.count ?? 0
}

/** Ten of 10,000 devices with the total, one request at a time. */
async function compareLists({ bench, api, ids, chirpstack }: Peers): Promise<Figure> {
  const { total } = await api.listDevices(ids.applicationId, 1)
  // By SQL, from one that it has made: by its API they take longer than all else here.
  await chirpstack.db.query(
    `insert into device
     select (jsonb_populate_record(made.one, jsonb_build_object(
       'dev_eui', '\\x00aa00c7' || lpad(to_hex(number), 8, '0'), 'name', 'Bench device ' || number
     ))).*
     from (select device as one from device limit 1) as made
     cross join generate_series(1, $1::bigint) as number`,
    [listed - total],
  )
  await chirpstack.db.query('analyze device')
  const fleet = await makeFleet(bench, '00aa00c8')
  await registerDevices(bench.db, listed, fleet)
  const page = () =>
    timeRequest(bench.service.target, {
      method: 'GET',
      path: '/v1/devices',
      headers: fleet.headers,
    })
  const own: number[] = []
  const ours: Call[] = []
  for (let turn = -20; turn < lists; turn += 1) {
    const begin = performance.now()
    await api.listDevices(ids.applicationId, 10)
    const milliseconds = performance.now() - begin
    const call = await page()
    if (turn < 0) continue
    own.push(milliseconds)
    ours.push(call)
  }
  const middle = (times: number[]) => times.sort((a, b) => a - b)[lists / 2] ?? 0
  const times = ours.map(({ milliseconds }) => milliseconds)
  return figureOf('list ten of 10,000 devices with the total', 'ms', middle(times), middle(own))
}

/** 1,000 downlinks for 1,000 devices: ChirpStack's own call, and ours until ChirpStack has it. */
async function compareQueues({ bench, api, account, chirpstack }: Peers): Promise<Figure> {
  const body = {
    config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 },
  }
  const own = await time(euis('00aa00c6', batchSize), (eui) => api.enqueue(eui))
  // By Node's own client: `fetch` takes more of the shared processor than ChirpStack's client does.
  const ours = await time(euis(account.euiPrefix, batchSize), (eui) =>
    timeRequest(bench.service.target, {
      method: 'POST',
      path: `/v1/devices/${eui.toUpperCase()}/configure`,
      headers: account.headers,
      body: JSON.stringify(body),
    }),
  )
  const [queued] = await chirpstack.db.query<{ count: number }>(
    'select count(*) as count from device_queue_item',
  )
  bench.progress(`downlinks: ${queued?.count} in ChirpStack's queues`)
  const figure = figureOf('enqueue 1,000 downlinks, 16 at once', 'ms', ours, own)
  return { ...figure, notes: `${queued?.count} of 2,000 in ChirpStack's queues; ${figure.notes}` }
}

/** Ratios are "times as quick as ChirpStack". */
export function figureOf(name: string, unit: string, ours: number, own: number): Figure {
  return {
    ...{ name, ours: `${format(ours)} ${unit}`, baseline: `${format(own)} ${unit} (ChirpStack)` },
    ratios: [unit === 'ms' ? own / ours : ours / own],
    notes: 'the ratio above 1: quicker than ChirpStack',
  }
}

export function euis(prefix: string, count: number): string[] {
  return Array.from(
    { length: Math.max(0, count) },
    (_, index) => prefix + index.toString(16).padStart(8, '0'),
  )
}

/** The milliseconds until all is done, 16 at once. */
export async function time(
  all: readonly string[],
  act: (eui: string, place: number) => unknown,
): Promise<number> {
  const begin = performance.now()
  const left = all.entries()
  const work = async () => {
    for (const [place, eui] of left) await act(eui, place)
  }
  await Promise.all(Array.from({ length: callers }, work))
  return performance.now() - begin
}
