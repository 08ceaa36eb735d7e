/** The straight line through the values of a series, by least squares: at its begin and at its end. */
export function fitLine(values: readonly number[]): { first: number; last: number } {
  const count = values.length
  const middle = (count - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  let rise = 0
  let spread = 0
  for (const [at, value] of values.entries()) {
    rise += (at - middle) * (value - mean)
    spread += (at - middle) ** 2
  }
  const slope = spread === 0 ? 0 : rise / spread
  return { first: mean - slope * middle, last: mean + slope * middle }
}

/** Growth by less than a part of the first value, or by less than `least`, is flat. */
export const flatPart = 0.15

/** A series of fewer values is not judged. */
export const fewestValues = 3

export function isFlat(values: readonly number[], least: number): boolean {
  if (values.length < fewestValues) return true
  const { first, last } = fitLine(values)
  return last - first <= Math.max(first * flatPart, least)
}
