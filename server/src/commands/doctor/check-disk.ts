import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { readMemory } from '../../db/embedded/place.ts'
import { describeFault } from '../command.ts'
import {
  type DoctorSettings,
  type Finding,
  ok,
  problem,
  reasonOf,
  sizeOf,
  skipped,
  warning,
} from './finding.ts'

/** Below it, PostgreSQL may have no room for its write-ahead log. */
const leastFree = 1e9
const lowPart = 0.1
const lowInodes = 0.1
const leastInodes = 0.01

const flushes = 20
const flushBytes = 8192
/** Milliseconds that the measurement may take. */
const measured = 5000
/** A 2xx to a network waits for a flush: a local disk needs about a millisecond, and less with a cache. */
const slowFlush = 20
const uselessFlush = 200

/** The disk of DATA_DIR, or of the embedded PostgreSQL's own directory. */
export async function checkDisk({ dataDir, databaseUrl }: DoctorSettings): Promise<Finding[]> {
  const memory = databaseUrl ? undefined : await readMemory(dataDir).catch(() => undefined)
  const directory = memory?.area ?? dataDir
  if (!(await stat(directory).catch(() => undefined))) {
    const reason = `There is no ${directory} yet.`
    return [
      databaseUrl
        ? skipped(
            'disk.space',
            `${reason} The database is elsewhere, so only map files would be there.`,
          )
        : problem(
            'disk.space',
            reason,
            'Set DATA_DIR as for the service, or start the service once.',
          ),
    ]
  }
  return [...(await checkRoom(directory)), await checkFlush(directory)]
}

async function checkRoom(directory: string): Promise<Finding[]> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(directory)
  const free = bsize * bavail
  const part = blocks === 0 ? 1 : bavail / blocks
  const says = `${sizeOf(free)} of ${sizeOf(bsize * blocks)} are free at ${directory}.`
  const advice =
    'Make room or enlarge the disk, and set how long uplinks are kept (Settings, Organization).'
  const room =
    free < leastFree
      ? problem('disk.space', says, advice)
      : part < lowPart
        ? warning('disk.space', says, advice)
        : ok('disk.space', says)
  // Some file systems, as btrfs, make inodes when they need them and count none.
  if (files === 0) return [room]
  const inodes = `${Math.round((ffree / files) * 100)} % of the inodes are free at ${directory}.`
  const few =
    'Remove many small files from this disk, or make its file system again with more inodes.'
  if (ffree / files < leastInodes) return [room, problem('disk.inodes', inodes, few)]
  if (ffree / files < lowInodes) return [room, warning('disk.inodes', inodes, few)]
  return [room, ok('disk.inodes', inodes)]
}

/** How long the disk takes to keep a page, which each commit waits for. At most 160 kB are written. */
async function checkFlush(directory: string): Promise<Finding> {
  const path = join(directory, `.doctor-${randomBytes(6).toString('hex')}`)
  const times: number[] = []
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      const end = performance.now() + measured
      while (times.length < flushes && performance.now() < end) {
        const start = performance.now()
        await file.write(Buffer.alloc(flushBytes))
        await file.datasync()
        times.push(performance.now() - start)
      }
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
  } catch (error) {
    const reason = describeFault(error as NodeJS.ErrnoException)
    return problem(
      'disk.write',
      `Nothing can be written to ${directory}: ${reason || reasonOf(error)}.`,
      'Run this as the user of the service, and give that user the directory.',
    )
  }
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  const says = `The disk keeps a page within ${median.toFixed(median < 10 ? 1 : 0)} ms (median of ${times.length}).`
  const advice = 'Put the database on a local disk, best with a cache that survives a power cut.'
  if (median > uselessFlush) return problem('disk.write', says, advice)
  if (median > slowFlush) return warning('disk.write', says, advice)
  return ok('disk.write', says)
}
