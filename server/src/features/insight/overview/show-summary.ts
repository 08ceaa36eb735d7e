import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { findNetwork } from '../../../networks/index.ts'
import { toAccountVerdict } from '../../accounts/network-accounts/account-verdict.ts'
import {
  type AccountState,
  listStates,
} from '../../accounts/network-accounts/fleet-network-queries.ts'
import { endpoint } from '../../core-services.ts'
import { verdictCountFields, verdictRecord } from '../../fleet/inventory/verdict.ts'
import * as queries from './summary-queries.ts'
import { createHourCounts, type UplinkHours } from './uplink-hours.ts'

/** Problems of each kind that are named. */
const mostNamed = 5

const problem = z.object(
  withExamples(
    {
      did: z.int(),
      device_id: z.string(),
      device_name: z.string(),
      last_seen: z.string().nullable(),
      message: z.string().nullable(),
    },
    {
      did: 102,
      device_id: '00AA000000000002',
      device_name: 'Back door',
      last_seen: '2026-02-28T09:12:44.000000Z',
      message: null,
    },
  ),
)

const summary = z
  .object({
    devices: z.object(
      withExamples(
        {
          total: z.int(),
          ...verdictCountFields,
          never_heard: z.int(),
          low_battery: z.int(),
          tampered: z.int(),
          pending: z.int(),
          register_error: z.int(),
          waiting: z.int().describe('With downlinks that are not sent yet.'),
        },
        {
          total: 3412,
          ...{ ok: 3373, new: 1, silent: 14, attention: 23, inactive: 1, heard: 3396 },
          never_heard: 3,
          low_battery: 21,
          tampered: 2,
          pending: 1,
          register_error: 1,
          waiting: 6,
        },
      ),
    ),
    gateways: z.object(
      withExamples(
        {
          total: z.int(),
          ok: z.int(),
          new: z.int().describe('Never heard, and registered within 48 hours.'),
          silent: z
            .int()
            .describe('Without an uplink for longer than usual, a quarter of an hour to a day.'),
          attention: z.int(),
          heard: z.int().describe('Those that are ok or need attention.'),
          register_error: z.int(),
        },
        { total: 12, ok: 11, new: 1, silent: 0, attention: 0, heard: 11, register_error: 0 },
      ),
    ),
    downlinks: z.object(withExamples({ waiting: z.int() }, { waiting: 9 })),
    uplinks: z.object({
      total: z.int().meta({ examples: [80113] }),
      hours: z
        .array(
          z.object(
            withExamples(
              { start: z.string(), count: z.int() },
              { start: '2026-03-01T11:00:00.000Z', count: 4012 },
            ),
          ),
        )
        .describe('The last 168 hours in UTC; the last one is not over.'),
    }),
    quarantine: z.object(
      withExamples({ messages: z.int().describe('Of unknown devices.') }, { messages: 0 }),
    ),
    accounts: z.array(
      z.object({
        ...withExamples(
          {
            network: z.string(),
            network_name: z.string(),
            status: z.enum(['connected', 'unreachable', 'refused']),
            message: z.string(),
            is_heard: z.boolean().describe('Whether its network ever sent a message.'),
          },
          {
            network: 'chirpstack',
            network_name: 'ChirpStack v4',
            status: 'connected',
            message: '',
            is_heard: true,
          },
        ),
        verdict: verdictRecord,
      }),
    ),
    problems: z.object({
      register_error: z.array(problem).describe('The registrations that failed last.'),
      silent: z.array(problem).describe('The devices that fell silent last.'),
    }),
  })
  .meta({ id: 'FleetSummary' })

const countHours = createHourCounts()

export const showSummary = endpoint({
  isWide: true,
  summary: 'The state of the fleet in numbers',
  description:
    'Each number of devices is the total of `GET /fleet/devices` with the filter of that name (`verdict=silent`, `low_battery=yes`, `status=pending`).',
  answer: z.object({ data: summary }),
  async handle({ caller: { organizationId } }, { db, now }) {
    const time = now()
    const [{ counts: devices, silent }, others, accounts, failed, hours] = await Promise.all([
      queries.countDevices(db, organizationId, { now: time, named: mostNamed }),
      queries.countOthers(db, organizationId, time),
      listStates(db, organizationId),
      queries.listFailedRegistrations(db, organizationId, mostNamed),
      countHours(db, organizationId, time),
    ])
    return { data: toSummary({ now: time, devices, others, accounts, failed, silent, hours }) }
  },
})

interface Parts {
  devices: queries.DeviceCounts
  others: queries.OtherCounts
  now: Date
  accounts: readonly AccountState[]
  failed: readonly queries.ProblemDevice[]
  silent: readonly queries.ProblemDevice[]
  hours: UplinkHours
}

function toSummary(parts: Parts): z.infer<typeof summary> {
  const { now, devices, others, accounts, failed, silent, hours } = parts
  const { inactive: _, ...gateways } = others.gateways
  return {
    devices,
    gateways,
    downlinks: { waiting: others.downlinks },
    uplinks: {
      total: hours.total,
      hours: hours.hours.map(({ start, count }) => ({ start: start.toISOString(), count })),
    },
    quarantine: { messages: others.quarantine },
    accounts: accounts.filter(({ is_own }) => is_own).map((account) => toAccount(account, now)),
    problems: { register_error: failed.map(toProblem), silent: silent.map(toProblem) },
  }
}

function toAccount(account: AccountState, now: Date): z.infer<typeof summary>['accounts'][number] {
  const { network, status, status_message: message } = account
  const network_name = findNetwork(network)?.name ?? network
  const isHeard = (account.callback_heard_at ?? account.broker_heard_at) !== null
  return {
    network,
    network_name,
    status,
    message,
    is_heard: isHeard,
    verdict: toAccountVerdict(account, now),
  }
}

function toProblem(device: queries.ProblemDevice): z.infer<typeof problem> {
  return {
    did: device.id,
    device_id: device.device_eui,
    device_name: device.name,
    last_seen: device.last_seen === null ? null : isoTime(device.last_seen),
    message: device.register_error,
  }
}
