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
 * QuickJS as a WebAssembly instance. Its whole state, all globals and functions included, is one
 * range of bytes. Restoring a copy of these bytes gives a fresh context in 10 microseconds (0.4 MB);
 * a new context that parses the codec again takes 2 milliseconds (measured on 2 cores of 2.5 GHz).
 */
export interface Engine {
  context: QuickJSContext
  /** Runs a script of the service itself; throws when the script fails. */
  evaluate(code: string, name: string): QuickJSHandle
  /** Copies the present state. */
  takeImage(): Image
  restore(image: Image): void
  /** Restores and clears all other memory, for states that become images themselves. */
  restoreCleanly(image: Image): void
  /** Resets the meter and sets the limits of the next run. */
  allow(milliseconds: number, turns: number): void
  /** Whether the run used all of its limits. QuickJS stops a run at its next interrupt check. */
  isSpent(): boolean
}

/** Copies of parts of the memory, with their offsets. */
export interface Image {
  parts: readonly { offset: number; bytes: Uint8Array }[]
  length: number
}

const pageLength = 65_536

/** TypeScript has the types of WebAssembly only among those of browsers. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => LinearMemory
}

/** The linear memory of an instance. */
interface LinearMemory {
  readonly buffer: ArrayBuffer
}

export async function createEngine(limits: CodecLimits): Promise<Engine> {
  const memory = createMemory(limits.memory)
  // The library's type of a memory is that of the browser's declarations, which are not loaded here.
  const variant = newVariant(RELEASE_SYNC, { wasmMemory: memory as never })
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

/**
 * Copies the memory up to its last page in use, without the one long run of zeros: the unused 5 MB
 * of the stack, between the data and the heap. What a call leaves in the parts that are not copied
 * is free memory to the next call.
 */
function takeImage(memory: LinearMemory): Image {
  const bytes = Buffer.from(memory.buffer)
  const used = pagesInUse(bytes)
  const stackStart = (used.find((page) => !used.includes(page + 1)) ?? 0) + 1
  const stackEnd = used.find((page) => page > stackStart) ?? stackStart
  const end = (used.at(-1) ?? 0) + 1
  const parts = [
    // One page more, for data at the end that is all zeros now.
    copyPages(bytes, 0, stackStart + 1),
    copyPages(bytes, stackEnd, end),
  ]
  return { parts, length: parts.reduce((sum, part) => sum + part.bytes.length, 0) }
}

function copyPages(bytes: Buffer, start: number, end: number): Image['parts'][number] {
  const offset = start * pageLength
  return { offset, bytes: new Uint8Array(bytes.subarray(offset, end * pageLength)) }
}

/** Restores the image and fills all other memory with zeros. */
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

/** The numbers of the pages that hold anything but zeros, in ascending order. */
function pagesInUse(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / pageLength }, (_, page) => page).filter(
    (page) => !emptyPage.equals(bytes.subarray(page * pageLength, (page + 1) * pageLength)),
  )
}

/** The scripts that run before every codec, by name. */
export const builtIns = ['buffer.js', 'prelude.js'].map((name) => ({
  name,
  code: readFileSync(new URL(name, import.meta.url), 'utf8'),
}))
