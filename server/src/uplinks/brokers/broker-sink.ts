import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import { isPassing } from '../../db/errors.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import type { MessageSink } from '../../networks/mqtt/broker.ts'
import type { NetworkMessage } from '../../networks/network-message.ts'
import type { StoreDeviceEvent } from '../receive/device-events.ts'
import type { HeardAccounts } from '../receive/heard-accounts.ts'
import { deadlineFromNow, receiveMessages } from '../receive/receive-messages.ts'
import { QueueFull } from '../store/arrival.ts'
import type { IngestQueue } from '../store/ingest-queue.ts'
import { keepInQuarantine } from '../store/quarantine.ts'
import type { BrokerHealth } from './broker-health.ts'
import type { HeldMessages } from './held-messages.ts'

interface Dependencies {
  ingestDb: Database
  ingest: IngestQueue
  log: FastifyBaseLogger
  heardAccounts: HeardAccounts
  storeDeviceEvent: StoreDeviceEvent
  heldMessages: HeldMessages
}

/**
 * The most tries of a message that fails with a permanent error. With the pauses they take about 15
 * s.
 */
const mostTries = 5

/**
 * Stores the messages that a broker delivers for an account. A message that cannot be stored goes
 * to the quarantine after some tries: without an acknowledgement it would delay all later messages.
 */
export function createBrokerSink(
  dependencies: Dependencies,
  account: SendingAccount,
  health: BrokerHealth,
): MessageSink {
  const { log, heldMessages } = dependencies
  const tries = new WeakMap<NetworkMessage, number>()
  return {
    room: heldMessages.roomOf(account),
    async store(content, message) {
      health.hear()
      try {
        await receiveMessages(dependencies, {
          account,
          way: 'broker',
          contents: [content],
          message,
          deadline: deadlineFromNow(),
        })
      } catch (error) {
        if (error instanceof QueueFull || isPassing(error)) throw error
        const count = (tries.get(content) ?? 0) + 1
        tries.set(content, count)
        if (count < mostTries) throw error
        log.error({ account: account.id, err: error }, 'a message cannot be stored')
        await putAside(dependencies, account, content, message)
      }
    },
    reportProblem: (problem) => log.warn({ account: account.id, problem }, 'broker'),
    noteBroker: health.note,
  }
}

/**
 * Puts a message into the quarantine. If the quarantine cannot hold it either, only the log has it.
 */
async function putAside(
  { ingestDb, log }: Dependencies,
  account: SendingAccount,
  content: NetworkMessage,
  message: Buffer,
): Promise<void> {
  const devEui = 'devEui' in content ? content.devEui : undefined
  const key = 'deduplicationKey' in content ? content.deduplicationKey : ''
  const put = {
    organization_id: account.organizationId,
    network_account_id: account.id,
    reason: 'not_storable' as const,
    detail: 'It could not be stored.',
    device_eui: devEui ?? '',
    deduplication_key: `${content.kind} ${key}`,
    message,
    uplink: undefined,
  }
  try {
    await keepInQuarantine(ingestDb, [put])
  } catch (error) {
    if (isPassing(error)) throw error
    log.error(
      { account: account.id, err: error, message: message.toString('hex') },
      'a message is lost',
    )
  }
}
