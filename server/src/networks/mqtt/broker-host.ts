/**
 * Whether the host of a broker is a name or an address that everyone reads alike: parsers disagree
 * about other characters, and one would call another host than was checked.
 */
export function hasPlainHost({ hostname }: URL): boolean {
  return /^[a-z0-9.-]+$/i.test(hostname) || /^\[[0-9a-f:.]+\]$/i.test(hostname)
}
