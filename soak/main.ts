import { parseArgs } from 'node:util'
import { createTeller, readNumber, untilInterrupted } from '../server/test/long-run.ts'
import { judge } from './check.ts'
import { createClient } from './client.ts'
import { collectFacts } from './collect.ts'
import { noteTransmitted, startCommands } from './commands.ts'
import { euiOf, makeFleet } from './fleet.ts'
import { createLedger, noteArrival } from './ledger.ts'
import { planSoak, type SoakPlan } from './plan.ts'
import { startSampling } from './samples.ts'
import { describeOutcome, type Outcome } from './summary.ts'
import { startTraffic } from './traffic.ts'
import { startUpkeep } from './upkeep.ts'
import { startViewers } from './viewers.ts'
import { beginDays, dayNow, type Scope, startWorld, type World } from './world.ts'

const help = `npm run soak -- [options]

Weeks in hours: runs the service on a clock that passes days in minutes, with a fleet that sends, receivers
of webhooks that come and go, people who look and export, and an operator. Then compares a ledger outside
the service with what is there, and looks whether memory, files, connections, tables and disk were flat.
Everything is on loopback and in temporary directories.

  --devices <number>   how many send once a day (1000)
  --days <number>      how many days pass, 10 to 365 (30)
  --minutes <number>   in how many minutes (30)
  --seed <number>      the same seed loses, repeats and resets the same (1)
  --help               shows this

The exit status is 1 when something is not as it must be.`

const tell = createTeller()
/** With fewer, nothing is old enough to be deleted. Later, what the ledger has is deleted, too. */
const daysAllowed = { fewest: 10, most: 365 }

function readSettings(): SoakPlan | undefined {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '1000' },
      days: { type: 'string', default: '30' },
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const days = Math.floor(Number(values.days))
  const { fewest, most } = daysAllowed
  if (!(days >= fewest && days <= most)) {
    throw new Error(
      `--days must be ${fewest} to ${most}: the service keeps ended downlinks and closed alerts for a year.`,
    )
  }
  return planSoak({
    devices: Math.floor(readNumber('devices', values.devices, 100_000)),
    days,
    minutes: readNumber('minutes', values.minutes, 10_000),
    seed: readNumber('seed', values.seed, 1_000_000),
  })
}

/** Runs everything, and removes it again. */
async function run(plan: SoakPlan) {
  await using ends = new AsyncDisposableStack()
  const scope = { after: (end: () => Promise<void>) => ends.defer(end) }
  // Awaited here: otherwise everything would be removed while it runs.
  return await untilInterrupted(live(scope, plan))
}

async function live(scope: Scope, plan: SoakPlan): Promise<Outcome> {
  const ledger = createLedger(plan.devices * plan.days)
  const world = await startWorld(scope, { plan, ledger, tell })
  const operator = createClient(world.service.address)
  const fleet = await makeFleet(world, operator)
  await beginDays(world)
  tell(`${plan.days} days begin, ${(plan.dayLength / 1000).toFixed(1)} s each`)
  const people = createClient(world.front?.address ?? world.service.address, world.front?.agent)
  const hearing = startHearing(world)
  const traffic = startTraffic(world, fleet)
  const commands = startCommands(world, operator)
  const viewers = startViewers(world, fleet, people)
  const upkeep = startUpkeep(world, fleet, operator)
  const sampling = startSampling(world)
  scope.after(async () => traffic.abandon())
  const telling = setInterval(() => {
    tell(`day ${dayNow(world).toFixed(1)}: ${traffic.turns()} turns, ${ledger.events.size} events`)
  }, 30_000)
  const parts = [upkeep, commands, viewers, sampling]
  // Whatever fails ends the run.
  const failure = Promise.race([...parts, world.service].map(({ failed }) => failed))
  await Promise.race([traffic.over, failure]).finally(() => clearInterval(telling))
  const finish = async () => {
    for (const part of parts) await part.stop()
    return collectFacts(world)
  }
  const collected = await Promise.race([finish(), failure])
  const endDay = dayNow(world)
  await hearing.stop()
  for (let device = 0; device < plan.devicesAtNetwork; device += 1) {
    noteTransmitted(world, euiOf(device))
  }
  const { clock } = world
  const hops = Array.from(
    { length: clock.hops },
    (_, at) => clock.begin + (at + 1) * clock.interval,
  )
  const facts = {
    ...{ plan, ledger, endDay, hops, ...collected, transmitted: ledger.transmitted },
    steadyDay: Math.max(plan.days / 4, upkeep.restartedDay + 1),
    ...{ behind: traffic.behind(), joins: traffic.joins() },
    ...{ samples: sampling.samples, resumed: upkeep.resumed },
    ...{ answered: sumOf(viewers.answers), failures: viewers.failures },
  }
  return { facts, viewers, upkeep, logins: operator.logins() + people.logins() }
}

/** Between two looks into what has arrived, in milliseconds. */
const hearingPause = 200

/** Moves what the receivers got into the ledger. */
function startHearing({ receivers, ledger }: World) {
  const hear = () => {
    for (const { received } of receivers) {
      for (const arrival of received.splice(0)) noteArrival(ledger, arrival, Date.now())
    }
  }
  const timer = setInterval(hear, hearingPause)
  return {
    async stop() {
      clearInterval(timer)
      hear()
    },
  }
}

function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

try {
  const plan = readSettings()
  if (plan) {
    const outcome = await run(plan)
    const verdicts = judge(outcome.facts)
    process.stdout.write(`${describeOutcome(outcome, verdicts).join('\n')}\n`)
    process.exit(verdicts.some(({ violations }) => violations.length > 0) ? 1 : 0)
  } else process.stdout.write(`${help}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
  // What is still under way has lost everything that it works on.
  process.exit(1)
}
