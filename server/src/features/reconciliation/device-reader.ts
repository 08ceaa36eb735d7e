import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DeviceDetails,
  type ListedThing,
  type NetworkConnection,
  NetworkError,
} from '../../networks/network.ts'
import { NetworkPausedError } from '../network-accounts/circuit-breaker.ts'

/** Asks a network about single devices, as long as it answers and there is time. */
export interface DeviceReader {
  /** What the network tells, with what it lists; undefined where it could not be asked. */
  read(listed: ListedThing, wanted: { key: boolean }): Promise<DeviceDetails | undefined>
  isOver(): boolean
  /** How many devices it was asked about. */
  count(): number
  /** Why something of `total` devices is not known; undefined where all is. */
  findReason(total: number): string | undefined
}

export interface ReaderBounds {
  /** For all calls together. */
  seconds: number
  /** Calls that the network is known to take. */
  perSecond: number | undefined
  /** The network asks to slow down: the account's other work waits as well. */
  noteSlowDown?(error: NetworkError): Promise<void>
}

/** Where the network says only that it is asked too often. */
const usualPauseMs = 5_000
/** From one call to the next after the first time that it does; twice that after each further one. */
const firstSpacingMs = 200

export function createReader(
  connection: NetworkConnection,
  { seconds, perSecond = Number.POSITIVE_INFINITY, noteSlowDown }: ReaderBounds,
): DeviceReader {
  const end = performance.now() + seconds * 1000
  let spacingMs = 1000 / perSecond
  let nextAt = 0
  let pausedUntil = 0
  let done = 0
  let failed = 0
  let keyDenial: string | undefined
  let failure: string | undefined
  let isStopped = false
  const isOver = () => isStopped || performance.now() > end

  /** True where the call may be made once more. */
  const takeError = async (error: unknown): Promise<boolean> => {
    if (!(error instanceof NetworkError)) throw error
    failure = error.message
    if (error.kind === 'slow_down') {
      const isNews = pausedUntil <= performance.now()
      pausedUntil = performance.now() + (error.retryAfterMs ?? usualPauseMs)
      isStopped ||= pausedUntil > end
      if (isNews) spacingMs = Math.max(firstSpacingMs, 2 * spacingMs)
      if (isNews) await noteSlowDown?.(error)
      return true
    }
    // What is denied for one is for all; a device that is gone, or fails alone, is passed over.
    isStopped ||= error.kind === 'unauthorized' || error instanceof NetworkPausedError
    return false
  }
  const sleepUntil = async (moment: number) => {
    const rest = Math.min(moment, end) - performance.now()
    if (rest > 0) await sleep(rest + 1)
  }
  const takeTurn = async () => {
    while (!isOver()) {
      const turn = Math.max(nextAt, pausedUntil, performance.now())
      nextAt = turn + spacingMs
      await sleepUntil(turn)
      if (pausedUntil <= performance.now()) return
    }
  }
  const readOne = async (devEui: string, wanted: { key: boolean }) => {
    while (!isOver()) {
      await takeTurn()
      if (isOver()) return undefined
      try {
        const key = wanted.key && keyDenial === undefined
        const details = await connection.readDevice?.(devEui, { key })
        keyDenial ??= details?.keyDenial
        return details
      } catch (error) {
        if (await takeError(error)) continue
        failed += 1
        return {}
      }
    }
    return undefined
  }
  return {
    isOver,
    count: () => done,
    async read(listed, wanted) {
      const details = connection.readDevice ? await readOne(listed.eui, wanted) : {}
      if (details) done += 1
      return details && { ...listed, ...details }
    },
    findReason(total) {
      const unknown = total - done + failed
      const words = failure ?? 'The next comparison goes on with them.'
      if (unknown > 0)
        return `The keys of ${unknown} of ${total} devices are not compared. ${words}`
      return keyDenial
    },
  }
}
