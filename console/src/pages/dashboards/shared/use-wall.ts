import { useEffect, useState } from 'react'
import { reloadWhenBack } from '../../../shell/reload-when-back.ts'

/** What a screen on a wall does by itself. */

/** Which of the dashboards is shown: one after the other, if it is a wall. */
export function useRotation(count: number, seconds: number, isWall: boolean) {
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    if (!isWall || count < 2) return
    const timer = setInterval(() => setChosen((one) => (one + 1) % count), seconds * 1000)
    return () => clearInterval(timer)
  }, [count, seconds, isWall])
  return [Math.min(chosen, count - 1), setChosen] as const
}

const firstHour = 7
const lastHour = 20

function isNightNow(): boolean {
  const hour = new Date().getHours()
  return hour < firstHour || hour >= lastHour
}

/** Whether it is dark outside, by the clock of the screen. */
export function useNight(): boolean {
  const [isNight, setNight] = useState(isNightNow)
  useEffect(() => {
    const timer = setInterval(() => setNight(isNightNow()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return isNight
}

/** Keeps the screen on. Browsers give the lock back whenever the page is hidden. */
export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    let lock: Promise<WakeLockSentinel | undefined> | undefined
    const ask = () => {
      if (!document.hidden) lock = navigator.wakeLock.request('screen').catch(() => undefined)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void lock?.then((held) => held?.release())
    }
  }, [isWanted])
}

/** Ends a wall with the full screen or by Escape and, without a full screen, also by a click or touch. */
export function useWayOut(isWall: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isWall) return
    const leaveUnlessFull = () => {
      if (!document.fullscreenElement) leave()
    }
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') leave()
    }
    document.addEventListener('fullscreenchange', leaveUnlessFull)
    document.addEventListener('click', leaveUnlessFull)
    document.addEventListener('keydown', leaveByKey)
    return () => {
      document.removeEventListener('fullscreenchange', leaveUnlessFull)
      document.removeEventListener('click', leaveUnlessFull)
      document.removeEventListener('keydown', leaveByKey)
    }
  })
}

/** Loads the page again where the service has only the files of a newer version. */
export function useNewVersions(): void {
  useEffect(() => {
    window.addEventListener('vite:preloadError', reloadWhenBack)
    return () => window.removeEventListener('vite:preloadError', reloadWhenBack)
  }, [])
}
