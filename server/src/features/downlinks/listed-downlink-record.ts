import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { isoTime, type Moment } from '../../http/timestamps.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'
import { describeSettings } from '../../sensors/device-settings.ts'
import { framePart, toFrameParts } from '../insight/frames/explained-frame.ts'
import { rawMessage } from './downlink-record.ts'
import { partsOfDownlink } from './downlink-services.ts'
import type { DownlinkState, HistoryEvent } from './downlink-states.ts'
import type { ListedDownlink } from './listed-downlink-queries.ts'

const states = [
  'queued',
  'handed_over',
  'sent',
  'acknowledged',
  'rejected',
  'failed',
  'cancelled',
  'expired',
] as const satisfies readonly DownlinkState[]
const stepNames = [
  'created',
  'handed_over',
  'sent',
  'acknowledged',
  'rejected',
  'failed',
  'cancelled',
  'expired',
] as const
type StepName = (typeof stepNames)[number]

const downlinkStep = z
  .object(
    withExamples(
      { step: z.enum(stepNames), time: z.string(), reason: z.string().nullable() },
      { step: 'created', time: '2026-03-01T12:00:00.250000Z', reason: null },
    ),
  )
  .meta({ id: 'DownlinkStep' })

/** A downlink on its way: what it says, how far it is, and whether it can still be stopped. */
export const downlinkRecord = z
  .object({
    ...withExamples(
      {
        id: z.int(),
        section: z
          .enum(['sensor', 'general', 'advanced', 'raw'])
          .describe('`raw`: bytes that were given, by `POST /devices/{device_id}/downlink`.'),
        lines: z.array(z.string()).describe('What it sets, as plain text.'),
        bytes: z.string().regex(/^([0-9a-f]{2})+$/),
        f_port: z.int(),
        confirmed: z.boolean().describe('The network repeats it until the device acknowledges it.'),
        expires_at: z
          .string()
          .nullable()
          .describe('What is not handed over to the network by then expires, and is never sent.'),
        warnings: z.array(z.string()).describe('What the codec warned of.'),
        state: z
          .enum(states)
          .describe(
            '`handed_over`: in the queue of the network. `sent`: on its way to the device. `expired`: never handed over, and never will be.',
          ),
        attempts: z.int().describe('Calls that tried to hand it over.'),
        last_error: z.string().nullable(),
        is_uncertain: z
          .boolean()
          .describe('The network may have it or not: a call had no certain outcome.'),
        place: z
          .int()
          .nullable()
          .describe('In the queue of its device, from 1; null: not waiting.'),
        is_cancelling: z
          .boolean()
          .describe('A cancel is under way, and its outcome is not known yet.'),
        can_be_cancelled: z.boolean(),
        hindrance: z.string().nullable().describe('Why it can not be cancelled.'),
      },
      {
        id: 107,
        section: 'general',
        lines: ['Configuration: General', 'Supervisory period: 1 minute'],
        bytes: '0100028100000000',
        f_port: 2,
        confirmed: false,
        expires_at: null,
        warnings: [],
        state: 'handed_over',
        attempts: 1,
        last_error: null,
        is_uncertain: false,
        place: 1,
        is_cancelling: false,
        can_be_cancelled: true,
        hindrance: null,
      },
    ),
    device: z.object(
      withExamples(
        { id: z.int(), device_id: z.string(), device_name: z.string() },
        { id: 101, device_id: '00AA000000000001', device_name: 'Front door' },
      ),
    ),
    user: z.object(
      withExamples({ id: z.int(), name: z.string() }, { id: 1, name: 'Ada Lovelace' }),
    ),
    steps: z.array(downlinkStep),
    parts: z.array(framePart),
  })
  .meta({ id: 'Downlink' })

export function toDownlinkRecord(downlink: ListedDownlink): z.infer<typeof downlinkRecord> {
  const { payload, device_type_id, codec_warnings } = downlink
  const hindrance = findHindrance(downlink)
  return {
    id: downlink.id,
    section: downlink.section,
    lines: linesOf(downlink),
    bytes: payload.toString('hex'),
    f_port: downlink.f_port,
    confirmed: downlink.is_confirmed,
    expires_at: downlink.expires_at && isoTime(downlink.expires_at),
    warnings: codec_warnings ?? [],
    state: downlink.state,
    attempts: downlink.attempts,
    last_error: downlink.last_error,
    is_uncertain: downlink.is_uncertain,
    place: downlink.place,
    is_cancelling: downlink.is_cancelling,
    can_be_cancelled: hindrance === undefined,
    hindrance: hindrance ?? null,
    device: {
      id: downlink.device_id,
      device_id: downlink.device_eui,
      device_name: downlink.device_name,
    },
    user: { id: downlink.user_id, name: downlink.user_name },
    steps: stepsOf(downlink),
    parts: toFrameParts(payload, partsOfDownlink(device_type_id, payload, makerOf(downlink))),
  }
}

function makerOf({ section, codec_data }: ListedDownlink) {
  if (section === 'raw') return 'user'
  return codec_data === null ? 'settings' : 'codec'
}

function linesOf({ section, codec_data, device_type_id, payload }: ListedDownlink): string[] {
  if (section === 'raw') return [rawMessage]
  if (codec_data !== null) return [`Data: ${codec_data}`]
  // Without the last line, which repeats the bytes.
  return describeSettings(device_type_id, payload).slice(0, -1)
}

/** The history, and the latest hand-over, which the history does not have. */
function stepsOf({ history, handed_over_at }: ListedDownlink) {
  const steps = history.map(({ event_name, reason, time }) => ({
    step: stepOf(event_name),
    time,
    reason,
  }))
  const handOver = handed_over_at === null ? [] : [toStep('handed_over', handed_over_at)]
  return [...steps, ...handOver].sort(byTime).map(({ time, ...step }) => ({
    ...step,
    time: isoTime(time),
  }))
}

function toStep(step: StepName, time: Moment) {
  return { step, time, reason: null as string | null }
}

function stepOf(event: HistoryEvent): StepName {
  return event.replace('event_', '') as StepName
}

/** The clock of a hand-over is that of its transaction: it can be the same as that of a report. */
function byTime(one: { time: Moment; step: StepName }, other: { time: Moment; step: StepName }) {
  const [first, second] = [isoTime(one.time), isoTime(other.time)]
  if (first !== second) return first < second ? -1 : 1
  return stepNames.indexOf(one.step) - stepNames.indexOf(other.step)
}

const finished: Partial<Record<DownlinkState, string>> = {
  sent: 'It was already sent.',
  acknowledged: 'The device has it already.',
  rejected: 'The device has refused it already.',
  failed: 'It failed already.',
  cancelled: 'It is cancelled already.',
  expired: 'It has expired already.',
}

/** Why a downlink can not be cancelled; undefined when it can, as far as is known. */
function findHindrance({ state, is_uncertain, network }: ListedDownlink): string | undefined {
  if (state !== 'queued' && state !== 'handed_over') return finished[state]
  const { capabilities, name }: Partial<Network> = findNetwork(network) ?? {}
  if (state === 'queued') {
    if (!is_uncertain || capabilities?.listsQueue) return undefined
    return `${name} may have it already, and does not tell.`
  }
  return capabilities?.cancel ? undefined : `${name} has it, and gives no downlink back.`
}
