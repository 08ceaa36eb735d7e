import { useEffect, useRef } from 'react'
import { useChanges, useUplinks } from '../../live/hooks.ts'
import type { Records } from '../../ui/list/use-records.ts'
import type { FleetDevice } from './use-device-list.ts'

/** Milliseconds between two requests for rows that have news. */
const interval = 1500

/** Reads rows again when their devices report or change. Their order stays as it is. */
export function useLiveRows({ refresh, renew }: Records<number, FleetDevice>): void {
  const news = useRef(new Set<number>())
  useUplinks(
    {},
    (uplinks) => {
      for (const { did } of uplinks) news.current.add(did)
    },
    renew,
  )
  useChanges(['device', 'downlink'], (changes) => {
    // Several devices at once have no id.
    if (changes.some(({ id }) => id === null)) renew()
    for (const { id } of changes) if (id !== null) news.current.add(Number(id))
  })
  // They are part of the verdict.
  useChanges(['alert'], renew)
  useEffect(() => {
    const timer = setInterval(() => {
      if (news.current.size === 0) return
      refresh(news.current)
      news.current = new Set()
    }, interval)
    return () => clearInterval(timer)
  }, [refresh])
}
