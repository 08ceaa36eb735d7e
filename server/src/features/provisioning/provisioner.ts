import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import type { Region } from '../../lora/regions.ts'
import { type NetworkConnection, NetworkError } from '../../networks/network.ts'
import { deviceKeyContext } from '../devices/registration.ts'
import { noteStatus } from '../network-accounts/account-queries.ts'
import type { NetworkConnections } from '../network-accounts/connections.ts'
import { noteFailedCall } from '../network-accounts/note-failed-call.ts'
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

/** Beyond the deadlines of all calls that one task can make, so that none is made twice at once. */
const claimMilliseconds = 60_000
/** How long POST /devices waits for the network before it answers `pending`. */
const patienceMilliseconds = 8_000
const pollMilliseconds = 20
const longestPause = 5 * 60_000
/** Calls under way at once. */
const parallelism = 8

interface Dependencies {
  db: Database
  sealer: Sealer
  log: FastifyBaseLogger
  now(): Date
  connections: NetworkConnections
}

export function createProvisioner(dependencies: Dependencies): Provisioner {
  const running = new Set<Promise<unknown>>()
  let isClosed = false

  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    const forget = () => running.delete(work)
    work.then(forget, forget)
    return work
  }
  const drain = async () => {
    while (!isClosed && (await runNext(dependencies))) {}
  }
  const callOrWait = async (target: Target) => {
    if (await runNext(dependencies, target)) return
    const giveUpAt = performance.now() + patienceMilliseconds
    const { db, now } = dependencies
    while (await outbox.isUnderWay(db, target, now())) {
      if (isClosed || performance.now() > giveUpAt) return
      await sleep(pollMilliseconds)
    }
  }
  const provision = async (target: Target) => {
    const work = track(
      callOrWait(target).catch((error) => {
        // What was registered stays so, and its call in the outbox.
        dependencies.log.error({ err: error, ...target }, 'provisioning failed')
      }),
    )
    await Promise.race([work, patience(work)])
  }
  const idle = async () => {
    while (running.size > 0) await Promise.allSettled(running)
  }
  return {
    provisionNow: (deviceId) => provision({ deviceId }),
    provisionGatewayNow: (gatewayId) => provision({ gatewayId }),
    wake() {
      if (isClosed || running.size >= parallelism) return
      track(drain()).catch((error) => dependencies.log.error({ err: error }, 'provisioning failed'))
    },
    idle,
    async close() {
      isClosed = true
      await idle()
    },
  }
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

type Target = { deviceId: number } | { gatewayId: number }

/** Claims and makes one call; false when none is due. */
async function runNext(dependencies: Dependencies, target?: Target): Promise<boolean> {
  const { db, log } = dependencies
  const now = dependencies.now()
  const claimedUntil = new Date(now.getTime() + claimMilliseconds)
  const task = await outbox.claim(db, { now, claimedUntil, ...target })
  if (!task) return false
  try {
    const connection = await dependencies.connections.open(task.account_id)
    if (task.kind === 'device') await callAboutDevice(connection, task, dependencies.sealer)
    else await callAboutGateway(connection, task)
    // First: whoever sees that it is done sees that the network is there.
    await noteAnswer(dependencies, task)
    await outbox.succeed(db, task)
  } catch (error) {
    const { id, eui, action } = task
    if (error instanceof NetworkError) {
      log.warn({ task: id, eui, action, reason: error.message }, 'network')
      await takeRefusal(dependencies, task, error)
    } else {
      // One call that cannot be made (a secret that does not open, say) holds up no other.
      log.error({ err: error, task: id, eui, action }, 'provisioning failed')
      await outbox.postpone(db, task, nextAttempt(task, now), 'internal error')
    }
  }
  return true
}

function callAboutDevice(
  connection: NetworkConnection,
  task: outbox.DeviceTask,
  sealer: Sealer,
): Promise<void> {
  if (task.action === 'remove') return connection.removeDevice(task.eui)
  // A device that was adopted without its key is at the network, and cannot be added to it.
  if (task.action === 'rename' || task.sealed_key === null) {
    return connection.renameDevice(task.eui, task.name)
  }
  return connection.addDevice({
    devEui: task.eui,
    joinEui: task.join_eui,
    appKey: sealer.open(task.sealed_key, deviceKeyContext(task.target_id)),
    name: task.name,
    ...(task.app_region === null ? {} : { region: task.app_region as Region }),
    ...(task.frequency_plan === null ? {} : { frequencyPlan: task.frequency_plan }),
  })
}

async function callAboutGateway(
  { gateways }: NetworkConnection,
  task: outbox.GatewayTask,
): Promise<void> {
  if (!gateways) throw new NetworkError('refused', 'The network takes no gateways from here.')
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

/** Calls put off while the network was away are due at once when it is back. */
async function noteAnswer(
  { db, now }: Dependencies,
  { account_id, ...task }: outbox.ProvisioningTask,
): Promise<void> {
  const isBack = await noteStatus(db, account_id, 'connected', '')
  if (!isBack) return
  const { organization_id: organizationId, register_method: registerMethod, network } = task
  await outbox.hurry(db, { organizationId, network, registerMethod }, now())
}

async function takeRefusal(
  { db, now }: Dependencies,
  task: outbox.ProvisioningTask,
  error: NetworkError,
): Promise<void> {
  if (error.kind === 'refused') return outbox.refuse(db, task, error.message)
  await noteFailedCall(db, task.account_id, error)
  await outbox.postpone(db, task, nextAttempt(task, now()), error.message)
}

function nextAttempt(task: outbox.ProvisioningTask, now: Date): Date {
  const pause = Math.min(longestPause, 1000 * 2 ** Math.min(task.attempts, 10))
  // Up to a quarter more, so that a thousand devices do not come back in the same second.
  return new Date(now.getTime() + pause * (1 + 0.25 * Math.random()))
}
