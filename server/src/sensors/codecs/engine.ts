import { readFileSync } from 'node:fs'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  RELEASE_SYNC,
} from 'quickjs-emscripten'
import type { CodecLimits } from './codec.ts'

/**
 * QuickJS as a WebAssembly instance whose whole state, the heap of the interpreter with every
 * global and function in it, is a stretch of bytes. What these bytes were can be put back: that is
 * a fresh context for 10 microseconds of copying (0.4 MB), where a new one with its codec read
 * again takes 2 milliseconds (measured on 2 cores of 2.5 GHz).
 */
export interface Engine {
  context: QuickJSContext
  /** Runs a script of the service's own, which may do nothing but succeed. */
  evaluate(code: string, name: string): QuickJSHandle
  /** Remembers the present state. */
  takeImage(): Image
  restore(image: Image): void
  /** The same, and nothing is left of what ran before: for what becomes an image of its own. */
  restoreCleanly(image: Image): void
  /** Sets the meter back: what runs next may use so much. */
  allow(milliseconds: number, turns: number): void
  /** Whether what ran since then used all of it, and was ended if it ever asked. */
  isSpent(): boolean
}

/** Parts of the memory, and where they belong. */
export interface Image {
  parts: readonly { offset: number; bytes: Uint8Array }[]
  length: number
}

const pageLength = 65_536

/** Part of the language's host, whose types TypeScript keeps among those of browsers. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => LinearMemory
}

/** The linear memory of an instance. */
interface LinearMemory {
  readonly buffer: ArrayBuffer
}

export async function createEngine(limits: CodecLimits): Promise<Engine> {
  const memory = createMemory(limits.memory)
  const variant = newVariant(RELEASE_SYNC, { wasmMemory: memory })
  const runtime = (await newQuickJSWASMModuleFromVariant(variant)).newRuntime()
  runtime.setMaxStackSize(limits.stack)
  const meter = createMeter()
  runtime.setInterruptHandler(meter.spendTurn)
  const context = runtime.newContext()
  return {
    context,
    evaluate: (code, name) => context.unwrapResult(context.evalCode(code, name)),
    takeImage: () => takeImage(memory),
    restore: (image) => restore(memory, image),
    restoreCleanly: (image) => restoreCleanly(memory, image),
    allow: meter.allow,
    isSpent: meter.isSpent,
  }
}

/**
 * The linear memory, which cannot grow. QuickJS has a limit of its own (`JS_SetMemoryLimit`), which
 * does not hold: built by Emscripten it takes the size of every allocation for 0
 * (`js_def_malloc_usable_size`), so one codec could take 2 GB that the process never gave back.
 */
function createMemory(bytes: number): LinearMemory {
  const pages = Math.floor(bytes / pageLength)
  return new WebAssembly.Memory({ initial: pages, maximum: pages })
}

/** Counts the turns of 10,000 jumps and calls at which QuickJS asks, and the processor's time. */
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
    // Native code, such as that which prints numbers, may be over time and never have asked. The
    // clock, which is ahead of the processor's time and cheaper to ask, tells most calls to be in it.
    isSpent: () => isSpent || (performance.now() > earliestEnd && processorTime() > end),
    spendTurn() {
      turnsLeft -= 1
      isSpent = turnsLeft < 0 || processorTime() > end
      return isSpent
    },
  }
}

/** Milliseconds that this thread has had of a processor. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * All of the memory up to its last page in use, but for the one long run of zeros: the unused part
 * of the stack, 5 MB, which lies between the data and the heap. What a call leaves in the parts
 * that are not kept is free memory to whatever runs next.
 */
function takeImage(memory: LinearMemory): Image {
  const bytes = Buffer.from(memory.buffer)
  const used = pagesInUse(bytes)
  const stackStart = (used.find((page) => !used.includes(page + 1)) ?? 0) + 1
  const stackEnd = used.find((page) => page > stackStart) ?? stackStart
  const end = (used.at(-1) ?? 0) + 1
  const parts = [
    // A page more: data that is all zeros still must be so again.
    copyPages(bytes, 0, stackStart + 1),
    copyPages(bytes, stackEnd, end),
  ]
  return { parts, length: parts.reduce((sum, part) => sum + part.bytes.length, 0) }
}

function copyPages(bytes: Buffer, start: number, end: number): Image['parts'][number] {
  const offset = start * pageLength
  return { offset, bytes: new Uint8Array(bytes.subarray(offset, end * pageLength)) }
}

/** The image, and zeros wherever else something was: as if nothing had run since it was taken. */
function restoreCleanly(memory: LinearMemory, image: Image): void {
  const bytes = Buffer.from(memory.buffer)
  for (const page of pagesInUse(bytes)) {
    bytes.fill(0, page * pageLength, (page + 1) * pageLength)
  }
  restore(memory, image)
}

function restore(memory: LinearMemory, { parts }: Image): void {
  const bytes = new Uint8Array(memory.buffer)
  for (const part of parts) bytes.set(part.bytes, part.offset)
}

const emptyPage = Buffer.alloc(pageLength)

/** Pages with anything but zeros in them, in their order. */
function pagesInUse(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / pageLength }, (_, page) => page).filter(
    (page) => !emptyPage.equals(bytes.subarray(page * pageLength, (page + 1) * pageLength)),
  )
}

/** The scripts that every codec finds there, by name. */
export const builtIns = ['buffer.js', 'prelude.js'].map((name) => ({
  name,
  code: readFileSync(new URL(name, import.meta.url), 'utf8'),
}))
