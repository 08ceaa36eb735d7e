import type { CoreServices } from '../core-services.ts'
import { type DueWebhook, listDue } from './claim-queries.ts'
import { type PortionServices, workPortion } from './portion.ts'
import type { Poster } from './post-message.ts'

/** Sends the events of all webhooks in the background, a portion at a time. */
export interface WebhookSender {
  /** Looks for webhooks with work, and does it. */
  wake(): void
  /** Waits until there is no more to do now. */
  idle(): Promise<void>
  /** Begins no more requests, and waits until none is in progress. */
  close(): Promise<void>
}

export interface WebhookServices extends CoreServices {
  webhookSender: WebhookSender
  poster: Poster
}

/** Portions at once in this process: at most 16 times as many requests. */
const parallelism = 64
/** The same for one tree of organizations, so that the others always have places. */
const mostOfRoot = 8
/** The same for one organization, so that the others of its tree have places too. */
const mostOfOrganization = 4

/**
 * A webhook has one portion in progress, in one process of all. The trees of organizations take
 * turns: a receiver that is slow to answer holds up nobody but its own webhook.
 */
export function createWebhookSender(services: PortionServices): WebhookSender {
  const busy = new Map<string, { due: DueWebhook; done: Promise<void> }>()
  /** When each tree last had a turn, by a counter. */
  const turns = new Map<number, number>()
  let turn = 0
  let isClosed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  const reportFailure = (error: unknown) =>
    // The claim ends by itself, and the next one sends it again.
    services.log.warn({ err: error }, 'a webhook could not go on')
  const count = (key: 'root_id' | 'organization_id', id: number) =>
    [...busy.values()].filter(({ due }) => due[key] === id).length
  const mayBegin = (due: DueWebhook) =>
    !busy.has(keyOf(due)) &&
    count('root_id', due.root_id) < mostOfRoot &&
    count('organization_id', due.organization_id) < mostOfOrganization

  const begin = (due: DueWebhook) => {
    const key = keyOf(due)
    turn += 1
    turns.set(due.root_id, turn)
    const done = workPortion(services, due, () => isClosed)
      .then(wake, reportFailure)
      .finally(() => busy.delete(key))
    busy.set(key, { due, done })
  }
  const lookOnce = async () => {
    const found = isClosed ? [] : await listDue(services.db, services.now())
    const roots = new Set(found.map(({ root_id }) => root_id))
    for (const known of [...turns.keys()]) if (!roots.has(known)) turns.delete(known)
    found.sort((one, other) => (turns.get(one.root_id) ?? 0) - (turns.get(other.root_id) ?? 0))
    for (const due of found) {
      if (isClosed || busy.size >= parallelism) return
      if (mayBegin(due)) begin(due)
    }
  }
  const look = async () => {
    try {
      do {
        isAskedAgain = false
        await lookOnce()
      } while (isAskedAgain)
    } catch (error) {
      reportFailure(error)
    } finally {
      // Set at once: a `wake` between the last check and this line would be lost.
      looking = undefined
    }
  }
  const wake = () => {
    isAskedAgain = true
    if (!isClosed) looking ??= look()
  }
  const idle = async () => {
    while (looking || busy.size > 0) {
      await Promise.all([looking, ...[...busy.values()].map(({ done }) => done)])
    }
  }
  return {
    wake,
    idle,
    async close() {
      isClosed = true
      await idle()
      await services.poster.close()
    },
  }
}

function keyOf({ organization_id, id }: DueWebhook): string {
  return `${organization_id} ${id}`
}
