import { formatNumber } from '../../ui/formats.ts'

export function percentText(percent: number | null): string {
  return percent === null ? '–' : `${formatNumber(percent, percent === 100 ? 0 : 2)} %`
}
