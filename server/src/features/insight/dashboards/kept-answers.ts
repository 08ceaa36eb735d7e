import { hash } from 'node:crypto'
import type { Queryable } from '../../../db/connect.ts'
import { countUplinksOf } from './device-data-queries.ts'

/**
 * Answers of widgets that end now, for all who look at the same: fifty screens on a wall cost what one
 * costs. An answer is read again when a device that it is about has sent, after its rest, and without that
 * after a minute: ranges go on, and silence begins.
 */
export interface KeptAnswers<Data> {
  /**
   * What a widget shows, from memory if that is fresh. `key` names all that it depends on: the
   * organization, the limits of the caller, the widget, the range.
   */
  take(key: string, asked: Asked<Data>): Promise<Versioned<Data>>
}

/** With a mark that changes with the content. */
type Versioned<Data> = Data & { version: string }

interface Asked<Data> {
  db: Queryable
  organizationId: number
  now(): Date
  /** Whoever has nothing of it yet gets no answer that is only assumed to be still true. */
  isFirst: boolean
  /** Milliseconds for which it may be old, whoever has sent: `shortestRest` at least. */
  rest: number
  read(onDevices: OnDevices): Promise<Data>
}

/** Called with the devices that a widget is about, before they are read; not where that may be any. */
export type OnDevices = (devices: readonly number[]) => Promise<void>

/** Devices, and how many uplinks they had. */
interface Heard {
  devices: readonly number[]
  uplinks: number
}

interface Kept<Data> {
  data: Versioned<Data>
  heard: Heard | undefined
  readAt: number
  /** When somebody last looked whether its devices have sent. */
  checkedAt: number
  /** Milliseconds of the reading. */
  took: number
  size: number
}

/** Milliseconds. */
const shortestRest = 10_000
export const longestRest = 60_000
/** Reading a widget takes a hundredth of the time at most. */
const restFactor = 100
/** Characters of all answers of the process together, as JSON. */
const mostCharacters = 16 * 1024 * 1024

export function createKeptAnswers<Data extends object>(): KeptAnswers<Data> {
  /** The one that was taken longest ago first. */
  const kept = new Map<string, Kept<Data>>()
  const reading = new Map<string, Promise<Kept<Data>>>()
  let characters = 0

  const forget = (key: string) => {
    characters -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  const keep = (key: string, one: Kept<Data>) => {
    forget(key)
    kept.set(key, one)
    characters += one.size
    for (const oldest of kept.keys()) {
      if (characters <= mostCharacters) return
      forget(oldest)
    }
  }
  const renew = async (key: string, asked: Asked<Data>): Promise<Kept<Data>> => {
    const one = kept.get(key)
    if (one && (await isStillTrue(one, asked))) return one
    const read = await readNow(asked)
    keep(key, read)
    return read
  }
  return {
    async take(key, asked) {
      const one = kept.get(key)
      if (one) {
        kept.delete(key)
        kept.set(key, one)
        const since = asked.isFirst ? one.readAt : one.checkedAt
        if (asked.now().getTime() - since < shortestRest) return one.data
      }
      const work = reading.get(key) ?? renew(key, asked).finally(() => reading.delete(key))
      reading.set(key, work)
      return (await work).data
    },
  }
}

async function isStillTrue<Data>(
  one: Kept<Data>,
  { db, organizationId, now, isFirst, rest }: Asked<Data>,
): Promise<boolean> {
  const time = now().getTime()
  const age = time - one.readAt
  if (isFirst || age >= longestRest) return false
  one.checkedAt = time
  if (age < Math.max(rest, one.took * restFactor)) return true
  const { heard } = one
  return heard ? (await countUplinksOf(db, organizationId, heard.devices)) === heard.uplinks : false
}

async function readNow<Data extends object>({
  db,
  organizationId,
  now,
  read,
}: Asked<Data>): Promise<Kept<Data>> {
  const readAt = now().getTime()
  let heard: Heard | undefined
  const data = await read(async (devices) => {
    heard = { devices, uplinks: await countUplinksOf(db, organizationId, devices) }
  })
  const took = now().getTime() - readAt
  const text = JSON.stringify(data)
  const version = hash('sha256', text, 'base64url').slice(0, 16)
  const times = { readAt, checkedAt: readAt, took }
  return { data: { ...data, version }, heard, ...times, size: text.length }
}
