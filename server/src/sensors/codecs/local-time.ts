import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * QuickJS asks its host for the difference between local time and UTC at a moment, for all local
 * functions of Date. The library answers with the time zone of the process. Here it is that of the
 * call.
 */

/** TypeScript has the types of WebAssembly only among those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: Imports) => { exports: object }
}

type Imports = Record<string, Record<string, unknown>>

/** `struct tm` of C: where the seconds east of UTC stand. */
const offsetOfSeconds = 36

/**
 * For `emscriptenModule` of the library's variant: the instance, with `secondsAt` for the seconds
 * east of UTC at a moment in seconds.
 */
export function withLocalTime(memory: { readonly buffer: ArrayBuffer }, secondsAt: SecondsAt) {
  return {
    instantiateWasm(
      imports: Imports,
      done: (instance: { exports: object }, module: object) => void,
    ) {
      const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
      const module = new WebAssembly.Module(readFileSync(path))
      const functions = Object.values(imports)[0] ?? {}
      const [name, ...others] = Object.keys(functions).filter((key) => isLocalTime(functions[key]))
      if (!name || others.length > 0) throw new Error('QuickJS asks for local time otherwise.')
      functions[name] = (seconds: bigint, address: number) => {
        new DataView(memory.buffer).setInt32(
          address + offsetOfSeconds,
          secondsAt(Number(seconds)),
          true,
        )
      }
      const instance = new WebAssembly.Instance(module, imports)
      done(instance, module)
      return instance.exports
    },
  }
}

/** `localtime_r` by its body: the names of functions are single letters. `tzset` takes four values. */
function isLocalTime(value: unknown): boolean {
  return (
    typeof value === 'function' && value.length === 2 && String(value).includes('getTimezoneOffset')
  )
}

type SecondsAt = (seconds: number) => number

/** A time zone that can be changed. An unknown one is UTC. */
export function createLocalTime(): { secondsAt: SecondsAt; set(timeZone: string): void } {
  const formats = new Map<string, Intl.DateTimeFormat | undefined>()
  let format: Intl.DateTimeFormat | undefined
  return {
    secondsAt: (seconds) => (format ? readOffset(format, seconds) : 0),
    set(timeZone) {
      if (!formats.has(timeZone)) formats.set(timeZone, makeFormat(timeZone))
      format = formats.get(timeZone)
    },
  }
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  if (timeZone === 'UTC') return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}

/** Reads `GMT+05:30`; `GMT` alone is UTC. Zones before 1900 have seconds as well. */
function readOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const text = format.format(new Date(seconds * 1000))
  const [, sign, hours = 0, minutes = 0, rest = 0] =
    /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?/.exec(text) ?? []
  const difference = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)
  return sign === '-' ? -difference : difference
}
