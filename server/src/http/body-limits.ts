/** Bytes of the largest request bodies; a route without a word of its own takes `usual`. */
export const bodyLimits = {
  usual: 64 * 1024,
  /** What proves who somebody is: read before anybody is known. */
  proof: 8 * 1024,
  /** A message of a network. The largest of any is a few kilobytes. */
  callback: 256 * 1024,
  /** The source of a codec, 256 KiB, in the longer form that JSON may give it. */
  codec: 1024 * 1024,
  /** Many items at once. */
  batch: 5 * 1024 * 1024,
} as const
