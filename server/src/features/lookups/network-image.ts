/** The address of a network's mark, which `network-images.ts` serves. */
export function networkImage(publicUrl: string, key: string): string {
  return `${publicUrl}/images/networks/${key}.svg`
}
