import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../server/simulators/random.ts'
import { type Client, readBody } from './client.ts'
import { euiOf } from './fleet.ts'
import { isCancelledBy } from './ledger.ts'
import { type Part, startPart } from './part.ts'
import { rates } from './plan.ts'
import { passHop, type World } from './world.ts'

/** Not more often than this, in milliseconds. */
const leastPause = 100
/** Each device at the network gets so many on a day, on average. */
const each = 0.7
const port = 10

/** Sends downlinks to devices at the network, confirmed ones too, and takes some back. */
export function startCommands(world: World, client: Client): Part {
  const { plan, ledger } = world
  const random = createRandom(plan.seed + 1)
  const pause = Math.max(leastPause, plan.dayLength / (plan.devicesAtNetwork * each))
  let number = 0
  const send = async () => {
    const eui = euiOf(random.between(0, plan.devicesAtNetwork - 1))
    const bytes = (++number).toString(16).padStart(8, '0')
    const body = { f_port: port, payload: bytes, confirmed: random.isTrue(0.5) }
    const answer = await client.ask('POST', `/v1/devices/${eui}/downlink`, body)
    const { data } = readBody(`a downlink to ${eui}`, answer)
    const noted = { eui, id: Number(data.id), isCancelled: false, lost: answer.lost }
    ledger.downlinks.set(bytes, noted)
    if (!random.isTrue(rates.cancelled)) return
    const path = `/v1/devices/${eui}/downlinks/${noted.id}`
    noted.isCancelled = isCancelledBy(await client.ask('DELETE', path))
  }
  return startPart(async (isOver) => {
    while (!isOver()) {
      await passHop(world)
      if (world.service.isUp) await send()
      await sleep(pause)
    }
  })
}

/** The counter of a session, which is about to end, counts what was transmitted. */
export function noteTransmitted({ network, ledger }: World, eui: string): void {
  const count = network.devices.get(eui.toLowerCase())?.session?.fCntDown ?? 0
  ledger.transmitted.set(eui, (ledger.transmitted.get(eui) ?? 0) + count)
}
