import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Queryable } from '../server/src/db/connect.ts'

/** Returns how many seconds of CPU all processes of the database have used together. */
export type DatabaseClock = () => number

/** Linux counts in hundredths of a second on all usual machines (proc(5), sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100

/** Undefined if there is no `/proc`, or the database runs on another machine. */
export async function openDatabaseClock(db: Queryable): Promise<DatabaseClock | undefined> {
  const [backend] = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (!backend || !existsSync(`/proc/${backend.pid}/stat`)) return undefined
  const { parent: postmaster } = readStat(backend.pid)
  return () => {
    const own = readStat(postmaster)
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readStat(Number(name)))
      .filter(({ parent }) => parent === postmaster)
    const ticks = children.reduce((sum, child) => sum + child.own, own.own + own.ended)
    return ticks / ticksPerSecond
  }
}

/** Ticks of the process, and of those of its children that have ended. */
function readStat(pid: number): { parent: number; own: number; ended: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in brackets, may contain anything. `state` comes first after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (index: number) => Number(fields[index])
    return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) }
  } catch {
    // It has ended in the meantime; its parent counts it from now on.
    return { parent: 0, own: 0, ended: 0 }
  }
}
