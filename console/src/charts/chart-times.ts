const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
    formats.set(key, format)
  }
  return format
}

const clock = { hour: '2-digit', minute: '2-digit' } as const
const date = { day: 'numeric', month: 'short' } as const

/** The labels of the ticks of a time axis that are `step` milliseconds apart, in a time zone. */
export function tickLabels(ticks: readonly number[], step: number, timeZone: string): string[] {
  if (step >= 28 * day) {
    return ticks.map((tick) => formatOf(timeZone, { month: 'short', year: 'numeric' }).format(tick))
  }
  if (step >= day) return ticks.map((tick) => formatOf(timeZone, date).format(tick))
  const time = formatOf(timeZone, step >= minute ? clock : { ...clock, second: '2-digit' })
  let shown = ''
  return ticks.map((tick) => {
    const today = formatOf(timeZone, date).format(tick)
    const text = time.format(tick)
    // The date stands below the first tick of each day.
    const label = today === shown ? text : `${text}\n${today}`
    shown = today
    return label
  })
}

/** The time of a value: "1 Mar 2026, 12:59 CET"; only the day if parts are days. */
export function pointTime(time: number, timeZone: string, width = 0): string {
  if (width >= day) {
    return formatOf(timeZone, { ...date, year: 'numeric' }).format(time)
  }
  const seconds = width > 0 && width >= minute ? {} : ({ second: '2-digit' } as const)
  const options = { ...date, year: 'numeric', ...clock, ...seconds, timeZoneName: 'short' } as const
  return formatOf(timeZone, options).format(time)
}
