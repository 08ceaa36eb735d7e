import { formatNumber } from './formats.ts'

/** 12,345. */
export function formatCount(value: number): string {
  return formatNumber(value, 0)
}

/** "1 device", "12,345 devices". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}
