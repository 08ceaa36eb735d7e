/** Charts for paper: axes, few labels, and lines that differ by colour and dashes. */

interface Frame {
  width: number
  height: number
  /** Milliseconds. */
  from: number
  to: number
  unit: string | null
  writeTime(time: number): string
  writeValue(value: number): string
}

type Point = [time: number, value: number]

interface Line {
  name: string
  points: readonly Point[]
}

const colours = [
  '#3149b8',
  '#b3560a',
  '#0f7a6c',
  '#8a3ea8',
  '#a61e6b',
  '#52700f',
  '#1a76ab',
  '#6b5343',
]
const dashes = ['', '6 3', '2 2', '8 2 2 2', '12 4', '4 2 1 2', '1 3', '10 2 4 2']
const left = 48
const bottom = 16
const top = 12
const legendRow = 12
/** A line of few points shows them: one alone would not be seen. */
const mostDots = 40

export function lineSvg(lines: readonly Line[], frame: Frame): string {
  const scale = scaleOf(
    lines.flatMap(({ points }) => points),
    frame,
    false,
  )
  const drawn = lines.map(({ points }, at) => {
    const path = points
      .map(([time, value], place) => `${place === 0 ? 'M' : 'L'}${scale.x(time)} ${scale.y(value)}`)
      .join('')
    const style = `fill="none" stroke="${colours[at % 8]}" stroke-width="1.2"`
    const dash = dashes[at % 8] ? ` stroke-dasharray="${dashes[at % 8]}"` : ''
    const dots = points.length > mostDots ? [] : points
    const marks = dots.map(
      ([time, value]) =>
        `<circle cx="${scale.x(time)}" cy="${scale.y(value)}" r="1.5" fill="${colours[at % 8]}"/>`,
    )
    return path === '' ? '' : `<path d="${path}" ${style}${dash}/>${marks.join('')}`
  })
  const legend = lines.map(({ name }, at) => {
    const y = frame.height + 10 + at * legendRow
    const dash = dashes[at % 8] ? ` stroke-dasharray="${dashes[at % 8]}"` : ''
    return `<path d="M${left} ${y - 3}H${left + 24}" stroke="${colours[at % 8]}" stroke-width="1.2"${dash}/>
<text x="${left + 30}" y="${y}" font-size="8" fill="#20252b">${escaped(name.slice(0, 110))}</text>`
  })
  const height = frame.height + 4 + lines.length * legendRow
  return svg(frame.width, height, [...axes(frame, scale), ...drawn, ...legend])
}

export function barsSvg(bars: readonly Point[], frame: Frame): string {
  const scale = scaleOf(bars, frame, true)
  const room = (frame.width - left) / Math.max(1, bars.length)
  const width = Math.max(1, Math.min(30, room * 0.8))
  const drawn = bars.map(([time, value]) => {
    const [from, to] = [scale.y(Math.max(0, value)), scale.y(Math.min(0, value))]
    return `<rect x="${scale.x(time)}" y="${from}" width="${width.toFixed(1)}" height="${Math.max(0.5, to - from).toFixed(1)}" fill="${colours[0]}"/>`
  })
  return svg(frame.width, frame.height + 4, [...axes(frame, scale), ...drawn])
}

interface Scale {
  lowest: number
  highest: number
  x(time: number): number
  y(value: number): number
}

function scaleOf(points: readonly Point[], frame: Frame, hasZero: boolean): Scale {
  const values = [...points.map(([, value]) => value), ...(hasZero ? [0] : [])]
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const,
    [Infinity, -Infinity] as readonly [number, number],
  )
  const isEmpty = values.length === 0
  const margin = isEmpty || least === most ? 1 : 0
  const [lowest, highest] = isEmpty ? [0, 1] : [least - margin, most + margin]
  const { width, height, from, to } = frame
  return {
    ...{ lowest, highest },
    x: (time) => round(left + ((width - left) * (time - from)) / Math.max(1, to - from)),
    y: (value) =>
      round(top + (height - top - bottom) * (1 - (value - lowest) / (highest - lowest))),
  }
}

const round = (value: number) => Math.round(value * 10) / 10

function axes(frame: Frame, { lowest, highest, x, y }: Scale): string[] {
  const levels = [0, 0.5, 1].map((part) => lowest + (highest - lowest) * part)
  const times = [0, 0.25, 0.5, 0.75].map((part) => frame.from + (frame.to - frame.from) * part)
  const digits = (value: number) => Number(value.toPrecision(3))
  return [
    ...levels.map(
      (
        value,
      ) => `<path d="M${left} ${y(value)}H${frame.width}" stroke="#e3e6e9" stroke-width="0.6"/>
<text x="${left - 4}" y="${y(value) + 3}" font-size="8" text-anchor="end" fill="#52595f">${escaped(frame.writeValue(digits(value)))}</text>`,
    ),
    ...times.map(
      (time) =>
        `<text x="${x(time)}" y="${frame.height - 3}" font-size="8" fill="#52595f">${escaped(frame.writeTime(time))}</text>`,
    ),
    `<text x="${left - 4}" y="8" font-size="8" text-anchor="end" fill="#52595f">${escaped(frame.unit ?? '')}</text>`,
  ]
}

function svg(width: number, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('\n')}</svg>`
}

/** Names are chosen by people and networks. XML 1.0 has no control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
