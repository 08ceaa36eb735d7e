/** Where the account's network sends its events. */
export function callbackUrlOf(
  publicUrl: string,
  { network, uuid }: { network: string; uuid: string },
): string {
  return `${publicUrl}/v1/callbacks/${network}/${uuid}`
}
