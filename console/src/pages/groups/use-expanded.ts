import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { type GroupNode, parentIds } from './group-tree.ts'

/** A tree of so many groups is open until its reader closes it. */
const mostOpen = 100

/** Which groups are open, kept in this browser for each organization. */
export function useExpanded(trees: readonly GroupNode[]) {
  const { organization } = useSession()
  const name = `open-groups-${organization.id}`
  const [expanded, setExpanded] = useState(() => read(name) ?? openAtFirst(trees))
  const change = (ids: Iterable<number>) => {
    const next = new Set(ids)
    setExpanded(next)
    try {
      localStorage.setItem(name, JSON.stringify([...next]))
    } catch {
      // Without storage the tree is closed at the next visit.
    }
  }
  return [expanded, change] as const
}

function read(name: string): Set<number> | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? 'null')
    return Array.isArray(stored) ? new Set(stored.filter(Number.isInteger)) : undefined
  } catch {
    return undefined
  }
}

function openAtFirst(trees: readonly GroupNode[]): Set<number> {
  const parents = parentIds(trees)
  return new Set(parents.length > mostOpen ? [] : parents)
}
