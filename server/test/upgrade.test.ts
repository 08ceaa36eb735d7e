import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFormerCommit, unpackRelease } from './former-release.ts'
import { type Process, prepareProcesses } from './several-processes.ts'
import {
  addDevices,
  brokerEui,
  countDoubleSessions,
  startDownlinks,
  startPublishing,
} from './several-processes-traffic.ts'
import { countWrong, readStored } from './stored-uplinks.ts'
import { startSenders, type Tenant } from './traffic.ts'
import { until } from './until.ts'

/*
 * `npm run upgrade-check -- --from REF` runs it from any commit. Without one it begins at the last
 * commit that lacks the newest migration.
 */

const named = process.env.UPGRADE_FROM
const former = named ?? (await findFormerCommit())
const skip = former === undefined && 'there is no history of the code here'
const uplinksBetween = 150
/** Milliseconds between two requests of a member. */
const pause = 100

test('an upgrade process by process refuses nothing, loses nothing and does nothing twice', {
  timeout: 300_000,
  skip,
}, async (t) => {
  const release = await unpackRelease(former ?? '').catch((error: Error) => {
    if (named !== undefined) throw error
    t.skip(error.message)
  })
  if (!release) return
  t.after(release.remove)
  t.diagnostic(`from ${release.ref}`)
  const mains = [release.main, release.main, undefined, undefined]
  const prepared = await prepareProcesses(t, mains.length, { mains, isEmpty: true })
  const { database, broker, simulator, address, processes, tenants } = prepared
  const [old, otherOld, fresh, otherFresh] = processes
  const [first] = tenants
  assert.ok(old && otherOld && fresh && otherFresh && first)
  const doubles = countDoubleSessions(broker.broker)
  await addDevices(address, first, simulator)
  await otherOld.start()

  const traffic = startSenders(tenants)
  t.after(traffic.abandon)
  const downlinks = startDownlinks(address, first, simulator)
  t.after(downlinks.stop)
  const published = startPublishing(broker.publish, simulator.applicationId)
  t.after(published.stop)
  const member = startMember(address, first)
  t.after(member.stop)
  const steps = [
    () => fresh.start(),
    () => stop(old),
    () => otherFresh.start(),
    () => stop(otherOld),
  ]
  for (const step of steps) {
    await step()
    await traffic.receive(uplinksBetween)
    await downlinks.acknowledge(1)
  }
  await traffic.finish()
  await Promise.all([downlinks.stop(), published.stop(), member.stop()])
  t.diagnostic(
    `${traffic.acknowledged.size} uplinks, ${traffic.refusals} tries without an answer,` +
      ` ${traffic.refusedAfter.length} refusals, ${member.done()} requests of a member`,
  )
  assert.equal(traffic.refusedAfter.length, 0, 'no uplink is refused')
  await downlinks.check()
  await until(async () => {
    const { uplinks } = await readStored(database.db)
    return uplinks.filter((key) => key.includes(brokerEui)).length === published.keys.length
  }, 'all of the broker are stored')
  const { uplinks, quarantined } = await readStored(database.db)
  assert.deepEqual(
    [...uplinks, ...quarantined].sort(),
    [...traffic.acknowledged, ...published.keys].sort(),
  )
  for (const [what, wrong] of Object.entries(await countWrong(database.db))) {
    assert.equal(wrong, 0, what)
  }
  assert.equal(doubles.count, 0, 'no two processes follow the broker at once')
  checkLogs(t, processes)
})

async function stop(each: Process): Promise<void> {
  assert.deepEqual(await each.stop(), { code: 0, signal: null })
}

/**
 * A member who logs in and reads all the time. Fails at the first answer that is not as usual. A
 * request whose connection ends before its answer is made again, as browsers do it.
 */
function startMember(address: string, { headers }: Tenant) {
  let isOver = false
  let done = 0
  const get = (path: string) => fetch(`${address}/v1${path}`, { headers })
  const logIn = () =>
    fetch(`${address}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.test', password: 'an invented pass phrase' }),
    })
  const requests = [
    logIn,
    () => get('/devices'),
    () => get('/devices/all/uplink?itemsPerPage=10'),
    () => get('/gateways'),
    () => get('/user/get-org-user/me'),
  ]
  const work = async () => {
    for (let number = 0; !isOver; number += 1) {
      await sleep(pause)
      const answer = await requests[number % requests.length]?.().catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (text === undefined) continue
      assert.equal(answer?.status, 200, `${answer?.url}: ${text}`)
      done += 1
    }
  }
  const working = work()
  working.catch(() => {})
  return {
    done: () => done,
    async stop() {
      isOver = true
      await working
    },
  }
}

/** Neither release met something that it could not handle. */
function checkLogs(t: TestContext, processes: readonly Process[]): void {
  for (const { output } of processes) {
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const told = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
    for (const line of told) t.diagnostic(`log: ${JSON.stringify(line).slice(0, 600)}`)
    assert.deepEqual(
      told.filter(({ level }) => level >= 50),
      [],
    )
    assert.deepEqual(
      told.filter(({ msg }) => msg === 'job failed'),
      [],
    )
  }
}
