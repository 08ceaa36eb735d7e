import { keepConnected } from './connection.ts'
import type { LiveState, RawEvent } from './events.ts'

interface Receiver {
  onEvents(events: readonly RawEvent[]): void
  onState(state: LiveState): void
}

type Message =
  | { type: 'events'; events: readonly RawEvent[] }
  | { type: 'state'; state: LiveState; lastId: string | undefined }
  /** A new tab asks how things stand. */
  | { type: 'hello' }

/**
 * One stream for all tabs of this browser: the tab that holds a lock reads it and passes it on.
 * When that tab is closed, the next one goes on after the last event that it got. Browsers have
 * about six connections for a host, and a stream of each tab would take them all. Without locks,
 * which need a secure context, each tab has its own stream.
 */
export function shareStream(name: string, receiver: Receiver): () => void {
  const stopping = new AbortController()
  let lastId: string | undefined
  let state: LiveState = { kind: 'connecting' }
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(name) : undefined
  let isLeader = false

  const receive = (events: readonly RawEvent[]) => {
    lastId = events.findLast(({ id }) => id !== undefined && id !== '')?.id ?? lastId
    receiver.onEvents(events)
  }
  const setState = (next: LiveState) => {
    state = next
    receiver.onState(next)
  }
  const post = (message: Message) => channel?.postMessage(message)
  const tell = () => post({ type: 'state', state, lastId })
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'hello') return isLeader && tell()
      if (isLeader) return
      if (data.type === 'events') return receive(data.events)
      // An event that is on its way here has a later id than this tab has, so it stays.
      lastId ??= data.lastId
      setState(data.state)
    }
  }
  const lead = () => {
    isLeader = true
    return keepConnected(
      {
        lastId: () => lastId,
        onOpen() {
          setState({ kind: 'live' })
          tell()
        },
        onLost() {
          setState({ kind: 'lost', since: state.kind === 'lost' ? state.since : Date.now() })
          tell()
        },
        onEvents(events) {
          receive(events)
          post({ type: 'events', events })
        },
      },
      stopping.signal,
    )
  }
  post({ type: 'hello' })
  const { signal } = stopping
  if (channel && 'locks' in navigator) {
    navigator.locks.request(name, { signal }, lead).catch(() => undefined)
  } else void lead()
  return () => {
    stopping.abort()
    channel?.close()
  }
}
