import type { Entry } from './entries.ts'

/** What was opened last, by organization, in this browser. */
const mostRecent = 8

function keyOf(organizationId: number): string {
  return `palette.recent.${organizationId}`
}

export function readRecent(organizationId: number): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(organizationId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEntry) : []
  } catch {
    return []
  }
}

export function rememberRecent(organizationId: number, entry: Entry): void {
  if (!entry.target) return
  const { id, title, detail, target } = entry
  const others = readRecent(organizationId).filter((known) => known.id !== id)
  const latest = [{ id, title, detail, target }, ...others].slice(0, mostRecent)
  localStorage.setItem(keyOf(organizationId), JSON.stringify(latest))
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  const { id, title, target } = value as Partial<Entry>
  return typeof id === 'string' && typeof title === 'string' && typeof target?.to === 'string'
}
