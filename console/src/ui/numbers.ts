const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** 12,345. */
export function formatCount(value: number): string {
  return whole.format(value)
}

/** "1 device", "12,345 devices". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}
