import { t } from '../languages/text.ts'
import { formatNumber } from './formats.ts'

/** 12,345. */
export function formatCount(value: number): string {
  return formatNumber(value, 0)
}

/** "45 s", "12 min", "3 h 10 min", "2 days 4 h". */
export function lengthText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return t('{minutes} min', { minutes })
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours < 48) return rest === 0 ? `${hours} h` : t('{hours} h {rest} min', { hours, rest })
  const [days, over] = [Math.floor(hours / 24), hours % 24]
  return over === 0 ? t('{days} days', { days }) : t('{days} days {over} h', { days, over })
}
