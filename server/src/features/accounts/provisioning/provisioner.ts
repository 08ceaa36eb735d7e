import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { doTogether } from '../../../db/together.ts'
import type { Region } from '../../../lora/regions.ts'
import { speaksAsModel } from '../../../networks/device-model.ts'
import type { NetworkConnection, NetworkDevice } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { noteFailedCall, noteSuccess } from '../connections/account-health.ts'
import { claimFromNow, isFinal, nextAttemptAt } from '../connections/attempts.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import { modelOf } from '../connections/device-profiles.ts'
import { listLanes } from '../connections/lane-queries.ts'
import { createNetworkWork, patienceMilliseconds } from '../connections/network-work.ts'
import * as claims from './claim-queries.ts'
import { isOfMove, postponeMoveCall, takeMoveFailure, takeMoveSuccess } from './move-outcomes.ts'
import * as outbox from './outbox-queries.ts'

/** Sends registrations, renames and removals of this service to the networks (ARCHITECTURE.md). */
interface Provisioner {
  /**
   * Makes the next call for a device, or waits for the process that is making it now. Returns
   * within the patience of a request, with what the network says to the owner of the device.
   */
  provisionNow(deviceId: number): Promise<string[]>
  /** The same for a gateway. */
  provisionGatewayNow(gatewayId: number): Promise<void>
  /** Makes every call that is due, in the background. */
  wake(): void
  /** Waits until no call is in progress. */
  idle(): Promise<void>
  /** Begins no more calls, and waits until none is in progress. */
  close(): Promise<void>
}

/** For endpoints that change what a network holds. */
export interface ProvisioningServices extends ConnectionServices {
  provisioner: Provisioner
}

export function createProvisioner(services: ConnectionServices): Provisioner {
  const { db, log, now, signals } = services
  const succeed = succeedTogether(db)
  const succeedAlone: Succeed = (task) => outbox.succeedAll(db, task.kind, [task])
  const reportFailure = (error: unknown) => log.error({ err: error }, 'provisioning failed')
  const work = createNetworkWork({
    list: () => listLanes(db, 'provisioning', now()),
    claim: async (lane, most) => {
      const tasks = await claims.claimOfLane(db, lane, claimFromNow(services), most)
      return tasks.map((task) => () => makeCall(services, task, succeed))
    },
    reportFailure,
  })
  const callOrWait = async (target: claims.Awaited, tell?: Tell) => {
    const giveUpAt = performance.now() + patienceMilliseconds
    const call = await claims.findAwaited(db, target, now())
    if (!call) return
    let isMade = false
    await work.inTurn(call.organizationId, async () => {
      if (work.isClosed() || performance.now() > giveUpAt) return
      const task = await claims.claimAwaited(db, target, claimFromNow(services))
      if (!task) return
      isMade = true
      await makeCall(services, task, succeedAlone, tell)
    })
    if (isMade) return
    const isOver = async () => {
      const known = work.isClosed() ? undefined : await claims.findAwaited(db, target, now())
      return known?.isUnderWay ? undefined : true
    }
    await signals.waitFor(topicOf(target), isOver, giveUpAt - performance.now())
  }
  return {
    async provisionNow(deviceId) {
      const told: string[] = []
      await work.waitFor(callOrWait({ deviceId }, (sentence) => void told.push(sentence)))
      return told
    },
    provisionGatewayNow: (gatewayId) => work.waitFor(callOrWait({ gatewayId })),
    wake: work.wake,
    idle: work.idle,
    close: work.close,
  }
}

/** Returns the signal that a call for a device or gateway has ended. */
function topicOf(target: claims.Awaited): string {
  return 'deviceId' in target ? `device ${target.deviceId}` : `gateway ${target.gatewayId}`
}

type Tell = (sentence: string) => void
type Succeed = (task: outbox.ProvisioningTask) => Promise<unknown>

/** How long a call that has succeeded waits for others in the background, in milliseconds. */
const gathering = 8

/**
 * Records calls of one organization that succeed at about the same time in one transaction. The
 * next ones are then claimed together too.
 */
function succeedTogether(db: Queryable): Succeed {
  const ofKind = (kind: outbox.Kind) =>
    doTogether(
      async (tasks: readonly outbox.ProvisioningTask[]) => {
        await outbox.succeedAll(db, kind, tasks)
        return tasks.map(() => undefined)
      },
      ({ organization_id }) => organization_id,
      { gathering },
    )
  const [device, gateway] = [ofKind('device'), ofKind('gateway')]
  return (task) => (task.kind === 'device' ? device(task) : gateway(task))
}

async function makeCall(
  services: ConnectionServices,
  task: outbox.ProvisioningTask,
  succeed: Succeed,
  tell?: Tell,
): Promise<void> {
  const { log, now, signals } = services
  const { id, eui, action } = task
  const tellAndLog = (reason: string) => {
    log.info({ task: id, eui, reason }, 'network')
    tell?.(reason)
  }
  try {
    const connection = await services.connections.open(task.account_id, task)
    if (task.kind === 'device') {
      await callAboutDevice(connection, task, services.sealer, tellAndLog)
    } else await callAboutGateway(connection, task)
    // Before `succeed`: a client that sees the finished call also sees the connected account.
    if (!task.is_account_well) await noteSuccess(services, task.account_id, connection)
    if (isOfMove(task)) await takeMoveSuccess(services, task, now())
    else await succeed(task)
  } catch (error) {
    if (error instanceof NetworkError) {
      log.warn({ task: id, eui, action, reason: error.message }, 'network')
      await takeRefusal(services, task, error)
    } else {
      // A call that cannot be made (for example, its secret cannot be opened) must not block the
      // others.
      log.error({ err: error, task: id, eui, action }, 'provisioning failed')
      await postponeForUs(services, task)
    }
  }
  signals.tell(`${task.kind} ${task.target_id}`)
  announce(services, task.organization_id, { kind: task.kind, id: task.target_id })
}

/** Calls the network about a device. Does nothing where devices are registered by hand. */
async function callAboutDevice(
  connection: NetworkConnection,
  task: outbox.DeviceTask,
  sealer: Sealer,
  tell: Tell,
): Promise<void> {
  if (task.action === 'remove') return connection.removeDevice?.(task.eui)
  // A device that was adopted without its key exists at the network, and cannot be added to it.
  const appKey = keyOf(task, sealer)
  if (task.action === 'rename' || appKey === undefined) {
    return connection.renameDevice?.(task.eui, task.name, task.position ?? undefined)
  }
  const device: NetworkDevice = {
    devEui: task.eui,
    joinEui: task.join_eui,
    appKey,
    name: task.name,
    ...(task.position && { place: task.position }),
    ...(task.app_region === null ? {} : { region: task.app_region as Region }),
    ...(task.frequency_plan === null ? {} : { frequencyPlan: task.frequency_plan }),
    ...profileOf(task),
    ...radioOf(task, sealer),
    ...modelIn(task),
    ...(!task.replaces_key && task.move_id === null && { keepsOtherKey: true }),
  }
  return connection.addDevice?.(device, tell)
}

function radioOf({ radio, sealed_network_key, target_id }: outbox.DeviceTask, sealer: Sealer) {
  if (!radio) return {}
  const key = sealed_network_key
  const networkKey = key && sealer.open(key, sealContext('networkKey', target_id))
  return { radio: { ...radio, ...(networkKey && { networkKey }) } }
}

/** Empty where the device gets the account's usual profile. */
function profileOf({ network_profile, device_profiles, type_id }: outbox.DeviceTask) {
  if (network_profile !== null) return { profile: network_profile }
  const profile = device_profiles[type_id]
  return profile === undefined ? {} : { profile, isProfileOfType: true as const }
}

function modelIn({ type_origin, radio, app_region: region }: outbox.DeviceTask) {
  const model = modelOf(type_origin)
  return model && speaksAsModel(model, { radio, region }) ? { model } : {}
}

/** A move may bring a key of its own. */
function keyOf({ moving_key, sealed_key, target_id }: outbox.DeviceTask, sealer: Sealer) {
  if (moving_key) return sealer.open(moving_key, sealContext('movingDeviceKey', target_id))
  return sealed_key ? sealer.open(sealed_key, sealContext('deviceKey', target_id)) : undefined
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
  const { eui: gatewayEui, name, position } = task
  const named = { gatewayEui, name, ...(position && { place: position }) }
  if (task.action === 'rename') return gateways.update(named)
  await gateways.add({
    ...named,
    settings: task.settings,
    ...(task.description === null ? {} : { description: task.description }),
    ...(task.region === null ? {} : { region: task.region as Region }),
  })
}

/** Puts off a call that failed for a reason of our own. */
async function postponeForUs(
  { db, now }: ConnectionServices,
  task: outbox.ProvisioningTask,
): Promise<void> {
  if (isOfMove(task)) return postponeMoveCall(db, task, now())
  await outbox.postpone(db, task, {
    nextAttemptAt: nextAttemptAt(now(), task.attempts),
    reason: 'internal error',
    isItsOwn: false,
  })
}

async function takeRefusal(
  { db, log, now }: ConnectionServices,
  task: outbox.ProvisioningTask,
  error: NetworkError,
): Promise<void> {
  await noteFailedCall(db, task.account_id, error, now())
  if (isOfMove(task)) return takeMoveFailure(db, task, error, now())
  if (isFinal(error)) {
    const { leftBehind } = error
    if (leftBehind === undefined) return outbox.refuse(db, task, error.message)
    log.warn({ task: task.id, eui: task.eui, reason: leftBehind }, 'removal at the network failed')
    return db.transaction(async (tx) => {
      await claims.turnIntoRemoval(tx, task, now())
      await outbox.refuse(tx, task, error.message)
    })
  }
  await outbox.postpone(db, task, {
    nextAttemptAt: nextAttemptAt(now(), task.attempts, error),
    reason: error.message,
    // Why a registration was refused says more than why it could not be undone.
    isItsOwn: task.action !== 'remove' && error.about !== undefined && error.about !== 'account',
  })
}
