/** Under what the token of a gateway of kind `other` is sealed. */
export function tokenContext(gatewayId: number): string {
  return `gateways.sealed_token:${gatewayId}`
}

/** Where a gateway of kind `other` posts what it hears. */
export function callbackAddress(publicUrl: string, uuid: string): string {
  return `${publicUrl}/v1/callbacks/other/${uuid}`
}
