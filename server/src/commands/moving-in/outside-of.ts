import { createOutside, type Outside } from '../../networks/outside.ts'

/**
 * For calls to the server that the person at the command names: also one of this machine or of the
 * local network, and also without TLS.
 */
export function outsideOf({ hostname }: URL): Outside {
  return createOutside({ allowsLocal: true, listed: [hostname.replace(/^\[(.*)\]$/, '$1')] })
}
