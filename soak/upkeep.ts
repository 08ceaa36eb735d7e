import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../server/test/command.ts'
import type { Client } from './client.ts'
import type { Fleet } from './fleet.ts'
import { type Part, startPart } from './part.ts'
import { type Happening, planHappenings } from './plan.ts'
import { dayNow, firstKey, rotateLog, settingsOf, type World } from './world.ts'

const secondKey = 'another invented key of more than 32 characters'

/** What an operator does in a month, and what happens to receivers. */
export interface Upkeep {
  done: Happening[]
  /** Webhooks that were disabled since their receiver was away for too long, and were resumed. */
  resumed: number
  /** The day on which the last restart was over. */
  restartedDay: number
  /** What the command said that seals all secrets with the new key. */
  sealed: string
}

interface Context {
  world: World
  fleet: Fleet
  client: Client
  upkeep: Upkeep
}

export function startUpkeep(world: World, fleet: Fleet, client: Client): Upkeep & Part {
  const upkeep: Upkeep = { done: [], resumed: 0, restartedDay: 0, sealed: '' }
  const context = { world, fleet, client, upkeep }
  const part = startPart(async (isOver) => {
    for (const happening of planHappenings(world.plan)) {
      while (dayNow(world) < happening.day) {
        if (isOver()) return
        await sleep(100)
      }
      world.tell(`day ${happening.day.toFixed(1)}: ${describe(happening)}`)
      await perform(context, happening)
      upkeep.done.push(happening)
    }
  })
  const stop = async () => {
    await part.stop()
    // A run that was behind may have passed the days on which they were disabled.
    for (const receiver of [0, 1]) await resume(context, receiver)
  }
  return Object.assign(upkeep, part, { stop })
}

function describe({ what, receiver }: Happening): string {
  if (receiver !== undefined) return `receiver ${receiver + 1} ${what}`
  if (what === 'key') return 'the key is changed'
  return what === 'log' ? 'the log is rotated' : 'the certificate is changed'
}

async function perform(context: Context, { what, receiver = 0, isLong }: Happening) {
  const { receivers, front, service } = context.world
  const own = receivers[receiver === 0 ? 0 : 1]
  if (what === 'key') await changeKey(context)
  else if (what === 'certificate') front?.changeCertificate()
  else if (what === 'log') await rotateLog(service)
  else if (what === 'goes away') await disturb(context, own.goAway)
  else {
    await disturb(context, async () => {
      await own.comeBack()
      if (isLong) await resume(context, receiver)
    })
  }
}

/** What cuts attempts of webhooks off, which are repeated then. */
async function disturb({ world: { ledger } }: Context, act: () => Promise<void>): Promise<void> {
  ledger.disturbances.push(Date.now())
  await act()
  ledger.disturbances.push(Date.now())
}

/** Looks at a webhook that has failed for long, each so many milliseconds. */
const looks = { most: 60, pause: 500 }

/** Only a person resumes what was disabled, which may be a moment after the receiver is back. */
async function resume({ fleet, client, upkeep }: Context, receiver: number): Promise<void> {
  const path = `/v1/webhooks/${fleet.webhooks[receiver === 0 ? 0 : 1]}`
  for (let look = 0; look < looks.most; look += 1) {
    const { state } = (await client.call('GET', path)).data.health
    if (state === 'healthy') return
    if (state === 'disabled') {
      await client.call('POST', `${path}/resume`, {})
      upkeep.resumed += 1
      return
    }
    await sleep(looks.pause)
  }
}

/** As docs/operation.md tells: both keys, everything sealed again, the new one only. */
async function changeKey(context: Context): Promise<void> {
  const { world, upkeep } = context
  const { service, database, clock } = world
  const restart = (keys: string) =>
    disturb(context, async () => {
      await service.stop()
      await service.start(keys)
    })
  const both = `${secondKey},${firstKey}`
  await restart(both)
  const settings = settingsOf(database, both, clock, service.address)
  const { code, output, errors } = await runCommand(['seal'], settings)
  if (code !== 0) throw new Error(`"seal" ended with ${code}: ${errors}`)
  upkeep.sealed = output.trim().split('\n')[0] ?? ''
  await restart(secondKey)
  upkeep.restartedDay = dayNow(world)
}
