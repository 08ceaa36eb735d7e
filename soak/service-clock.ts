/**
 * Is loaded into each process of the service before anything else (NODE_OPTIONS, --import). `Date` shows
 * the time of the run, and timers of a minute and more wait for that time.
 */
import { type ClockPlan, timeAt } from './clock.ts'

/** Shorter timers wait in real time: they are for claims, pauses and connections. */
const longTimer = 60_000
/** How often a long one looks at the clock. */
const look = 500

const plan: ClockPlan = JSON.parse(process.env.SOAK_CLOCK ?? '')
const SystemDate = Date
const systemNow = Date.now
const now = () => timeAt(plan, systemNow())

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, values, as) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, as),
  apply: () => new SystemDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

type Call = (...values: unknown[]) => void
const { setInterval: systemInterval, setTimeout: systemTimeout } = globalThis

function every(call: Call, milliseconds = 1, ...values: unknown[]): NodeJS.Timeout {
  if (milliseconds < longTimer) return systemInterval(call, milliseconds, ...values)
  let due = now() + milliseconds
  return systemInterval(() => {
    if (now() < due) return
    due = now() + milliseconds
    call(...values)
  }, look)
}

function once(call: Call, milliseconds = 1, ...values: unknown[]): NodeJS.Timeout {
  if (milliseconds < longTimer) return systemTimeout(call, milliseconds, ...values)
  const due = now() + milliseconds
  const timer = systemInterval(() => {
    if (now() < due) return
    clearInterval(timer)
    call(...values)
  }, look)
  return timer
}

// With what `promisify` asks for.
const descriptors = Object.getOwnPropertyDescriptors(systemTimeout)
Object.assign(globalThis, {
  setInterval: every,
  setTimeout: Object.defineProperties(once, descriptors),
})
