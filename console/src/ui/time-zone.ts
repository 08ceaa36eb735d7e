import { useSyncExternalStore } from 'react'

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

let zone = browserZone
const listeners = new Set<() => void>()

/** The zone in which all times are shown: the user's choice, or the browser's. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => zone,
  )
}

/** Sets the zone of all times; undefined for the browser's. A name that is unknown is ignored. */
export function setTimeZone(name: string | undefined): void {
  const wanted = name ?? browserZone
  if (wanted === zone || !isTimeZone(wanted)) return
  zone = wanted
  for (const listener of listeners) listener()
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
