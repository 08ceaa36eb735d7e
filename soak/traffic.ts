import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '../server/simulators/random.ts'
import { makeUp, readExample } from '../server/test/chirpstack-uplinks.ts'
import { timeAt } from './clock.ts'
import { noteTransmitted } from './commands.ts'
import { euiOf, type Fleet } from './fleet.ts'
import { outcome, payloadOf } from './ledger.ts'
import { frameOf, rates } from './plan.ts'
import { passHop, type World } from './world.ts'

/** Uplinks under way at once. */
const most = 48
const pause = 200
const timeout = 15_000
const port = 2

export interface Traffic {
  /** Uplinks whose turn has come so far. */
  turns(): number
  /** How far the senders are behind at most, in days. */
  behind(): number
  joins(): number
  /** Resolves when the last day is over, and everything that was sent is answered. Rejects at a refusal. */
  over: Promise<void>
  abandon(): void
}

interface Sender {
  world: World
  fleet: Fleet
  random: Random
  /** By device. */
  counters: Uint32Array
  isAbandoned: boolean
  joins: number
}

/**
 * Each device sends once a day. All are spread evenly over the day, in the order of their numbers: uplink
 * `n` is that of device `n % devices` on day `n / devices`.
 */
export function startTraffic(world: World, fleet: Fleet): Traffic {
  const { plan } = world
  const random = createRandom(plan.seed)
  const counters = new Uint32Array(plan.devices)
  const sender: Sender = { world, fleet, random, counters, isAbandoned: false, joins: 0 }
  const total = plan.devices * plan.days
  const rate = plan.devices / plan.dayLength
  let turns = 0
  let mostBehind = 0
  // A refusal ends the traffic at once, whatever else is under way.
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  const over = Promise.race([run(), failed])
  over.catch(() => undefined)
  return {
    ...{ turns: () => turns, behind: () => mostBehind / plan.devices, joins: () => sender.joins },
    over,
    abandon() {
      sender.isAbandoned = true
    },
  }

  async function run(): Promise<void> {
    const underWay = new Set<Promise<void>>()
    while (turns < total && !sender.isAbandoned) {
      await passHop(world)
      const due = Math.min(total, Math.floor((Date.now() - world.clock.begin) * rate))
      mostBehind = Math.max(mostBehind, due - turns)
      while (turns < due && underWay.size < most) {
        const number = turns++
        const sending: Promise<void> = take(sender, number)
          .catch(fail)
          .finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
      await (underWay.size < most ? sleep(5) : Promise.race(underWay))
    }
    await Promise.all(underWay)
  }
}

/** The turn of a device. */
async function take(sender: Sender, number: number): Promise<void> {
  const { world, random, counters } = sender
  const { devices, devicesAtNetwork } = world.plan
  const [device, day] = [number % devices, Math.floor(number / devices)]
  const [isLost, isReset] = [random.isTrue(rates.lost), random.isTrue(rates.reset)]
  const isRepeated = random.isTrue(rates.repeated)
  const frame = frameOf(device, day)
  if (frame === undefined) return
  const isAtNetwork = device < devicesAtNetwork
  if (isReset) {
    counters[device] = 0
    sender.joins += 1
    if (isAtNetwork) await whileUp(sender, () => joinAgain(world, euiOf(device)))
    else await post(sender, 'join', joinOf(world, device))
  }
  const counter = counters[device] ?? 0
  counters[device] = counter + 1
  // The counter goes on: the service counts it as lost.
  if (isLost) return
  const payload = payloadOf(frame, number)
  const { outcomes } = world.ledger
  outcomes[number] = outcome.sent
  if (isAtNetwork) {
    await whileUp(sender, () => world.network.sendUplink(euiOf(device), payload))
    return
  }
  const body = upOf(world, { device, number, counter, payload })
  const isTaken = await post(sender, 'up', body)
  if (isTaken) outcomes[number] = outcome.acknowledged
  if (!isRepeated) return
  world.ledger.repeated += 1
  await post(sender, 'up', body)
}

/** The simulated network sends by itself: nothing is sent while nobody listens. */
async function whileUp({ world }: Sender, send: () => Promise<void>): Promise<void> {
  while (!world.service.isUp) await sleep(pause)
  await send()
}

function joinAgain(world: World, eui: string): Promise<void> {
  noteTransmitted(world, eui)
  return world.network.join(eui)
}

interface Up {
  device: number
  number: number
  counter: number
  payload: string
}

function upOf({ clock }: World, { device, number, counter, payload }: Up) {
  const digits = number.toString(16).padStart(12, '0')
  return makeUp({
    ...{ eui: euiOf(device), hex: payload, fCnt: counter, fPort: port },
    deduplicationId: `50a50a50-0000-4000-8000-${digits}`,
    time: new Date(timeAt(clock, Date.now())).toISOString(),
  })
}

const join = readExample('join')

function joinOf({ clock }: World, device: number) {
  return {
    ...join,
    deduplicationId: crypto.randomUUID(),
    time: new Date(timeAt(clock, Date.now())).toISOString(),
    deviceInfo: { ...(join.deviceInfo as object), devEui: euiOf(device).toLowerCase() },
  }
}

/** As a network does it: again, until it is taken. Returns false when the run was ended before. */
async function post(sender: Sender, event: string, body: object) {
  const { world, fleet } = sender
  const { url, header, value } = fleet.callback
  const headers = { 'content-type': 'application/json', [header]: value }
  const text = JSON.stringify(body)
  while (!sender.isAbandoned) {
    const signal = AbortSignal.timeout(timeout)
    const request = { method: 'POST', headers, body: text, signal }
    const status = await fetch(`${url}?event=${event}`, request)
      .then(async (answer) => {
        await answer.text()
        return answer.status
      })
      .catch(() => 0)
    if (status >= 200 && status < 300) return true
    if (status >= 400 && status < 500) throw new Error(`An uplink is refused with ${status}.`)
    world.ledger.refused += 1
    await sleep(pause)
  }
  return false
}
