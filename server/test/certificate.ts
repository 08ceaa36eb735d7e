import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** An invented, self-signed certificate, only for 127.0.0.1. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBrDCCAVKgAwIBAgIUVCUySru6oVD5LMd3sSOnYt44USYwCgYIKoZIzj0EAwIw
IjEgMB4GA1UEAwwXY2hpcnBzdGFjay5leGFtcGxlLnRlc3QwIBcNMjYxMTIyMDc0
MjU0WhgPMjEyNjEwMjkwNzQyNTRaMCIxIDAeBgNVBAMMF2NoaXJwc3RhY2suZXhh
bXBsZS50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEM3kMPlUXCbi5UsVD
11iFxmLkdH5r/dOhywnzB+iviJTz/jGYHYtthwK1nrFeyMoYF93FQn9OOrRp+S0i
VGbX5aNkMGIwHQYDVR0OBBYEFA90CJElAvvfz3Olj3heQRvzgS6EMB8GA1UdIwQY
MBaAFA90CJElAvvfz3Olj3heQRvzgS6EMA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0R
BAgwBocEfwAAATAKBggqhkjOPQQDAgNIADBFAiEAhmipv3eg1CUjA0OqeDj5KQoB
W+uArtkdDAnafqkMNUgCIGjZGCLT88UO9u9OLDWbuaywm9BFEdn8loEO3sz56nuh
-----END CERTIFICATE-----
`
export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJkN1JikYkfOheNZ+
+T+FqBCJDzlx4owxLpB7YzIh4mqhRANCAAQzeQw+VRcJuLlSxUPXWIXGYuR0fmv9
06HLCfMH6K+IlPP+MZgdi22HArWesV7IyhgX3cVCf046tGn5LSJUZtfl
-----END PRIVATE KEY-----
`

/** Accepts TLS at a port of its own, and passes the content on to another port of this machine. */
export async function startTlsProxy(
  context: { after(end: () => void): void },
  toPort: number,
): Promise<number> {
  const server = createTlsServer(
    { key: testKey, cert: testCertificate, ALPNProtocols: ['h2', 'http/1.1'] },
    (socket) => {
      const inner = connect(toPort, '127.0.0.1')
      socket.pipe(inner).pipe(socket)
      for (const each of [socket, inner]) each.on('error', () => {})
    },
  )
  return listen(context, server)
}

/** Answers every connection with plain HTTP. */
export function startPlainServer(context: { after(end: () => void): void }): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  return listen(context, server)
}

async function listen(context: { after(end: () => void): void }, server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  context.after(() => void server.close())
  return (server.address() as AddressInfo).port
}
