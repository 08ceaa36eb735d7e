/*
 * Runs inside the sandbox before a codec, and gives the service the function that calls the codec:
 * text in, text out. It takes its own references to built-ins before the codec can change them. The
 * first character of an answer is + before a result, and - before a reason.
 */
;(() => {
  const { parse, stringify } = JSON
  const { isArray } = Array
  const toText = String
  const Time = Date
  const { isView } = ArrayBuffer
  const { isFinite: isNumber } = Number
  const { getPrototypeOf, defineProperty } = Object
  const Later = Promise
  const later = Promise.prototype
  const exported = {}

  globalThis.module = { exports: exported }
  globalThis.exports = exported
  globalThis.console = { log() {}, debug() {}, info() {}, warn() {}, error() {}, trace() {} }

  /** Looked up by name: `const` and `let` are no properties of the global object. */
  let named = {
    decodeUplink: () => (typeof decodeUplink === 'function' ? decodeUplink : undefined),
    encodeDownlink: () => (typeof encodeDownlink === 'function' ? encodeDownlink : undefined),
    decodeDownlink: () => (typeof decodeDownlink === 'function' ? decodeDownlink : undefined),
    normalizeUplink: () => (typeof normalizeUplink === 'function' ? normalizeUplink : undefined),
    Decoder: () => (typeof Decoder === 'function' ? Decoder : undefined),
    Decode: () => (typeof Decode === 'function' ? Decode : undefined),
    Encoder: () => (typeof Encoder === 'function' ? Encoder : undefined),
    Encode: () => (typeof Encode === 'function' ? Encode : undefined),
  }
  /** What an ES module exports. */
  let namespace = {}

  /** Takes an ES module whose last line exports the look-ups of `named` in its own scope. */
  function useModule(exports) {
    if (!exports.namesOfCodec) throw 'it waits as it loads, and the service does not: remove await.'
    namespace = exports
    named = exports.namesOfCodec
  }

  /** The function names of The Things Network v2 and ChirpStack v3, older than TS013. */
  const older = {
    decodeUplink() {
      const [decoder, decode] = [named.Decoder(), named.Decode()]
      if (decoder) return (input) => ({ data: decoder(input.bytes, input.fPort) })
      if (decode) return (input) => ({ data: decode(input.fPort, input.bytes, input.variables) })
    },
    encodeDownlink() {
      const [encoder, encode] = [named.Encoder(), named.Encode()]
      if (encoder) return (input) => ({ bytes: encoder(input.data, input.fPort) })
      if (encode) return (input) => ({ bytes: encode(input.fPort, input.data, input.variables) })
    },
    decodeDownlink() {},
    normalizeUplink() {},
  }

  function find(name) {
    const own = named[name]()
    if (own) return own
    const given =
      namespace[name] ?? namespace.default?.[name] ?? module?.exports?.[name] ?? exports?.[name]
    return typeof given === 'function' ? given : older[name]()
  }

  /** Has no prototype: the codec may have added a toJSON to the one of all objects. */
  function listFunctions() {
    return {
      __proto__: null,
      decodeUplink: find('decodeUplink') !== undefined,
      encodeDownlink: find('encodeDownlink') !== undefined,
      decodeDownlink: find('decodeDownlink') !== undefined,
    }
  }

  function describe(error) {
    // The engine throws null when there is no memory for an error.
    if (error === null) return 'The codec threw null, or it is out of memory.'
    try {
      return toText(error)
    } catch {
      return 'The codec threw something that has no text.'
    }
  }

  /** Converts typed arrays to lists of numbers, as in TS013: JSON would make objects of them. */
  function toList(bytes) {
    return isView(bytes) ? [...bytes] : bytes
  }

  function isPromise(value) {
    try {
      return value instanceof Later || getPrototypeOf(value) === later
    } catch {
      return false
    }
  }

  /**
   * What in a value has no form in JSON, as `data.level is NaN`. Lists up to 10, among the first 10,000
   * values and 40 levels: a value may hold itself.
   */
  function listFaults(value, path, isFault) {
    const faults = []
    let left = 10000
    const visit = (inner, name, level) => {
      left -= 1
      if (left < 0 || level > 40 || faults.length >= 10) return
      const fault = isFault(inner)
      if (fault) faults[faults.length] = `${name} is ${fault}`
      else if (typeof inner === 'object' && inner !== null) {
        const isList = isArray(inner)
        for (const key in inner) {
          visit(inner[key], isList ? `${name}[${key}]` : `${name}.${key}`, level + 1)
        }
      }
    }
    visit(value, path, 0)
    return faults
  }

  /** A fault for which there is no value at all. */
  function nameRefused(value) {
    if (typeof value === 'bigint') return 'a BigInt, convert it with Number()'
    if (isPromise(value)) return 'a promise, and the service does not wait for it'
  }

  /** A fault in place of which JSON has null. */
  function nameNull(value) {
    if (typeof value === 'number' && !isNumber(value)) return `${value}`
    if (value instanceof Time && !isNumber(value.getTime())) return 'an invalid date'
  }

  /** As in Math.random, from this seed on: each call begins in the state that was kept. */
  function seedRandom(seed) {
    // Marsaglia's xorshift of 128 bits (Journal of Statistical Software 8, 14).
    let [x, y, z, w] = [seed >>> 0, (seed / 4294967296) >>> 0, 2654435769, 608135816]
    let isMixed = false
    const next = () => {
      const mixed = x ^ (x << 11)
      x = y
      y = z
      z = w
      w = (w ^ (w >>> 19) ^ mixed ^ (mixed >>> 8)) >>> 0
      return w
    }
    return () => {
      if (!isMixed) for (let turn = 0; turn < 16; turn += 1) next()
      isMixed = true
      return (next() * 2097152 + (next() >>> 11)) / 9007199254740992
    }
  }

  let drawn = Math.random
  defineProperty(Math, 'random', {
    value: function random() {
      return drawn()
    },
    writable: true,
    configurable: true,
  })

  function readResult(name, result, longest) {
    if (isPromise(result)) {
      return `-${name} returned a promise, and the service does not wait for it: remove async.`
    }
    if (result === null || typeof result !== 'object' || isArray(result)) {
      const kind = result === null ? 'null' : isArray(result) ? 'a list' : typeof result
      return `-${name} returned ${kind}, and no object.`
    }
    const { data, bytes, fPort, errors, warnings } = result
    // No prototype, as in `listFunctions`.
    const answer = { __proto__: null, data, bytes: toList(bytes), fPort, errors, warnings }
    let text
    try {
      text = stringify(answer)
    } catch (error) {
      const { 0: refused } = listFaults(data, 'data', nameRefused)
      if (!refused) throw error
      return `-${refused}.`
    }
    if (text?.[0] !== '{') return `-${name} returned nothing that is an object in JSON.`
    // Looked for only where there may be one: most results have none.
    if (text.includes('{}')) {
      const { 0: refused } = listFaults(data, 'data', nameRefused)
      if (refused) return `-${refused}.`
    }
    if (text.includes('null')) {
      const nulls = listFaults(data, 'data', nameNull)
      if (nulls.length > 0) text = stringify({ ...answer, __proto__: null, nulls })
    }
    if (text.length <= longest) return `+${text}`
    return `-The result has ${text.length} characters of at most ${longest}.`
  }

  function call(name, text, longest, seed) {
    try {
      if (name === 'functions') return `+${stringify(listFunctions())}`
      const codecFunction = find(name)
      if (!codecFunction) return `-The codec has no function ${name}.`
      const input = parse(text)
      if (input.recvTime !== undefined) input.recvTime = new Time(input.recvTime)
      drawn = seedRandom(seed)
      return readResult(name, codecFunction(input), longest)
    } catch (error) {
      return `-${describe(error)}`
    }
  }

  return { call, describe, useModule }
})()
