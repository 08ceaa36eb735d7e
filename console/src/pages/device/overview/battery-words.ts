import type { Answer } from '../../../api/client.ts'
import { writeValue } from '../../../charts/chart-data.ts'
import { t } from '../../../languages/text.ts'
import { formatTime } from '../../../ui/formats.ts'

type Battery = Answer<'GET /devices/{device_id}/battery'>['data']

const day = 86_400_000
const month = 30.4 * day

/** What the trend of a battery means, no more precise than it is known. */
export function batteryWords(
  { trend, empty, unit, latest }: Battery,
  now: number,
): { headline: string; explanation: string } {
  const limit = empty === null ? '' : writeValue(empty, unit)
  switch (trend.state) {
    case 'falling':
      return {
        headline: emptyAt(trend.empty_at, now),
        explanation: t(
          '{trend} By its own trend of {peryear} a year down to {limit}, where the sensor stops. Most batteries fall faster at the end.',
          {
            trend: rangeWords(trend, now),
            peryear: writeValue(Math.abs(trend.per_year ?? 0), unit),
            limit,
          },
        ),
      }
    case 'not_falling':
      return {
        headline: t('Not falling'),
        explanation: t(
          'The readings do not fall enough to estimate when the battery will be empty.',
        ),
      }
    case 'empty':
      return {
        headline: t('Empty'),
        explanation: t(
          'The last reading is at or below {limit}, where the sensor stops. Replace the battery.',
          { limit },
        ),
      }
    case 'unknown_unit':
      return {
        headline: t('No estimate'),
        explanation: t(
          'The device type does not say which value is its battery, with a unit of V, mV or %, and where it is empty.',
        ),
      }
    case 'too_few_readings':
      return {
        headline: t('No estimate yet: too few readings'),
        explanation: latest
          ? t('A trend needs ten days of readings over at least a month.')
          : t('No battery reading yet.'),
      }
  }
}

/** "Empty in about 5 months (Aug 2026)"; close dates by days. */
function emptyAt(time: string | null, now: number): string {
  if (!time) return t('Empty at an unknown time')
  const away = Date.parse(time) - now
  if (away < 2 * day) return t('Empty any day now')
  if (away < 45 * day) {
    return t('Empty in about {count, plural, one {# day} other {# days}}', {
      count: Math.round(away / day),
    })
  }
  if (away < 22 * month) {
    return t('Empty in about {count, plural, one {# month} other {# months}} ({month})', {
      count: Math.round(away / month),
      month: monthOf(time),
    })
  }
  return t('Empty in about {count, plural, one {# year} other {# years}} ({month})', {
    count: Math.round(away / (12 * month)),
    month: monthOf(time),
  })
}

function rangeWords({ empty_from, empty_to }: Battery['trend'], now: number): string {
  const isNow = empty_from !== null && Date.parse(empty_from) - now < 2 * day
  const from = isNow ? t('now') : monthOf(empty_from)
  if (empty_to === null) return t('Not before {from}; the latest date is unknown.', { from })
  const to = monthOf(empty_to)
  return from === to ? t('Within {to}.', { to }) : t('Between {from} and {to}.', { from, to })
}

function monthOf(time: string | null): string {
  return time ? formatTime(Date.parse(time), { date: 'month' }, 'UTC') : t('an unknown time')
}
