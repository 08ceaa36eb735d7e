/** Where a gateway of kind `other` posts what it hears. */
export function callbackAddress(publicUrl: string, uuid: string): string {
  return `${publicUrl}/v1/callbacks/other/${uuid}`
}
