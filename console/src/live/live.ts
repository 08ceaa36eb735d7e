import { basePath, inLanguageOf } from '../api/client.ts'
import {
  changeKinds,
  type LiveChange,
  type LiveState,
  type LiveUplink,
  type RawEvent,
  readChange,
  readUplink,
} from './events.ts'
import { shareStream } from './share.ts'

type UplinkHandler = (uplinks: readonly LiveUplink[]) => void
type ChangeHandler = (changes: readonly LiveChange[]) => void

const uplinkHandlers = new Set<UplinkHandler>()
const changeHandlers = new Set<ChangeHandler>()
const resetHandlers = new Set<() => void>()
const stateListeners = new Set<() => void>()

let state: LiveState = { kind: 'connecting' }
let stop: (() => void) | undefined
/** The uplink that was handled last: none is handled twice, whichever tab it came through. */
let lastOrdinal = 0
let wasLost = false

/** Follows the organization's events until the returned function is called. */
export function startLive(userId: number, organizationId: number): () => void {
  stop?.()
  setState({ kind: 'connecting' })
  lastOrdinal = 0
  wasLost = false
  const end = shareStream(`live${basePath} ${userId} ${organizationId}`, {
    onEvents: handle,
    onState(next) {
      // Changes are not repeated: after a loss each kind may have changed.
      if (next.kind === 'live' && wasLost) tellAllChanged()
      wasLost = next.kind === 'lost'
      setState(next)
    },
  })
  stop = end
  return end
}

export function currentState(): LiveState {
  return state
}

export function subscribeState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => stateListeners.delete(listener)
}

/** Calls the handler with new uplinks, in order, each once. */
export function onUplinks(handler: UplinkHandler): () => void {
  uplinkHandlers.add(handler)
  return () => uplinkHandlers.delete(handler)
}

export function onChanges(handler: ChangeHandler): () => void {
  changeHandlers.add(handler)
  return () => changeHandlers.delete(handler)
}

/** Too much was missed to be sent now: the page has to read its data again. */
export function onReset(handler: () => void): () => void {
  resetHandlers.add(handler)
  return () => resetHandlers.delete(handler)
}

function setState(next: LiveState): void {
  state = next
  for (const listener of stateListeners) listener()
}

function handle(events: readonly RawEvent[]): void {
  const uplinks: LiveUplink[] = []
  const changes: LiveChange[] = []
  for (const event of events) {
    if (event.kind === 'reset') {
      lastOrdinal = 0
      for (const handler of resetHandlers) handler()
      tellAllChanged()
      continue
    }
    const uplink = readUplink(event)
    if (uplink && uplink.ordinal > lastOrdinal) {
      lastOrdinal = uplink.ordinal
      uplinks.push(uplink)
    }
    const change = readChange(event)
    if (change) changes.push(change)
  }
  if (uplinks.length > 0) void tellUplinks(uplinks)
  if (changes.length > 0) for (const handler of changeHandlers) handler(changes)
}

async function tellUplinks(uplinks: readonly LiveUplink[]): Promise<void> {
  const said = await inLanguageOf('GET /events', uplinks)
  for (const handler of uplinkHandlers) handler(said)
}

function tellAllChanged(): void {
  const all = changeKinds.map((kind) => ({ kind, id: null }))
  for (const handler of changeHandlers) handler(all)
}
