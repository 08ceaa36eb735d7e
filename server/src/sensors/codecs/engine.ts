import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  RELEASE_SYNC,
} from 'quickjs-emscripten'
import { modules } from './built-ins.ts'
import type { CodecLimits } from './codec.ts'
import {
  blockLength,
  type Image,
  type LinearMemory,
  pageLength,
  restore,
  restoreCleanly,
  takeImage,
} from './images.ts'
import { createLocalTime, withLocalTime } from './local-time.ts'

/**
 * QuickJS as a WebAssembly instance. Its whole state, all globals and functions included, is one
 * range of bytes. Restoring a copy of these bytes gives a fresh context in 10 microseconds (0.4 MB);
 * a new context that parses the codec again takes 2 milliseconds (measured on 2 cores of 2.5 GHz).
 */
export interface Engine {
  context: QuickJSContext
  /** Runs a script of the service itself; throws when the script fails. */
  evaluate(code: string, name: string): QuickJSHandle
  /** Copies the present state, from which images of loaded codecs will differ. */
  takeBase(): Image
  /** Copies what of the present state differs from the base. */
  takeImage(base: Image): Image
  restore(image: Image): void
  /** Restores and clears all other memory, for states that become images themselves. */
  restoreCleanly(image: Image): void
  /** Resets the meter and sets the limits of the next run. */
  allow(milliseconds: number, turns: number): void
  /** Whether the run used all of its limits. QuickJS stops a run at its next interrupt check. */
  isSpent(): boolean
  /** Sets the time zone of `Date`. */
  setTimeZone(timeZone: string): void
}

/** TypeScript has the types of WebAssembly only among those of browsers. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => LinearMemory
}

export async function createEngine(limits: CodecLimits): Promise<Engine> {
  const memory = createMemory(limits.memory)
  // The library's type of a memory is that of the browser's declarations, which are not loaded here.
  const localTime = createLocalTime()
  const variant = newVariant(RELEASE_SYNC, {
    wasmMemory: memory as never,
    emscriptenModule: withLocalTime(memory, localTime.secondsAt) as never,
  })
  const library = await newQuickJSWASMModuleFromVariant(variant)
  const runtime = library.newRuntime()
  runtime.setMaxStackSize(limits.stack)
  const meter = createMeter()
  runtime.setInterruptHandler(meter.spendTurn)
  runtime.setModuleLoader(loadModule, (_from, name) => name)
  const context = runtime.newContext()
  context.unwrapResult(context.evalCode(enlargeTables, 'tables.js'))
  return {
    context,
    evaluate: (code, name) => context.unwrapResult(context.evalCode(code, name)),
    takeBase() {
      // The library keeps its allocator to itself.
      const unused = fillHoles(memory, (library as unknown as { module: Allocator }).module)
      return takeImage(memory, { unused })
    },
    takeImage: (base) => takeImage(memory, { base }),
    restore: (image) => restore(memory, image),
    restoreCleanly: (image) => restoreCleanly(memory, image),
    allow: meter.allow,
    isSpent: meter.isSpent,
    setTimeZone: localTime.set,
  }
}

/**
 * Makes QuickJS enlarge its tables of names and shapes, and collect its garbage, now and not while a codec
 * is loaded: each of these writes to nearly all of the base.
 */
const enlargeTables = `{
  const held = ['x'.repeat(300000)]
  for (let index = 0; index < 1100; index += 1) held.push({ ['name' + index]: index })
}`

interface Allocator {
  _malloc(size: number): number
  _free(address: number): void
}

/**
 * Takes all free memory between what is in use, for good: what a codec adds then stands together
 * behind it, and the rest of the base stays as it is (0.2 MB of 24, for images of half the size). Returns
 * the larger pieces, which need not be copied.
 */
function fillHoles(
  memory: LinearMemory,
  { _malloc, _free }: Allocator,
): (readonly [number, number])[] {
  const all = new Uint8Array(memory.buffer)
  const taken: [number, number][] = []
  const end = _malloc(pageLength * 10)
  _free(end)
  for (let size = pageLength; size >= 16; size = size > 32 ? size / 2 : size - 16) {
    for (;;) {
      const start = _malloc(size)
      if (start + size > end) {
        _free(start)
        break
      }
      if (size >= blockLength * 4) taken.push([start, start + size])
    }
  }
  // With the marks of where the rest of the memory began.
  all.fill(0, end, end + pageLength * 11)
  return taken
}

function loadModule(name: string) {
  const error = () => new Error(`The codec imports "${name}": only "buffer" can be imported.`)
  return modules.get(name) ?? { error: error() }
}

/**
 * Makes a linear memory that can not grow. QuickJS's own limit (`JS_SetMemoryLimit`) does not work:
 * built by Emscripten, it counts every allocation as 0 bytes (`js_def_malloc_usable_size`), so a
 * codec could take 2 GB that the process never gives back.
 */
function createMemory(bytes: number): LinearMemory {
  const pages = Math.floor(bytes / pageLength)
  return new WebAssembly.Memory({ initial: pages, maximum: pages })
}

/** Counts interrupt checks (one for every 10,000 jumps and calls) and processor time. */
function createMeter() {
  let turnsLeft = Number.POSITIVE_INFINITY
  let end = Number.POSITIVE_INFINITY
  let earliestEnd = Number.POSITIVE_INFINITY
  let isSpent = false
  return {
    allow(milliseconds: number, turns: number) {
      turnsLeft = turns
      end = processorTime() + milliseconds
      earliestEnd = performance.now() + milliseconds
      isSpent = false
    },
    // Native code, such as the printing of numbers, has no interrupt checks. The clock is cheaper to
    // read than the processor time and never behind it, so it clears most calls alone.
    isSpent: () => isSpent || (performance.now() > earliestEnd && processorTime() > end),
    spendTurn() {
      turnsLeft -= 1
      isSpent = turnsLeft < 0 || processorTime() > end
      return isSpent
    },
  }
}

/** The processor time of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
