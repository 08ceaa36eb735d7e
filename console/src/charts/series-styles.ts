/** Lines of a chart; further ones would begin again. */
export const mostSeries = 8

/** The lines differ by more than their colour. */
export const dashes: readonly number[][] = [
  [],
  [8, 4],
  [2, 3],
  [10, 3, 2, 3],
  [16, 5],
  [6, 2, 2, 2, 2, 2],
  [1, 5],
  [14, 3, 6, 3],
]

/** The name of the colour of a series, in `tokens.ts`. */
export function colourName(place: number) {
  return `chart-${((place % mostSeries) + 1) as 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}` as const
}
