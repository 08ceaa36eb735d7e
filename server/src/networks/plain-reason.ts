/** What OpenSSL says: `error:0A00010B:SSL routines:name:wrong version number:file.c:84:`. */
const ofOpenSsl = /(?:[0-9A-F]+:)?error:[0-9A-F]{8}:[^:]*:[^:]*:([^:]*)(?::[^:\s]*:\d+:?[^:]*)?/i

const plainWords: readonly (readonly [words: RegExp, plain: string])[] = [
  [
    /wrong version number|packet length too long|http request|unknown protocol/,
    'it does not speak TLS at this port',
  ],
  [/unsupported protocol|alert protocol version/, 'it speaks no version of TLS that is accepted'],
  [/certificate required|bad certificate/, 'it asks for a client certificate'],
  [/handshake failure|no shared cipher/, 'it refused the TLS handshake'],
  [/unrecognized name/, 'it knows no server of this name'],
]

/** The words of an error without the source files and numbers that OpenSSL puts around its own. */
export function plainReason(text: string): string {
  return text.replace(ofOpenSsl, (_, reason: string) => {
    const [, plain] = plainWords.find(([words]) => words.test(reason)) ?? []
    return plain ?? `TLS failed (${reason.trim() || 'no reason given'})`
  })
}
