import { randomInt } from 'node:crypto'
import type { QuickJSHandle } from 'quickjs-emscripten'
import { builtIns } from './built-ins.ts'
import type { CodecCall, CodecLimits, CodecOutcome } from './codec.ts'
import { createEngine, type Engine } from './engine.ts'
import type { Image } from './images.ts'

/** Runs codecs: each call in a fresh context, in the state right after the codec was loaded. */
export interface Sandbox {
  /** Parses the source without running it. Gives the error, undefined when it parses. */
  parse(source: string): string | undefined
  /** Throws when the engine itself failed. The sandbox must not be used after that. */
  call(call: CodecCall): CodecOutcome
}

/** A codec whose top level has run, or the reason why it can't be called. */
type Loaded = { image: Image } | { failed: FailedOutcome }
type FailedOutcome = Extract<CodecOutcome, { ok: false }>

/** The size in the cache of a codec that can't be called, besides its source. */
const failureBytes = 1024
/** Loading has higher limits: it happens once, and parsing 256 kB takes some 50 ms. */
const loadFactor = 3

interface Workshop {
  engine: Engine
  limits: CodecLimits
  /** The state in which codecs are loaded. */
  base: Image
  /** The functions of prelude.js. */
  call: QuickJSHandle
  describe: QuickJSHandle
  useModule: QuickJSHandle
}

export async function createSandbox(limits: CodecLimits): Promise<Sandbox> {
  const workshop = await createWorkshop(limits)
  const { engine } = workshop
  const loadedCodecs = createLoadedCodecs(limits.cacheLength, (source) =>
    loadCodec(workshop, source),
  )
  return {
    parse(source) {
      const parsed = parse(workshop, source)
      return 'fault' in parsed ? parsed.fault : undefined
    },
    call(codecCall) {
      engine.setTimeZone(codecCall.timeZone ?? 'UTC')
      const loaded = loadedCodecs(codecCall.source)
      if ('failed' in loaded) return loaded.failed
      engine.restore(loaded.image)
      return callCodec(workshop, codecCall)
    },
  }
}

async function createWorkshop(limits: CodecLimits): Promise<Workshop> {
  const engine = await createEngine(limits)
  const [prelude] = builtIns.map(({ code, name }) => engine.evaluate(code, name)).reverse()
  if (!prelude) throw new Error('the sandbox has no prelude')
  const [call, describe, useModule] = ['call', 'describe', 'useModule'].map((name) =>
    engine.context.getProp(prelude, name),
  ) as [QuickJSHandle, QuickJSHandle, QuickJSHandle]
  return { engine, limits, base: engine.takeBase(), call, describe, useModule }
}

/**
 * Caches loaded codecs by their source. Where there are too many, any one goes: devices report in turns,
 * so that of slightly more codecs than there is room for, the least recently used is always the next.
 */
function createLoadedCodecs(
  mostBytes: number,
  load: (source: string) => Loaded,
): (source: string) => Loaded {
  const codecs = new Map<string, Loaded>()
  let bytes = 0
  const sizeOf = (source: string, codec: Loaded) =>
    source.length * 2 + ('image' in codec ? codec.image.length : failureBytes)
  return (source) => {
    const known = codecs.get(source)
    if (known) return known
    const loaded = load(source)
    // Not cached: the machine may have been slow. The breaker bounds how often it is tried again.
    if ('failed' in loaded && loaded.failed.failure === 'limit') return loaded
    codecs.set(source, loaded)
    bytes += sizeOf(source, loaded)
    while (bytes > mostBytes) {
      const [leaving = source, codec = loaded] = [...codecs][randomInt(codecs.size)] ?? []
      codecs.delete(leaving)
      bytes -= sizeOf(leaving, codec)
    }
    return loaded
  }
}

function loadCodec(workshop: Workshop, source: string): Loaded {
  const { engine, limits, base } = workshop
  const parsed = parse(workshop, source)
  if ('fault' in parsed) {
    return { failed: failure(`The codec does not parse: ${parsed.fault}`) }
  }
  engine.restoreCleanly(base)
  engine.allow(limits.milliseconds * loadFactor, limits.turns * loadFactor)
  const thrown = evaluate(workshop, parsed)
  const reason = thrown && describe(workshop, thrown)
  if (engine.isSpent()) return { failed: overrun(limits) }
  if (reason !== undefined) return { failed: failure(`The codec does not load: ${reason}`) }
  const image = engine.takeImage(base)
  if (image.length <= limits.imageLength) return { image }
  return {
    failed: failure(
      `The codec holds ${image.length} bytes once it is loaded, of at most ${limits.imageLength}.`,
    ),
  }
}

/** Runs the top level. Returns what it threw. */
function evaluate({ engine, useModule }: Workshop, { text, type }: Parsed) {
  const { context } = engine
  const result = context.evalCode(text, 'codec.js', { type })
  if (result.error || type === 'global') return result.error
  return context.callFunction(useModule, context.undefined, result.value).error
}

/** A source that parses, as a script or as an ES module. */
interface Parsed {
  text: string
  type: 'global' | 'module'
}

/**
 * The last line of a module, for the prelude: only code in the module sees the names that it does not
 * export.
 */
const lastLine = `
export const namesOfCodec = { ${[
  'decodeUplink',
  'encodeDownlink',
  'decodeDownlink',
  'normalizeUplink',
  'Decoder',
  'Decode',
  'Encoder',
  'Encode',
]
  .map((name) => `${name}: () => typeof ${name} === 'function' ? ${name} : undefined`)
  .join(', ')} }`

function parse(workshop: Workshop, source: string): Parsed | { fault: string } {
  const script: Parsed = { text: source, type: 'global' }
  const fault = findParseFault(workshop, script)
  if (fault === undefined) return script
  if (!/\b(import|export)\b/.test(source)) return { fault }
  const module: Parsed = { text: `${source}${lastLine}`, type: 'module' }
  const faultOfModule = findParseFault(workshop, module)
  return faultOfModule === undefined ? module : { fault: faultOfModule }
}

function findParseFault(
  { engine, limits, base }: Workshop,
  { text, type }: Parsed,
): string | undefined {
  engine.restoreCleanly(base)
  engine.allow(limits.milliseconds * loadFactor, limits.turns * loadFactor)
  const { context } = engine
  const result = context.evalCode(text, 'codec.js', { compileOnly: true, type })
  if (!result.error) return undefined
  const { name, message, stack } = context.dump(result.error)
  const line = /codec\.js:(\d+)/.exec(String(stack))?.[1]
  const told = name === 'Error' ? message : `${name}: ${message}`
  return `${told}${line === undefined ? '' : ` (line ${line})`}`
}

const highestSeed = 2 ** 48 - 1

function callCodec({ engine, limits, call }: Workshop, { name, input }: CodecCall): CodecOutcome {
  engine.allow(limits.milliseconds, limits.turns)
  const { context } = engine
  const result = context.callFunction(
    call,
    context.undefined,
    context.newString(name),
    context.newString(input),
    context.newNumber(limits.resultLength),
    context.newNumber(randomInt(highestSeed)),
  )
  // Checked before the result: the limits hold for results, too.
  if (engine.isSpent()) return overrun(limits)
  // The prelude catches every error, so an error here means that memory ran out.
  if (result.error) return failure(`The codec needs more than ${limits.memory} bytes.`, 'limit')
  const text = context.getString(result.value)
  return text.startsWith('+') ? { ok: true, text: text.slice(1) } : failure(text.slice(1))
}

/** Describes what a codec threw. This may run code of the codec. */
function describe({ engine, describe }: Workshop, thrown: QuickJSHandle): string {
  const { context } = engine
  const text = context.callFunction(describe, context.undefined, thrown)
  return text.error ? 'It threw something that has no text.' : context.getString(text.value)
}

function overrun({ milliseconds }: CodecLimits): FailedOutcome {
  return failure(`The codec was stopped after ${milliseconds} ms.`, 'limit')
}

/** The longest reason, in characters: it becomes the description of an uplink. */
const longestMessage = 300

function failure(message: string, kind: 'error' | 'limit' = 'error'): FailedOutcome {
  const text = message.replaceAll('\u0000', '').toWellFormed()
  return { ok: false, failure: kind, message: text.slice(0, longestMessage) }
}
