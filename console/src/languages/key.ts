/** By what a catalogue names a text in the browser: shorter than the text, the same in every build. */
export function keyOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(36)
}

/** Whether a text has parts that are filled in. Others are used as they are. */
export function hasParts(text: string): boolean {
  return /[{<]/.test(text)
}
