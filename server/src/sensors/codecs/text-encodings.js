/*
 * `TextEncoder`, `TextDecoder`, `atob` and `btoa` for codecs, as in browsers (encoding.spec.whatwg.org,
 * html.spec.whatwg.org, "atob"). Runs inside the sandbox, after `Buffer`.
 */
;(() => {
  const { Buffer } = globalThis

  /** Labels of the encodings that payloads have. */
  const encodings = {
    'utf-8': ['utf-8', 'utf8', 'unicode-1-1-utf-8'],
    'utf-16le': ['utf-16le', 'utf-16', 'ucs-2', 'unicode'],
    'windows-1252': ['windows-1252', 'latin1', 'iso-8859-1', 'ascii', 'us-ascii', 'l1', 'cp1252'],
  }
  /** The characters of the bytes 80 to 9F in Windows-1252. */
  const upper = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

  class TextEncoder {
    get encoding() {
      return 'utf-8'
    }
    encode(text = '') {
      return new Uint8Array(Buffer.from(String(text).toWellFormed(), 'utf8'))
    }
    encodeInto(text, target) {
      const before = Buffer.from(String(text).toWellFormed(), 'utf8')
      let written = Math.min(before.length, target.length)
      // Not in the middle of a character.
      while (written > 0 && (before[written] & 0xc0) === 0x80) written -= 1
      target.set(before.subarray(0, written))
      return { read: before.toString('utf8', 0, written).length, written }
    }
  }

  class TextDecoder {
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      const wanted = String(label).trim().toLowerCase()
      const found = Object.keys(encodings).find((name) => encodings[name].includes(wanted))
      if (!found) throw new RangeError(`The encoding "${label}" is not supported.`)
      Object.assign(this, { encoding: found, fatal: Boolean(fatal), ignoreBOM: Boolean(ignoreBOM) })
    }
    decode(input = []) {
      const { encoding, fatal, ignoreBOM } = this
      const bytes = ArrayBuffer.isView(input)
        ? Buffer.from(input.buffer, input.byteOffset, input.byteLength)
        : Buffer.from(input)
      const text = read[encoding](bytes)
      if (fatal && encoding !== 'windows-1252' && !Buffer.from(text, encoding).equals(bytes)) {
        throw new TypeError(`The bytes are not valid ${encoding}.`)
      }
      return !ignoreBOM && text[0] === '\ufeff' ? text.slice(1) : text
    }
  }

  const read = {
    'utf-8': (bytes) => bytes.toString('utf8'),
    'utf-16le': (bytes) =>
      `${bytes.toString('utf16le')}${bytes.length % 2 ? '\ufffd' : ''}`.toWellFormed(),
    'windows-1252': (bytes) =>
      bytes.toString('latin1').replace(/[\x80-\x9f]/g, (c) => upper[c.charCodeAt(0) - 0x80]),
  }

  function btoa(text) {
    const latin = String(text)
    if (/[^\0-\xff]/.test(latin)) throw new TypeError('btoa takes characters up to U+00FF only.')
    return Buffer.from(latin, 'latin1').toString('base64')
  }

  function atob(text) {
    const digits = String(text).replace(/[\t\n\f\r ]/g, '')
    const isPadded = digits.length % 4 === 0
    const bare = isPadded ? digits.replace(/={1,2}$/, '') : digits
    if (/[^A-Za-z0-9+/]/.test(bare) || bare.length % 4 === 1) {
      throw new TypeError('The text for atob is no base64.')
    }
    return Buffer.from(bare, 'base64').toString('latin1')
  }

  for (const value of [TextEncoder, TextDecoder, atob, btoa]) {
    Object.defineProperty(globalThis, value.name, { value, writable: true, configurable: true })
  }
})()
