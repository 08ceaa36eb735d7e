/*
 * Runs inside the sandbox before a codec does, and gives the service the function by which it calls
 * the codec: text in, text out. What it uses of the language it takes before the codec could change
 * it. The first character of its answer says whether a result follows (+) or a reason (-).
 */
;(() => {
  const { parse, stringify } = JSON
  const { isArray } = Array
  const toText = String
  const Time = Date
  const { isView } = ArrayBuffer
  const exported = {}

  globalThis.module = { exports: exported }
  globalThis.exports = exported
  globalThis.console = { log() {}, debug() {}, info() {}, warn() {}, error() {}, trace() {} }

  /** By name rather than as properties of the global object, where `const` and `let` are not. */
  const named = {
    decodeUplink: () => (typeof decodeUplink === 'function' ? decodeUplink : undefined),
    encodeDownlink: () => (typeof encodeDownlink === 'function' ? encodeDownlink : undefined),
    decodeDownlink: () => (typeof decodeDownlink === 'function' ? decodeDownlink : undefined),
  }

  /** The functions that The Things Network v2 and ChirpStack v3 called, before TS013. */
  const older = {
    decodeUplink() {
      if (typeof Decoder === 'function') {
        return (input) => ({ data: Decoder(input.bytes, input.fPort) })
      }
      if (typeof Decode === 'function') {
        return (input) => ({ data: Decode(input.fPort, input.bytes, input.variables) })
      }
    },
    encodeDownlink() {
      if (typeof Encoder === 'function') {
        return (input) => ({ bytes: Encoder(input.data, input.fPort) })
      }
      if (typeof Encode === 'function') {
        return (input) => ({ bytes: Encode(input.fPort, input.data, input.variables) })
      }
    },
    decodeDownlink() {},
  }

  function find(name) {
    const own = named[name]()
    if (own) return own
    const ofModule = module?.exports?.[name] ?? exports?.[name]
    return typeof ofModule === 'function' ? ofModule : older[name]()
  }

  /** Without a prototype: the codec may have given every other object a toJSON. */
  function listFunctions() {
    return {
      __proto__: null,
      decodeUplink: find('decodeUplink') !== undefined,
      encodeDownlink: find('encodeDownlink') !== undefined,
      decodeDownlink: find('decodeDownlink') !== undefined,
    }
  }

  function describe(error) {
    // What the engine throws when there is no room for an error either.
    if (error === null) return 'The codec threw null, or it is out of memory.'
    try {
      return toText(error)
    } catch {
      return 'The codec threw something that has no text.'
    }
  }

  /** Lists of numbers are what TS013 has; an array of bytes would come out as an object. */
  function toList(bytes) {
    return isView(bytes) ? [...bytes] : bytes
  }

  function call(name, text, longest) {
    try {
      if (name === 'functions') return `+${stringify(listFunctions())}`
      const codecFunction = find(name)
      if (!codecFunction) return `-The codec has no function ${name}.`
      const input = parse(text)
      if (input.recvTime !== undefined) input.recvTime = new Time(input.recvTime)
      const result = codecFunction(input)
      if (result === null || typeof result !== 'object' || isArray(result)) {
        const kind = result === null ? 'null' : isArray(result) ? 'a list' : typeof result
        return `-${name} returned ${kind}, and no object.`
      }
      const { data, bytes, fPort, errors, warnings } = result
      // Without a prototype: the codec may have given every other object a toJSON.
      const answer = stringify({
        __proto__: null,
        data,
        bytes: toList(bytes),
        fPort,
        errors,
        warnings,
      })
      if (answer?.[0] !== '{') return `-${name} returned nothing that is an object in JSON.`
      if (answer.length <= longest) return `+${answer}`
      return `-The result has ${answer.length} characters of at most ${longest}.`
    } catch (error) {
      return `-${describe(error)}`
    }
  }

  return { call, describe }
})()
