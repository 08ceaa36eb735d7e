import type { Bench } from './bench.ts'
import { format, type Proof, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import type { Load, LoadResult } from './generator.ts'
import { countUplinks, run, toFigure } from './measure-load.ts'
import { startProcess } from './process.ts'
import { chirpStackJoin } from './uplink-message.ts'

/** Devices that join within a minute, as after an outage of their network. */
const perMinute = 100_000
const connections = 256

/** Each device joins and sends its first uplink, all within a minute: an open load of both. */
export async function measureStorm(bench: Bench): Promise<Result> {
  const { db, service, settings } = bench
  const devices = settings.isQuick ? perMinute / 10 : perMinute
  const second = startProcess(new URL('./generator.ts', import.meta.url))
  try {
    const { path, headers } = await connectNetwork(service)
    await registerDevices(db, devices)
    const before = await countStored(bench)
    const uplinks: Load = {
      ...{ target: service.target, method: 'POST', path, headers, connections },
      ...{ rate: perMinute / 60, seconds: (devices / perMinute) * 60, uplinksOf: devices },
    }
    const joins = { ...uplinks, path: path.replace('=up', '=join'), template: chirpStackJoin }
    const [joined, sent] = await Promise.all([run(second, joins), run(bench.generator, uplinks)])
    const name = `${devices.toLocaleString('en-US')} devices in ${format(uplinks.seconds)} s`
    return {
      figures: [
        toFigure(`storm: joins of ${name}`, joined, 'with their uplinks', 1000),
        toFigure(`storm: uplinks of ${name}`, sent, 'with their joins', 1000),
      ],
      proofs: [await proveStored(bench, before, { joined, sent })],
    }
  } finally {
    await second.stop()
  }
}

async function countStored(bench: Bench): Promise<{ joins: number; uplinks: number }> {
  const [row] = await bench.db.query<{ count: number }>(
    `select count(*) as count from network_events where kind = 'join'`,
  )
  return { joins: row?.count ?? 0, uplinks: await countUplinks(bench) }
}

async function proveStored(
  bench: Bench,
  before: { joins: number; uplinks: number },
  { joined, sent }: Record<'joined' | 'sent', LoadResult>,
): Promise<Proof> {
  const after = await countStored(bench)
  const joins = after.joins - before.joins
  const uplinks = after.uplinks - before.uplinks
  return {
    claim: 'every acknowledged join and uplink of the storm is stored once',
    isTrue: joins === joined.acknowledged && uplinks === sent.acknowledged,
    details: `${joined.acknowledged} joins and ${sent.acknowledged} uplinks acknowledged, ${joins} and ${uplinks} stored`,
  }
}
