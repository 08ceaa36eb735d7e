import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { type Figure, format, type Proof, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import type { Load, LoadResult } from './generator.ts'
import { openIdle } from './idle-connections.ts'
import type { ProbeReading } from './probe.ts'
import { type Helper, startProcess } from './process.ts'
import { asSuperuser } from './superuser.ts'

const devices = 10_000
const connections = 256
/** Pages that are read in a second meanwhile. */
const pageRate = 20
const idleConnections = 10_000
const idleSeconds = 15

/** Load as it comes: latencies from the time when a request was due, through what a day brings. */
export async function measureLoad(bench: Bench): Promise<Result> {
  const reader = startProcess(new URL('./generator.ts', import.meta.url))
  try {
    const { path, headers } = await connectNetwork(bench.service)
    await registerDevices(bench.db, devices)
    const before = await countUplinks(bench)
    const uplinks = (rate: number, seconds: number): Load => ({
      ...{ target: bench.service.target, method: 'POST', path, headers },
      ...{ rate, seconds, connections, uplinksOf: devices },
    })
    const steady = await measureSteady(bench, reader, uplinks)
    const idle = await measureIdle(bench, uplinks)
    const sent = [steady.uplinks, idle.result]
    return {
      figures: [...steady.figures, idle.figure],
      proofs: [await proveStored(bench, before, sent)],
    }
  } finally {
    await reader.stop()
  }
}

export async function run(helper: Helper, load: Load): Promise<LoadResult> {
  const result = await helper.ask<LoadResult | { error: string }>({ load })
  if ('error' in result) throw new Error(`the load on ${load.path} failed: ${result.error}`)
  return result
}

/** Uplinks and pages at a fixed rate, with a checkpoint and a vacuum in between. */
async function measureSteady(
  bench: Bench,
  reader: Helper,
  uplinks: (rate: number, seconds: number) => Load,
) {
  const { minutes, rate } = bench.settings
  const seconds = minutes * 60
  const { target, headers } = bench.service
  const pages: Load = {
    ...{ target, headers, method: 'GET', path: '/v1/devices/all/uplink?page=1' },
    ...{ rate: pageRate, seconds, connections: 16 },
  }
  const before = await memoryOf(bench)
  const [sent, read] = await Promise.all([
    run(bench.generator, uplinks(rate, seconds)),
    run(reader, pages),
    disturb(bench, seconds),
  ])
  const after = await memoryOf(bench)
  const memory = `memory of the server ${format(before)} MB before, ${format(after)} MB after`
  const during = `${format(minutes)} minutes at ${format(rate)} uplinks/s and ${pageRate} pages/s`
  return {
    uplinks: sent,
    figures: [
      toFigure(`uplinks, ${during}`, sent, memory, 100),
      toFigure(`pages, ${during}`, read, 'with a checkpoint and a vacuum in between', 20),
    ],
  }
}

/** A checkpoint at a third of the time, a vacuum at two thirds. */
async function disturb({ db, databaseUrl, progress }: Bench, seconds: number): Promise<void> {
  await sleep((seconds / 3) * 1000)
  progress('checkpoint')
  await asSuperuser(databaseUrl, (superuser) => superuser.query('checkpoint'))
  await sleep((seconds / 3) * 1000)
  progress('vacuum')
  await db.query('vacuum (analyze) uplinks')
}

/** What 10,000 connections that do nothing cost the others. */
async function measureIdle(bench: Bench, uplinks: (rate: number, seconds: number) => Load) {
  const before = await memoryOf(bench)
  const sockets = await openIdle(bench.service.target, idleConnections)
  const memory = (await memoryOf(bench)) - before
  const result = await run(bench.generator, uplinks(bench.settings.rate / 2, idleSeconds))
  const open = sockets.filter((socket) => !socket.destroyed && socket.readable).length
  for (const socket of sockets) socket.destroy()
  const notes = `${open} still open at the end; ${format(memory)} MB more for the server`
  const name = `uplinks beside ${idleConnections.toLocaleString('en-US')} idle connections`
  return { result, figure: toFigure(name, result, notes, 100) }
}

/** The ratio is the p99 in milliseconds. */
export function toFigure(name: string, result: LoadResult, notes: string, most: number): Figure {
  const { p50, p99, p999, longest, acknowledged, refused } = result
  return {
    name,
    ours: `p50 ${format(p50)} ms, p99 ${format(p99)} ms, p99.9 ${format(p999)} ms`,
    baseline: 'from when each was due',
    ratios: [p99],
    target: { word: 'at most', value: most, unit: ' ms' },
    notes: `${acknowledged} acknowledged, ${refused} refused; longest ${format(longest)} ms; ${notes}`,
  }
}

async function memoryOf({ service }: Bench): Promise<number> {
  return (await service.ask<ProbeReading>({ probe: 'read' })).memory
}

export async function countUplinks({ db }: Bench): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) as count from uplinks')
  return row?.count ?? 0
}

/** `mayBeStored`: how many were refused because their time was over, and may be stored all the same. */
export async function proveStored(
  bench: Bench,
  before: number,
  sent: LoadResult[],
  mayBeStored = 0,
): Promise<Proof> {
  const stored = (await countUplinks(bench)) - before
  const acknowledged = sent.reduce((sum, result) => sum + result.acknowledged, 0)
  return {
    claim: 'under all of it, every acknowledged uplink is stored once',
    isTrue: stored >= acknowledged && stored <= acknowledged + mayBeStored,
    details: `${acknowledged} acknowledged, ${stored} stored`,
  }
}
