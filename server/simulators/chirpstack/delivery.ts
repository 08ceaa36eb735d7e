import type { FarCallback, FarMessage } from '../far-dialect.ts'
import type { FarWorld } from '../far-world.ts'
import type { Faults } from './faults.ts'
import type { ChirpStackEvent } from './messages.ts'
import type { Store } from './store.ts'

/** A placeholder for an event in Protobuf. A JSON parser refuses it. */
const protobuf = { type: 'application/octet-stream', bytes: Buffer.from('0a24', 'hex') }

/** The HTTP integrations of all applications, with one callback for each of their addresses. */
export function listCallbacks({ integrations }: Store): FarCallback[] {
  return [...integrations].flatMap(([applicationId, { url, headers, isJson }]) =>
    url.split(',').map((address) => ({
      url: address.trim(),
      headers,
      takes: ({ topic }: FarMessage) => topic?.startsWith(`application/${applicationId}/`) === true,
      ...(isJson ? {} : { encode: () => protobuf }),
    })),
  )
}

/** Sends an event once, twice or never; the faults decide. */
export async function sendEvent(
  { random, counts, send }: Pick<FarWorld<unknown>, 'random' | 'counts' | 'send'>,
  { eventLossRate, duplicateRate }: Faults,
  { name, applicationId, devEui, body }: ChirpStackEvent,
): Promise<void> {
  if (random.isTrue(eventLossRate)) {
    counts.lost += 1
    return
  }
  const topic = `application/${applicationId}/device/${devEui}/event/${name}`
  const copies = random.isTrue(duplicateRate) ? 2 : 1
  for (let copy = 0; copy < copies; copy += 1) await send({ query: { event: name }, body, topic })
}
