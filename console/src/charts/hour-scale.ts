/** How tall a column of so many uplinks is. */
export interface HourScale {
  /** The count at the top of the axis, a round number. */
  top: number
  /** Counts above it are cut off there. */
  isCut: boolean
}

/** A column may be so many times as tall as a busy hour before it is cut off. */
const mostOfBusy = 2
/** The part of the hours with uplinks that are not busier than the busy one. */
const busyPart = 0.95

/** A scale that shows the usual hours, also where one hour has many times as much. */
export function scaleOf(counts: readonly number[]): HourScale {
  const heard = counts.filter((count) => count > 0).toSorted((one, other) => one - other)
  const most = heard.at(-1) ?? 0
  const busy = heard[Math.ceil(heard.length * busyPart) - 1] ?? 0
  const isCut = most > mostOfBusy * busy
  return { top: roundUp(isCut ? busy * 1.25 : most), isCut }
}

/** The next number with one or two digits before its zeros whose half is whole: 2, 4, 10, 24, 150. */
function roundUp(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1)
  return Math.max(2, Math.ceil(count / (2 * step)) * 2 * step)
}
