import assert from 'node:assert/strict'
import { connectChirpStack, makeUp, post } from './chirpstack-uplinks.ts'
import { addLocalDevice, euiOf } from './fleet.ts'
import type { Login, TestService } from './service.ts'

export interface SteadyUplinks {
  /** What was answered with 200 so far, as `organization EUI key` (`readStored`). */
  acknowledged: Set<string>
  /** Milliseconds from the first attempt to the acknowledgement. */
  waits: number[]
  /** How often 503 was answered; the same is then sent again. */
  refusals(): number
  stop(): Promise<void>
}

/** A device with this number is not registered: what it sends is kept in the quarantine. */
const unknown = 3

/** For tests: sends uplinks of three devices of each organization, one after the other, until `stop`. */
export async function startSteadyUplinks(
  service: TestService,
  organizations: readonly Login[],
): Promise<SteadyUplinks> {
  const acknowledged = new Set<string>()
  const waits: number[] = []
  let refusals = 0
  let isOver = false
  const senders: (() => Promise<void>)[] = []
  for (const as of organizations) {
    const callback = await connectChirpStack(service, { as })
    const send = async (number: number) => {
      const up = makeUp({ eui: euiOf(number) })
      const began = performance.now()
      for (;;) {
        const { status, text } = await post(service, callback, up)
        if (status === 200) break
        assert.equal(status, 503, text)
        refusals += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      waits.push(performance.now() - began)
      acknowledged.add(`${as.organizationId} ${euiOf(number)} ${up.deduplicationId}`)
    }
    for (const number of [1, 2, unknown]) {
      if (number !== unknown) await addLocalDevice(service, number, {}, as)
      senders.push(async () => {
        while (!isOver) await send(number)
      })
    }
  }
  const running = Promise.all(senders.map((sendAll) => sendAll()))
  // A failure is told by `stop`.
  running.catch(() => {})
  return {
    acknowledged,
    waits,
    refusals: () => refusals,
    async stop() {
      isOver = true
      await running
    },
  }
}
