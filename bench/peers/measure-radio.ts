import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import type { Database } from '../../server/src/db/connect.ts'
import { format, type Result } from '../figures.ts'
import { payload } from '../uplink-message.ts'
import { heardFrame, sessionKeysOf, uplinkFrame } from './lorawan.ts'
import { euis, figureOf, type Peers, time } from './measure-chirpstack.ts'

const senders = 500
const waves = 6
const gatewayId = '00ac00c500000001'
/** Milliseconds without another stored frame after which a wave counts as over. */
const patience = 5000

/** When the last frame of a wave was stored, in milliseconds from its begin, and how many were. */
interface Stored {
  milliseconds: number
  count: number
}

/**
 * Uplinks a second from the gateway to the table. ChirpStack stores each in the table of its
 * PostgreSQL integration, and sends it to the service by its HTTP integration at the same time. Each
 * wave has one frame of each device: ChirpStack takes a device's frames in any order, and drops those
 * that another one has overtaken.
 */
export async function measureRadio(peers: Peers): Promise<Result> {
  const { bench, api, ids, account, chirpstack } = peers
  await api.addGateway(ids.tenantId, gatewayId)
  await time(euis(account.euiPrefix, senders), (eui, place) =>
    api.activate(eui, sessionKeysOf(place)),
  )
  const tables = {
    own: () => countOf(chirpstack.events, 'select count(*) as count from event_up'),
    ours: () =>
      countOf(
        bench.db,
        'select uplink_count as count from organization_counters where organization_id = $1',
        [account.organizationId],
      ),
  }
  const client = await connectAsync(chirpstack.broker)
  const sum = { own: { milliseconds: 0, count: 0 }, ours: { milliseconds: 0, count: 0 } }
  const cpuBefore = await cpuOf(chirpstack.pid())
  try {
    for (let wave = 0; wave < waves; wave += 1) {
      const stored = await sendWave(client, wave, tables)
      for (const side of ['own', 'ours'] as const) {
        sum[side].milliseconds += stored[side].milliseconds
        sum[side].count += stored[side].count
      }
    }
  } finally {
    await client.endAsync()
  }
  bench.progress(`${sum.ours.count} of ${senders * waves} frames stored`)
  const cpu = ((await cpuOf(chirpstack.pid())) - cpuBefore) / (senders * waves)
  return describe(sum, cpu)
}

function describe({ own, ours }: { own: Stored; ours: Stored }, cpu: number): Result {
  const perSecond = ({ count, milliseconds }: Stored) => (count / milliseconds) * 1000
  const name = `${senders} uplinks at once, from gateway to stored`
  const figure = figureOf(name, 'uplinks/s', perSecond(ours), perSecond(own))
  return {
    figures: [
      {
        ...figure,
        notes:
          `ChirpStack's own table, and the service behind the same ChirpStack at the same time;` +
          ` ChirpStack takes ${format(cpu)} ms of CPU for an uplink`,
      },
    ],
    proofs: [
      {
        claim: 'the service has every uplink that ChirpStack has, once',
        isTrue: ours.count === own.count && ours.count > 0,
        details: `${ours.count} and ${own.count} of ${senders * waves} frames`,
      },
    ],
  }
}

/** Publishes a frame of each device, and waits until they are stored in both tables. */
async function sendWave(
  client: MqttClient,
  wave: number,
  tables: Record<'own' | 'ours', () => Promise<number>>,
): Promise<Record<'own' | 'ours', Stored>> {
  const before = { own: await tables.own(), ours: await tables.ours() }
  const frames = Array.from({ length: senders }, (_, number) =>
    heardFrame(
      gatewayId,
      uplinkFrame(sessionKeysOf(number), wave + 1, payload(number)),
      number + 1,
    ),
  )
  const stored = { own: { milliseconds: 0, count: 0 }, ours: { milliseconds: 0, count: 0 } }
  const begin = performance.now()
  const topic = `eu868/gateway/${gatewayId}/event/up`
  await Promise.all(frames.map((frame) => client.publishAsync(topic, frame, { qos: 1 })))
  let changed = performance.now()
  while (performance.now() - changed < patience) {
    for (const side of ['own', 'ours'] as const) {
      const count = (await tables[side]()) - before[side]
      if (count === stored[side].count) continue
      changed = performance.now()
      stored[side] = { count, milliseconds: changed - begin }
    }
    if (stored.own.count === senders && stored.ours.count === senders) break
    await sleep(10)
  }
  return stored
}

async function countOf(db: Database, statement: string, values: unknown[] = []): Promise<number> {
  const [row] = await db.query<{ count: number }>(statement, values)
  return row?.count ?? 0
}

/** Milliseconds of processor time of a process; 0 if there is no /proc. */
async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  return ticks * 10
}
