import { otherPeriods, periods } from './periods.ts'
import { type Chosen, number, type Option, type Section, select, toggle } from './section.ts'

/*
 * General configuration (command 0x01), the same for every sensor.
 *
 * | byte | meaning                                                                             |
 * |------|-------------------------------------------------------------------------------------|
 * | 0    | bit 0: disable all sensor events                                                    |
 * | 1    | radio (firmware 1.4): bit 0 disable ADR, bit 1 unconfirmed uplinks, bits 5:2        |
 * |      | retries, bit 6 keep the EU868 duty cycle (firmware 2.2.1)                           |
 * | 2    | supervisory period                                                                  |
 * | 3    | sampling rate, see below                                                           |
 *
 * Source: RBS301-ABM manual (manualshive 1855646) p. 14-15. Retries against confirmed uplinks:
 * codes 9 and 10 of the downlink acknowledgement, RadioBridge/Packet-Decoder.
 */
const unconfirmed = 1

const retries: Option[] = Array.from({ length: 8 }, (_, index) => ({
  value: index + 1,
  text: index === 0 ? '1 retry' : `${index + 1} retries`,
}))

const radioFields = [
  select({
    id: 'uplink_retries',
    key: 'uplink_retries',
    label: 'Uplink retries',
    description:
      'How often an uplink that is not confirmed is sent again. Left empty, not changed.',
    place: { byte: 1, bits: { lowest: 2, count: 4 } },
    default: 0,
    options: [{ value: 0, text: 'Do not change' }, ...retries],
  }),
  select({
    id: 'uplink_confirmation',
    key: 'uplink_confirmation',
    label: 'Confirmation of uplinks',
    description:
      'Whether the network must confirm each uplink; sensors for EU868 refuse that. Left empty, unconfirmed, or confirmed when 2 or more retries are chosen.',
    place: { byte: 1, bits: { lowest: 1, count: 1 } },
    options: [
      { value: unconfirmed, text: 'Unconfirmed' },
      { value: 0, text: 'Confirmed' },
    ],
  }),
  toggle({
    id: 'disable_adr',
    key: 'disable_adr',
    label: 'Disable adaptive data rate',
    description: 'The network no longer chooses the data rate. Left empty, no.',
    place: { byte: 1, bits: { lowest: 0, count: 1 } },
    default: 0,
  }),
  toggle({
    id: 'duty_cycle',
    key: 'duty_cycle',
    label: 'Keep the EU868 duty cycle',
    description:
      'Must be on in production in the EU868 band; for no other band. Needs firmware 2.2.1. Left empty, no.',
    place: { byte: 1, bits: { lowest: 6, count: 1 } },
    default: 0,
  }),
]

function checkRetries({ uplink_confirmation, uplink_retries }: Chosen) {
  if (uplink_confirmation !== unconfirmed || Number(uplink_retries) <= 1) return []
  const message = 'Uplink retries must be at most 1 when uplinks are unconfirmed.'
  return [{ key: 'uplink_retries', message }]
}

/*
 * The sampling rate (byte 3) is how often a sensor wakes to measure. The RBS301-ABM manual
 * (manualshive 1855646, p. 15) names it without its coding, which is inferred:
 *
 * | bits | meaning                                              |
 * |------|------------------------------------------------------|
 * | 7:6  | unit: 0 is 250 ms, 1 seconds, 2 minutes, 3 hours     |
 * | 5:0  | count; 0 for no change                               |
 *
 * The three fields of the contract (rate, rate in milliseconds, unit) agree with it.
 */
const samplingUnit = { milliseconds: 0, seconds: 1, minutes: 2, hours: 3 }
const longestCount = 63

const fractions: Option[] = Array.from({ length: longestCount }, (_, index) => ({
  value: index + 1,
  text: `${(index + 1) * 250} ms`,
}))

const samplingFields = [
  number({
    id: 'sampling_rate',
    key: 'sampling_rate',
    label: 'Sampling rate',
    description:
      'The sensor wakes every so many seconds, minutes or hours to measure. Left empty or 0, not changed.',
    place: { byte: 3, bits: { lowest: 0, count: 6 } },
    default: 0,
    onlyWhen: {
      key: 'sampling_period',
      values: [samplingUnit.seconds, samplingUnit.minutes, samplingUnit.hours],
    },
    min: 0,
    max: longestCount,
    unit: '',
    isInferred: true,
  }),
  select({
    id: 'sampling_rate_ms',
    key: 'sampling_rate_ms',
    label: 'Sampling rate in milliseconds',
    description:
      'The sensor wakes at this interval to measure. Not together with the sampling rate above. Left empty, not changed.',
    place: { byte: 3, bits: { lowest: 0, count: 6 } },
    default: 0,
    onlyWhen: { key: 'sampling_period', values: [samplingUnit.milliseconds] },
    options: [{ value: 0, text: 'Do not change' }, ...fractions],
    isInferred: true,
  }),
  select({
    id: 'sampling_period',
    key: 'sampling_period',
    label: 'Unit of the sampling rate',
    description: 'What the sampling rate counts. Left empty, milliseconds.',
    place: { byte: 3, bits: { lowest: 6, count: 2 } },
    default: samplingUnit.milliseconds,
    options: [
      { value: samplingUnit.milliseconds, text: 'Milliseconds' },
      { value: samplingUnit.seconds, text: 'Seconds' },
      { value: samplingUnit.minutes, text: 'Minutes' },
      { value: samplingUnit.hours, text: 'Hours' },
    ],
    isInferred: true,
  }),
]

/** Refuses a unit without a count, which the sensor would take for "no change". */
function checkSampling({ sampling_period, sampling_rate }: Chosen) {
  if (sampling_period === samplingUnit.milliseconds || sampling_rate !== 0) return []
  const message = `Sampling rate must be 1 to ${longestCount} when its unit is chosen.`
  return [{ key: 'sampling_rate', message }]
}

export const generalSettings: Section = {
  name: 'general',
  label: 'General',
  command: 0x01,
  fields: [
    toggle({
      id: 'dis',
      key: 'disableall',
      label: 'Disable all events',
      description:
        'The sensor only counts its events, and reports the count in the supervisory message. Left empty, no.',
      place: { byte: 0, bits: { lowest: 0, count: 1 } },
      default: 0,
    }),
    select({
      id: 'supervisory_period',
      key: 'supervisory_period',
      label: 'Supervisory period',
      description:
        'Interval of the message that reports battery and health. When off, a sensor without events can no longer be reached. Left empty, 19 hours.',
      place: { byte: 2 },
      default: 19,
      options: periods,
      alsoRead: otherPeriods,
    }),
    ...samplingFields,
    ...radioFields,
  ],
  complete: (chosen) => ({
    ...chosen,
    uplink_confirmation:
      chosen.uplink_confirmation ?? (Number(chosen.uplink_retries) > 1 ? 0 : unconfirmed),
  }),
  check: (chosen) => [...checkSampling(chosen), ...checkRetries(chosen)],
}
