import type { Violation } from './check.ts'
import type { Facts, ReceivedEvent } from './facts.ts'
import { namesOf } from './requests.ts'

/** Each stored uplink arrives at least once, under one id, those of a device in their order. */
export function checkWebhooks(facts: Facts): Violation[] {
  const organizations = Map.groupBy(facts.uplinks, ({ organization }) => organization)
  const received = Map.groupBy(facts.received, ({ organization }) => organization)
  return [
    ...[...organizations].flatMap(([organization, stored]) => {
      const uplinks = (received.get(organization) ?? []).filter(({ type }) => type === 'uplink')
      const ordinals = new Set(uplinks.map(({ ordinal }) => ordinal))
      return stored
        .filter(({ ordinal }) => !ordinals.has(ordinal))
        .map(({ ordinal, eui }) =>
          told(`uplink ${ordinal} of organization ${organization}, device ${eui}, never came`),
        )
    }),
    ...[...received].flatMap(([organization, events]) => [
      ...checkOrder(organization, events),
      ...checkIds(organization, events),
      ...checkForeign(organization, events),
    ]),
    ...checkRegistrations(facts),
  ]
}

function told(text: string): Violation {
  return { guarantee: 'Webhooks', text, entries: [] }
}

function firstOfEach(events: readonly ReceivedEvent[]): ReceivedEvent[] {
  const first = new Map<string, ReceivedEvent>()
  for (const event of events) if (!first.has(event.id)) first.set(event.id, event)
  return [...first.values()]
}

function checkOrder(organization: number, events: readonly ReceivedEvent[]): Violation[] {
  const last = new Map<string, number>()
  return firstOfEach(events).flatMap(({ eui, ordinal }) => {
    if (ordinal === undefined) return []
    const before = last.get(eui) ?? 0
    last.set(eui, Math.max(before, ordinal))
    if (ordinal > before) return []
    return [told(`of ${eui} (organization ${organization}), ${ordinal} came after ${before}`)]
  })
}

/** The same id is the same event. */
function checkIds(organization: number, events: readonly ReceivedEvent[]): Violation[] {
  const byId = Map.groupBy(events, ({ id }) => id)
  return [...byId]
    .filter(
      ([, same]) =>
        new Set(same.map(({ eui, ordinal, type }) => `${type} ${eui} ${ordinal}`)).size > 1,
    )
    .map(([id]) => told(`the id ${id} of organization ${organization} names several events`))
}

function checkForeign(organization: number, events: readonly ReceivedEvent[]): Violation[] {
  const others = [1, 2].filter((id) => id !== organization)
  const foreign = others.flatMap((organizationId) => namesOf({ organizationId }))
  return events
    .filter(({ text }) => foreign.some((name) => text.includes(name)))
    .map(({ id }) => ({
      guarantee: 'Tenant isolation',
      text: `event ${id} at the receiver of organization ${organization} is of another one`,
      entries: [],
    }))
}

/** Each device that became active or was deleted was told of. */
function checkRegistrations({ devices, received, entries }: Facts): Violation[] {
  const told = Map.groupBy(
    received.filter(({ type }) => type === 'registration'),
    ({ eui }) => eui,
  )
  const statuses = (eui: string) =>
    (told.get(eui) ?? []).map(({ text }) => String(JSON.parse(text).data.status))
  const registered = new Set(
    entries.filter(({ operation }) => operation === 'register').map(({ subject }) => subject),
  )
  const missing = devices
    .filter(({ eui, status }) => registered.has(eui) && !statuses(eui).includes(status))
    .map(({ eui, status }) => ({ eui, status }))
  const deleted = entries
    .filter(({ operation, outcome }) => operation === 'delete' && outcome === 'done')
    .filter(({ subject }) => !statuses(subject).includes('deleted'))
    .map(({ subject }) => ({ eui: subject, status: 'deleted' }))
  return [...missing, ...deleted].map(({ eui, status }) => ({
    guarantee: 'Webhooks',
    text: `the event that device ${eui} is ${status} never came`,
    entries: entries.filter(({ subject }) => subject === eui).slice(0, 1),
  }))
}
