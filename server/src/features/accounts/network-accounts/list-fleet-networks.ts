import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { networks } from '../../../networks/index.ts'
import type { Network } from '../../../networks/network.ts'
import type { UnreadMembers } from '../../../uplinks/receive/sender-queries.ts'
import { endpoint } from '../../core-services.ts'
import { verdictRecord } from '../../fleet/inventory/verdict.ts'
import {
  accountNameInAnswer,
  methodInAnswer,
  methodWithoutName,
} from '../connections/account-name.ts'
import { accountFieldRecord, isBrokerAlone, toAccountFields } from './account-record.ts'
import { callbackMessageOf, toAccountVerdict, withoutDetails } from './account-verdict.ts'
import {
  type AccountCount,
  type AccountState,
  countOfAccounts,
  listStates,
} from './fleet-network-queries.ts'

/** A member of the network's messages that is left out, as it is missing or cannot be used. */
const unreadMember = z
  .object(
    withExamples(
      {
        member: z.string(),
        count: z.int().describe('The messages that had it so.'),
        last_example: z.string().describe('What was there; `undefined` where it was missing.'),
        last_at: z.string(),
      },
      {
        member: 'gatewayId',
        count: 12,
        last_example: '"aa77bb88"',
        last_at: '2026-03-01T11:59:07.912000Z',
      },
    ),
  )
  .meta({ id: 'UnreadMember' })

/** The most frequent first. */
function toUnreadMembers(members: UnreadMembers): z.infer<typeof unreadMember>[] {
  return Object.entries(members)
    .map(([member, { count, example: last_example, last_at }]) => ({
      member,
      count,
      last_example,
      last_at,
    }))
    .sort((one, other) => other.count - one.count)
}

const methods = z.enum(['user_account', 'vendor'])
const time = z.string().nullable()

const capabilitiesRecord = z.object(
  withExamples(
    {
      registration: z.enum(['api', 'by_hand']),
      renames: z.boolean(),
      rekeys: z.boolean(),
      gateways: z.boolean(),
      callback: z.enum(['by_service', 'by_hand']).describe('Who enters the callback.'),
      mqtt: z.boolean(),
      downlinks: z.enum(['pushed', 'pulled']).nullable(),
      reports: z.array(z.enum(['sent', 'acknowledged', 'failed'])),
      cancel: z.enum(['one', 'flush', 'flush_own']).nullable(),
      lists: z.array(z.enum(['devices', 'gateways'])),
      tells_keys: z.boolean(),
      lorawan: z
        .array(z.enum(['1.1', 'abp', 'class_c']))
        .describe('What `lorawan` of a registration may ask for there.'),
      profile_field: z
        .string()
        .nullable()
        .describe('The account field that names the device profile; null where none is chosen.'),
    },
    {
      registration: 'api',
      renames: true,
      rekeys: true,
      gateways: true,
      callback: 'by_service',
      mqtt: true,
      downlinks: 'pushed',
      reports: ['sent', 'acknowledged', 'failed'],
      cancel: 'flush',
      lists: ['devices', 'gateways'],
      tells_keys: true,
      lorawan: ['1.1', 'abp', 'class_c'],
      profile_field: 'device_profile_id',
    },
  ),
)

const partOfAccount = {
  api: z.object(
    withExamples(
      {
        status: z.enum(['connected', 'unreachable', 'refused']),
        message: z.string(),
        failures: z.int().describe('Failed calls in a row.'),
        paused_until: time,
      },
      { status: 'connected', message: '', failures: 0, paused_until: null },
    ),
  ),
  callback: z.object(
    withExamples(
      {
        message: z.string().describe('What is wrong with it; empty when nothing is known to be.'),
        heard_at: time.describe('When the last uplink came by it.'),
        checked_at: time.describe('When the service last looked at it at the network.'),
      },
      { message: '', heard_at: '2026-03-01T11:59:00.000000Z', checked_at: null },
    ),
  ),
  mqtt: z
    .object(
      withExamples(
        {
          state: z.enum(['followed', 'unknown', 'failed']),
          message: z.string(),
          heard_at: time.describe('When the last uplink came by it.'),
        },
        { state: 'followed', message: '', heard_at: '2026-03-01T11:59:00.000000Z' },
      ),
    )
    .nullable()
    .describe('Null for an account that names no broker.'),
  counts: z.object(
    withExamples(
      {
        devices: z.int(),
        register_errors: z.int(),
        waiting_calls: z.int().describe('Queued calls about devices and gateways.'),
        waiting_downlinks: z.int(),
        quarantined: z.int(),
      },
      { devices: 12, register_errors: 0, waiting_calls: 0, waiting_downlinks: 1, quarantined: 0 },
    ),
  ),
}

const accountState = z.object({
  register_method: methods.meta({ examples: ['user_account'] }),
  ...accountNameInAnswer,
  ...withExamples(
    { is_own: z.boolean(), connected_at: z.string() },
    { is_own: true, connected_at: '2026-03-01T10:00:00.000000Z' },
  ),
  ...partOfAccount,
  verdict: verdictRecord,
  unread_members: z
    .array(unreadMember)
    .describe('What its messages had that could not be used; the rest of them is stored.'),
})

/** A network with its accounts, as an organization sees it. */
const fleetNetwork = z
  .object({
    ...withExamples(
      {
        key: z.string(),
        name: z.string(),
        id: z.int().nullable().describe('`network` of POST /devices; null without devices.'),
        docs: z
          .string()
          .nullable()
          .describe('The name of its page of documentation; null where there is none.'),
        lora_variant: z
          .string()
          .nullable()
          .describe('The network whose devices have a frequency plan or a gateway; null without.'),
        register_methods: z
          .array(methods)
          .describe('The methods for which there is an account, of the organization or operator.'),
      },
      {
        key: 'chirpstack',
        name: 'ChirpStack v4',
        id: 10,
        docs: 'chirpstack',
        lora_variant: null,
        register_methods: ['user_account'],
      },
    ),
    capabilities: capabilitiesRecord,
    fields: z.array(accountFieldRecord),
    accounts: z.array(accountState),
  })
  .meta({ id: 'FleetNetwork' })

interface Found {
  now: Date
  states: readonly AccountState[]
  counts: readonly AccountCount[]
}

function toFleetNetwork(network: Network, found: Found): z.infer<typeof fleetNetwork> {
  const states = found.states.filter((state) => state.network === network.key)
  return {
    key: network.key,
    name: network.name,
    id: network.id ?? null,
    docs: isBrokerAlone(network) ? null : network.key,
    lora_variant: network.loraVariant ?? null,
    register_methods: [...new Set(states.map((state) => methodWithoutName(state.register_method)))],
    capabilities: toCapabilities(network),
    fields: toAccountFields(network),
    accounts: states.map((state) => toState(network, state, found)),
  }
}

function toCapabilities({ capabilities: can, profileField, readBroker }: Network) {
  return {
    registration: can.registration,
    renames: can.renames ?? false,
    rekeys: can.rekeys ?? false,
    gateways: can.gateways ?? false,
    callback: can.callbacks ? ('by_service' as const) : ('by_hand' as const),
    mqtt: readBroker !== undefined,
    downlinks: can.downlinks ?? null,
    reports: [...(can.reports ?? [])],
    cancel: can.cancel ?? null,
    lists: [...(can.lists ?? [])],
    tells_keys: can.tellsKeys !== undefined,
    lorawan: [...(can.radio ?? [])],
    profile_field: profileField ?? null,
  }
}

const noCounts = {
  devices: 0,
  register_errors: 0,
  waiting_calls: 0,
  waiting_downlinks: 0,
  quarantined: 0,
}

/** Only the operator sees what an operator's account says about itself. */
function toState(network: Network, state: AccountState, { counts, now }: Found) {
  const { is_own } = state
  const own = counts.find(
    ({ network, register_method }) =>
      network === state.network && register_method === state.register_method,
  )
  const {
    network: _network,
    register_method: _method,
    ...numbers
  } = own ?? {
    network: '',
    register_method: '',
    ...noCounts,
  }
  return {
    ...methodInAnswer(state.register_method),
    is_own,
    connected_at: isoTime(state.created_at),
    api: {
      status: state.status,
      message: is_own ? state.status_message : '',
      failures: state.failures,
      paused_until: timeOf(state.paused_until),
    },
    callback: {
      message: is_own ? callbackMessageOf(state) : '',
      heard_at: is_own ? timeOf(state.callback_heard_at) : null,
      checked_at: is_own ? timeOf(state.callback_checked_at) : null,
    },
    mqtt: is_own && state.has_broker ? brokerOf(state, isBrokerAlone(network)) : null,
    counts: numbers,
    verdict: toAccountVerdict(is_own ? state : withoutDetails(state), now),
    unread_members: is_own ? toUnreadMembers(state.unread_members) : [],
  }
}

/** Where there is no API, the status of the account is that of its broker. */
function brokerOf(account: AccountState, isAlone: boolean) {
  const message = isAlone ? account.status_message : account.broker_message
  const isFollowed = isAlone ? account.status === 'connected' : message === ''
  const state = isFollowed ? 'followed' : message === null ? 'unknown' : 'failed'
  return { state, message: message ?? '', heard_at: timeOf(account.broker_heard_at) } as const
}

function timeOf(moment: Moment | null): string | null {
  return moment === null ? null : isoTime(moment)
}

export const listFleetNetworks = endpoint({
  summary: 'Every network, what it can do, and the state of the accounts at it',
  description:
    "An operator's account (`vendor`) that other organizations may use is listed for them only with its status; `counts` are those of the organization.",
  answer: z.object({ data: z.array(fleetNetwork), total: z.int().meta({ examples: [1] }) }),
  async handle({ caller: { organizationId } }, { db, now }) {
    const time = now()
    const keys = networks.map(({ key }) => key)
    const states = await listStates(db, organizationId)
    const methods = [...new Set(states.map((state) => state.register_method))]
    const counts = await countOfAccounts(db, organizationId, { networks: keys, methods })
    const data = networks.map((network) => toFleetNetwork(network, { states, counts, now: time }))
    return { data, total: data.length }
  },
})
