import { parseArgs } from 'node:util'
import { createTeller, readNumber, untilInterrupted } from '../server/test/long-run.ts'
import { findViolations, promises, type Violation } from './check.ts'
import { createClient } from './client.ts'
import { collectFacts } from './collect.ts'
import { noteTransmitted, startCommands } from './commands.ts'
import type { Facts } from './facts.ts'
import { euiOf, makeFleet } from './fleet.ts'
import { createLedger, noteArrival } from './ledger.ts'
import { planSoak, type SoakPlan } from './plan.ts'
import { describeSamples } from './sample-table.ts'
import { startSampling } from './samples.ts'
import { startTraffic } from './traffic.ts'
import { startUpkeep, type Upkeep } from './upkeep.ts'
import { startViewers, type Viewers } from './viewers.ts'
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

interface Outcome {
  facts: Facts
  viewers: Viewers
  upkeep: Upkeep
  logins: number
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
    ...{ samples: sampling.samples, failures: viewers.failures },
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

const mostShown = 5

function summarize({ facts, viewers, upkeep, logins }: Outcome, violations: Violation[]): void {
  const { ledger, counter, stored, alerts, plan } = facts
  const lines: string[] = describeSamples(facts)
  for (const promised of promises) {
    const own = violations.filter((violation) => violation.promised === promised)
    lines.push(...own.slice(0, mostShown).map(({ text }) => `VIOLATED ${promised}: ${text}`))
    if (own.length > mostShown) lines.push(`and ${own.length - mostShown} more of ${promised}`)
  }
  const states = Map.groupBy(facts.downlinks, ({ state }) => state)
  const broken = new Set(violations.map(({ promised }) => promised)).size
  lines.push(
    `uplinks: ${counter.uplinks} counted, ${stored.rows} kept for ${plan.keptDays} days; ${ledger.repeated} sent twice, ${ledger.refused} posts refused and repeated, at most ${facts.behind.toFixed(2)} days behind`,
    `events: ${ledger.events.size} besides uplinks, ${ledger.repetitions.length} came again; ${facts.joins} joins; alerts: ${alerts.open} open, ${alerts.closed} closed; webhooks resumed: ${upkeep.resumed}`,
    `downlinks: ${[...states].map(([state, same]) => `${same.length} ${state}`).join(', ')}`,
    `people: ${Object.entries(viewers.answers)
      .map(([what, number]) => `${number} ${what}`)
      .join(', ')} answers, ${viewers.exported()} rows exported, ${logins} logins`,
    `operator: ${upkeep.done.length} acts; ${upkeep.sealed}`,
    `${promises.length - broken} passed, ${broken} failed`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
}

try {
  const plan = readSettings()
  if (plan) {
    const found = await run(plan)
    const violations = findViolations(found.facts)
    summarize(found, violations)
    process.exit(violations.length > 0 ? 1 : 0)
  } else process.stdout.write(`${help}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
  // What is still under way has lost everything that it works on.
  process.exit(1)
}
