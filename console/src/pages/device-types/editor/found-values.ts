import type { LiveUplink } from '../../../live/events.ts'

/** More are too many to complete by hand. */
const most = 30

/** The values within the latest uplinks, by their paths, as text. The newest uplink comes first. */
export function findValues(uplinks: readonly LiveUplink[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { event_type, decoded_object } of uplinks) {
    if (event_type !== 'DECODED') continue
    const { eventDescription: _, ...values } = decoded_object
    collect('', values, found)
  }
  return found
}

function collect(path: string, value: unknown, found: Map<string, string>): void {
  if (typeof value === 'object' && value !== null) {
    const isQuantity = 'value' in value
    for (const [key, inner] of Object.entries(value)) {
      const isAside = isQuantity && (key === 'unit' || key === 'displayName')
      if (!isAside) collect(path === '' ? key : `${path}.${key}`, inner, found)
    }
  } else if (value !== null && !found.has(path) && found.size < most) {
    found.set(path, String(value).slice(0, 40))
  }
}
