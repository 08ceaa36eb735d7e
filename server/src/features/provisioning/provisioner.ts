import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Presence } from '../../db/presence.ts'
import type { Sealer } from '../../db/seal.ts'
import { sealContext } from '../../db/sealed-columns.ts'
import type { Signals } from '../../db/signals.ts'
import type { Region } from '../../lora/regions.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteFailedCall, noteSuccess } from '../connections/account-health.ts'
import { createAwaitedCalls } from '../connections/awaited-calls.ts'
import type { ConnectionServices, NetworkConnections } from '../connections/connections.ts'
import { listLanes } from '../connections/lane-queries.ts'
import { createLanes } from '../connections/network-work.ts'
import * as claims from './claim-queries.ts'
import * as outbox from './outbox-queries.ts'

/** Tells the networks what was registered, renamed and deleted here (ARCHITECTURE.md). */
export interface Provisioner {
  /**
   * Makes the next call for a device, or waits for whoever is making it just now; returns within
   * the patience of a request.
   */
  provisionNow(deviceId: number): Promise<void>
  /** The same for a gateway. */
  provisionGatewayNow(gatewayId: number): Promise<void>
  /** Makes every call that is due, in the background. */
  wake(): void
  /** Waits until no call is under way. */
  idle(): Promise<void>
  /** The same, and none is begun after it. */
  close(): Promise<void>
}

/** For endpoints that change what a network holds. */
export interface ProvisioningServices extends ConnectionServices {
  provisioner: Provisioner
}

/** Beyond the deadlines of all calls that one task can make, so that none is made twice at once. */
const claimMilliseconds = 60_000
/** How long POST /devices waits for the network before it answers `pending`. */
const patienceMilliseconds = 8_000
const longestPause = 5 * 60_000

interface Dependencies {
  db: Database
  sealer: Sealer
  log: FastifyBaseLogger
  now(): Date
  connections: NetworkConnections
  signals: Signals
  presence: Presence
}

export function createProvisioner(dependencies: Dependencies): Provisioner {
  const { db, log, now, signals, presence } = dependencies
  const awaited = new Set<Promise<unknown>>()
  const { inTurn } = createAwaitedCalls()
  let isClosed = false
  const claiming = () => {
    const time = now()
    const claimedUntil = new Date(time.getTime() + claimMilliseconds)
    return { now: time, claimedUntil, claimedBy: presence.id }
  }

  const lanes = createLanes({
    list: () => listLanes(db, 'provisioning', now()),
    claim: async (lane, most) => {
      const tasks = await claims.claimOfLane(db, lane, claiming(), most)
      return tasks.map((task) => () => makeCall(dependencies, task))
    },
    reportFailure: (error) => log.error({ err: error }, 'provisioning failed'),
  })
  const callOrWait = async (target: claims.Awaited) => {
    const giveUpAt = performance.now() + patienceMilliseconds
    const call = await claims.findAwaited(db, target, now())
    if (!call) return
    let isMade = false
    await inTurn(call.organizationId, async () => {
      if (isClosed || performance.now() > giveUpAt) return
      const task = await claims.claimAwaited(db, target, claiming())
      if (!task) return
      isMade = true
      await makeCall(dependencies, task)
    })
    if (isMade) return
    const isOver = async () => {
      const known = isClosed ? undefined : await claims.findAwaited(db, target, now())
      return known?.isUnderWay ? undefined : true
    }
    await signals.waitFor(topicOf(target), isOver, giveUpAt - performance.now())
  }
  const provision = async (target: claims.Awaited) => {
    const work = callOrWait(target).catch((error) => {
      // What was registered stays so, and its call in the outbox.
      log.error({ err: error, ...target }, 'provisioning failed')
    })
    awaited.add(work)
    void work.then(() => awaited.delete(work))
    await Promise.race([work, patience(work)])
  }
  const idle = async () => {
    while (awaited.size > 0) await Promise.all(awaited)
    await lanes.idle()
  }
  return {
    provisionNow: (deviceId) => provision({ deviceId }),
    provisionGatewayNow: (gatewayId) => provision({ gatewayId }),
    wake: lanes.wake,
    idle,
    async close() {
      isClosed = true
      lanes.close()
      await idle()
    },
  }
}

/** What is told when a call about a device or gateway has come to its end. */
function topicOf(target: claims.Awaited): string {
  return 'deviceId' in target ? `device ${target.deviceId}` : `gateway ${target.gatewayId}`
}

/** Resolves when the caller should stop waiting for `work`. */
function patience(work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMilliseconds)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(finish, finish)
  })
}

/** Makes a call that was claimed, and notes what came of it. */
async function makeCall(dependencies: Dependencies, task: outbox.ProvisioningTask): Promise<void> {
  const { db, log, now, signals } = dependencies
  try {
    const connection = await dependencies.connections.open(task.account_id, task)
    if (task.kind === 'device') await callAboutDevice(connection, task, dependencies.sealer)
    else await callAboutGateway(connection, task)
    // First: whoever sees that it is done sees that the network is there.
    if (!task.is_account_well) await noteSuccess(dependencies, task.account_id, connection)
    await outbox.succeed(db, task)
  } catch (error) {
    const { id, eui, action } = task
    if (error instanceof NetworkError) {
      log.warn({ task: id, eui, action, reason: error.message }, 'network')
      await takeRefusal(dependencies, task, error)
    } else {
      // One call that cannot be made (a secret that does not open, say) holds up no other.
      log.error({ err: error, task: id, eui, action }, 'provisioning failed')
      const nextAttemptAt = nextAttempt(task, now())
      const reason = 'internal error'
      await outbox.postpone(db, task, { nextAttemptAt, reason, isItsOwn: false })
    }
  }
  signals.tell(`${task.kind} ${task.target_id}`)
}

/** Where devices are registered by hand, there is nothing to call. */
async function callAboutDevice(
  connection: NetworkConnection,
  task: outbox.DeviceTask,
  sealer: Sealer,
): Promise<void> {
  if (task.action === 'remove') return connection.removeDevice?.(task.eui)
  // A device that was adopted without its key is at the network, and cannot be added to it.
  if (task.action === 'rename' || task.sealed_key === null) {
    return connection.renameDevice?.(task.eui, task.name)
  }
  return connection.addDevice?.({
    devEui: task.eui,
    joinEui: task.join_eui,
    appKey: sealer.open(task.sealed_key, sealContext('deviceKey', task.target_id)),
    name: task.name,
    ...(task.app_region === null ? {} : { region: task.app_region as Region }),
    ...(task.frequency_plan === null ? {} : { frequencyPlan: task.frequency_plan }),
  })
}

async function callAboutGateway(
  { gateways }: NetworkConnection,
  task: outbox.GatewayTask,
): Promise<void> {
  if (!gateways) {
    const words = 'The network takes no gateways from here.'
    throw new NetworkError('refused', words, { about: 'gateway' })
  }
  if (task.action === 'remove') return gateways.remove(task.eui)
  if (task.action === 'rename') return gateways.update({ gatewayEui: task.eui, name: task.name })
  await gateways.add({
    gatewayEui: task.eui,
    name: task.name,
    settings: task.settings,
    ...(task.description === null ? {} : { description: task.description }),
    ...(task.region === null ? {} : { region: task.region as Region }),
  })
}

async function takeRefusal(
  { db, now }: Dependencies,
  task: outbox.ProvisioningTask,
  error: NetworkError,
): Promise<void> {
  await noteFailedCall(db, task.account_id, error, now())
  const isFinal = error.kind === 'refused' && error.about !== 'account'
  if (isFinal) return outbox.refuse(db, task, error.message)
  const nextAttemptAt = nextAttemptAfter(task, error, now())
  const isItsOwn = error.about !== undefined && error.about !== 'account'
  await outbox.postpone(db, task, { nextAttemptAt, reason: error.message, isItsOwn })
}

/** Who is asked to slow down is given a turn; what fails by itself waits longer each time. */
function nextAttemptAfter(
  task: outbox.ProvisioningTask,
  { kind, retryAfterMs }: NetworkError,
  now: Date,
): Date {
  const isPaced = kind === 'slow_down' && retryAfterMs !== undefined
  return isPaced ? new Date(now.getTime() + retryAfterMs) : nextAttempt(task, now)
}

function nextAttempt(task: outbox.ProvisioningTask, now: Date): Date {
  const pause = Math.min(longestPause, 1000 * 2 ** Math.min(task.attempts, 10))
  // Up to a quarter more, so that a thousand devices do not come back in the same second.
  return new Date(now.getTime() + pause * (1 + 0.25 * Math.random()))
}
